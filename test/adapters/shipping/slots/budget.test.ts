import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createBottleneckLine } from "../../../../app/adapters/shipping/budget.ts";
import { createBudget } from "../../../../app/adapters/shipping/budget-core.ts";
import { budgetContract, GRACE_MS } from "../../../contracts/budget.ts";
import { freshPostgres } from "../../store/postgresql/fresh-postgres.ts";
import { budgetOn } from "./budget-on-postgres.ts";

budgetContract("slots in this process", async () => {
  const budget = createBudget({
    clock: createClock(),
    random: createRandom(),
    line: createBottleneckLine(),
    graceMs: GRACE_MS,
    openAtOnce: true,
  });
  return { budget, close: () => budget.close() };
});

budgetContract("slots on PostgreSQL", async () => {
  const database = await freshPostgres();
  const { budget } = budgetOn(database.url, { graceMs: GRACE_MS });
  return {
    budget,
    async close() {
      await budget.close();
      await database.remove();
    },
  };
});
