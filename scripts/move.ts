import { parseArgs } from "node:util";
import { TIMEOUTS } from "../app/adapters/shipping/network.ts";
import { heldForMs } from "../app/adapters/shipping/slots/postgres-slots.ts";
import { parseKeys } from "../app/adapters/store/encryption.ts";
import { moveDatabase } from "../app/adapters/store/move.ts";
import { readBudgetGraceMs } from "../app/config.server.ts";

// Moves everything from SQLite to PostgreSQL: npm run move -- --from file:… --to postgresql://… (docs/postgresql.md).
const USAGE = "Usage: npm run move -- --from file:.data/origen.db --to postgresql://user@host/database";
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

try {
  const { from, to } = parseArgs({ options: { from: { type: "string" }, to: { type: "string" } } }).values;
  if (!from || !to) throw new Error(USAGE);
  const folder = (path: string) => new URL(`../prisma/${path}/`, import.meta.url);
  const { movedNow, place } = await moveDatabase({
    from,
    to,
    keyring: parseKeys(process.env.APP_KEYS),
    log: SILENT,
    slotsRestMs: heldForMs({ graceMs: readBudgetGraceMs(process.env), totalTimeoutMs: TIMEOUTS.totalMs }),
    migrations: { from: folder("migrations"), to: folder("postgresql/migrations") },
    onModel: (model, rows) => console.log(`${model}: ${rows} moved, compared`),
  });
  const next = `Set DATABASE_URL to ${place} and start the app; no app starts on ${from} any more.`;
  console.log(movedNow ? `Everything was moved. ${next}` : `Everything had been moved already. ${next}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
