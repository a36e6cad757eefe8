import type { Clock, Log } from "../../../ports.ts";
import { FIRST_HOLD_MS, FORGOTTEN_MS, FREE_TRIES, LONGEST_HOLD_MS, type WrongSecrets } from "../wrong-secrets.ts";
import type { SlotsDatabase } from "./slots-database.ts";

/** The tries of wrong secrets that all processes have seen. */
export function createPostgresWrongSecrets(input: { database: SlotsDatabase; clock: Clock; log: Log }): WrongSecrets {
  const { database, clock, log } = input;
  // The answer to the try stands, whether or not it was counted.
  const uncounted = (error: unknown) => void log.warn({ error }, "a try of a secret was not counted");
  return {
    async heldUntilMs(shop) {
      const asked = [keyOf(shop), FREE_TRIES, FIRST_HOLD_MS, LONGEST_HOLD_MS];
      const [row] = await database.query<{ ms: number }>(HELD, asked);
      return row && row.ms > 0 ? Math.ceil(clock.nowMs() + row.ms) : null;
    },
    wrong: (shop) => database.query(WRONG, [keyOf(shop), FORGOTTEN_MS]).then(() => undefined, uncounted),
    right: (shop) => database.query(RIGHT, [keyOf(shop)]).then(() => undefined, uncounted),
  };
}

const HELD = 'SELECT budget.secret_held_ms($1, $2, $3, $4) AS "ms"';
const WRONG = "SELECT budget.wrong_secret($1, $2)";
const RIGHT = "SELECT budget.right_secret($1)";

function keyOf(shop: string): string {
  return `shop ${shop}`;
}
