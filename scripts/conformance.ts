import { join } from "node:path";
import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { createClock } from "../app/adapters/machine/clock.ts";
import { createRandom } from "../app/adapters/machine/random.ts";
import { readBudgetGraceMs, readServiceUrls } from "../app/config.server.ts";
import { carrierKey, SUGGESTED_CARRIERS } from "../app/domain/verification/carriers.ts";
import { openJournal } from "./conformance/journal.ts";
import { permissionFor } from "./conformance/permission.ts";
import { planOf } from "./conformance/plan.ts";
import { MOST_REPORTED_LATENESS_MS } from "./conformance/proposals.ts";
import { keepReport, leftOf, reportOf, tableOf } from "./conformance/report.ts";
import { runConformance } from "./conformance/run.ts";
import { openService } from "./conformance/service.ts";

// Asks the true service what its interface leaves open, on scratch templates of a test account: docs/conformance.md.
const USAGE = `Usage: npm run conformance -- --environment test            says what would be asked
       npm run conformance -- --environment test --yes      asks it

  --carriers a,b   which carriers to ask, in place of those that the app suggests
  --watch          follow for an hour what they say
  --clean          only delete what earlier runs left
  --out FOLDER     where reports and the journal are kept (.data/conformance)
  --no-app         there is no app whose database could tell which credentials it uses

Credentials of a test account: CONFORMANCE_CLIENT_ID and CONFORMANCE_CLIENT_SECRET, in the environment or in .env.`;

const FOLLOW_MS = 30_000;
const WATCH_MS = 3_600_000;
const NOT_ASKED = 2;
const STOPPED_TWICE = 130;

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const values = readArguments();
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const { test, production } = readServiceUrls(process.env);
  const permission = await permissionFor({
    environment: values.environment,
    noApp: values["no-app"],
    testUrl: test,
    productionUrl: production,
    variables: process.env,
  });
  const { host } = permission;
  const carriers = carriersOf(values.carriers);
  const followMs = values.watch ? WATCH_MS : FOLLOW_MS;
  const journal = openJournal(join(values.out, "journal.jsonl"), permission.account);
  console.log(planOf({ host, carriers, followMs, open: journal.open().length, cleanOnly: values.clean }));
  if (journal.elsewhere() > 0)
    console.log(
      `The journal also names ${journal.elsewhere()} templates of other accounts. This run leaves them alone.`,
    );
  if (!values.yes) {
    console.log(`Nothing was sent. Say --yes to ${values.clean ? "delete" : "ask"}.`);
    return NOT_ASKED;
  }
  const clock = createClock();
  const service = openService({
    ...permission,
    userAgent: `Origen/${packageJson.version} conformance`,
    clock,
    random: createRandom(),
    graceMs: readBudgetGraceMs(process.env),
  });
  const stop = new AbortController();
  stopOnSignals(stop, () => {
    const open = journal.open().map(({ name, id }) => ({ name, id }));
    if (open.length > 0) console.log(leftOf(open));
    process.exit(STOPPED_TWICE);
  });
  const ended = await runConformance({
    service,
    journal,
    clock,
    mark: `ORIGEN-${markOf(createRandom().id())}`,
    carriers,
    lateMs: MOST_REPORTED_LATENESS_MS,
    followMs,
    signal: stop.signal,
    tell: (line) => console.log(line),
    cleanOnly: values.clean,
  });
  await service.close();
  const { counts, left } = ended;
  if (values.clean) {
    console.log(`Deleted: ${counts.deleted}.${left.length > 0 ? ` ${leftOf(left)}` : " Nothing is left."}`);
    return left.length > 0 ? 1 : 0;
  }
  const report = reportOf(ended, { host, at: new Date(clock.nowMs()).toISOString() });
  console.log(`\n${tableOf(report)}`);
  console.log(`\nKept as ${keepReport(report, values.out)}.json and .md`);
  return ended.stopped !== null || left.length > 0 ? 1 : 0;
}

function readArguments() {
  return parseArgs({
    options: {
      environment: { type: "string" },
      carriers: { type: "string" },
      watch: { type: "boolean", default: false },
      clean: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "no-app": { type: "boolean", default: false },
      out: { type: "string", default: ".data/conformance" },
      help: { type: "boolean", default: false },
    },
  }).values;
}

function carriersOf(text: string | undefined): readonly string[] {
  if (text === undefined) return SUGGESTED_CARRIERS;
  const keys = text.split(",").map(carrierKey);
  if (keys.includes(null)) throw new Error("--carriers: names as the service spells them, comma-separated");
  return keys as string[];
}

/** Eight characters by chance. */
function markOf(id: string): string {
  return id.replaceAll("-", "").slice(0, 8).toUpperCase();
}

/** The first signal ends the run, which deletes what it made; the second ends the process. */
function stopOnSignals(stop: AbortController, atOnce: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) return atOnce();
      console.log("Stopping: what was made is deleted first. Once more to leave it to the next run.");
      stop.abort();
    });
  }
}
