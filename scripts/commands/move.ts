import { parseArgs } from "node:util";
import { TIMEOUTS } from "../../app/adapters/shipping/network.ts";
import { heldForMs } from "../../app/adapters/shipping/slots/postgres-slots.ts";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { moveDatabase } from "../../app/adapters/store/move.ts";
import { readBudgetGraceMs } from "../../app/config.server.ts";
import { command } from "./command.ts";

const USAGE = "Usage: npm run move -- --from file:.data/origen.db --to postgresql://user@host/database";
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Moves everything from SQLite to PostgreSQL: npm run move -- --from file:… --to postgresql://… (docs/postgresql.md). */
export const move = command(async ({ args, env, say }) => {
  const { from, to } = parseArgs({ args, options: { from: { type: "string" }, to: { type: "string" } } }).values;
  if (!from || !to) throw new Error(USAGE);
  const folder = (path: string) => new URL(`../../prisma/${path}/`, import.meta.url);
  const { movedNow, place } = await moveDatabase({
    from,
    to,
    keyring: parseKeys(env.APP_KEYS),
    log: SILENT,
    slotsRestMs: heldForMs({ graceMs: readBudgetGraceMs(env), totalTimeoutMs: TIMEOUTS.totalMs }),
    migrations: { from: folder("migrations"), to: folder("postgresql/migrations") },
    onModel: (model, rows) => say(`${model}: ${rows} moved, compared`),
  });
  const next = `Set DATABASE_URL to ${place} and start the app; no app starts on ${from} any more.`;
  say(movedNow ? `Everything was moved. ${next}` : `Everything had been moved already. ${next}`);
});
