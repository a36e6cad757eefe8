// `npm run demo`: starts everything, does the whole job once over HTTP as a browser would, prints it, and stays open.
import { parseDemoOptions, USAGE } from "./demo-options.ts";
import type { DemoOptions } from "./demo-options.ts";
import { credentialLines } from "./demo-text.ts";
import { DEMO_LOCATIONS } from "./data/default-store.ts";
import { DEMO_POSTAL_CODES } from "./data/postal-codes.ts";
import { playTheJob } from "./play/play.ts";
import { untilSignal } from "./signals.ts";
import { startEmbedded } from "../../scripts/postgres-server.ts";
import { startSandbox } from "./start.ts";
import type { Sandbox } from "./start.ts";

process.exitCode = await demo(process.argv.slice(2));

async function demo(args: string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
  const options = read(args);
  if (!options) return 2;
  const stopped = untilSignal();
  let sandbox: Sandbox;
  let database: { url: string; stop(): Promise<void> } | null = null;
  try {
    database = options.postgres ? await startEmbedded() : null;
    sandbox = await startSandbox({
      ...(database && { databaseUrl: database.url, processes: 3 }),
      port: options.port,
      dataDir: options.dataDir,
      shops: options.shops,
      locations: options.locations ?? DEMO_LOCATIONS,
      ...(options.shippingUrl && { shippingUrl: options.shippingUrl }),
      postalCodes: DEMO_POSTAL_CODES,
      hasPlayBar: true,
      // Only the job itself has a carrier refuse something, so that what Home shows has one story.
      shipping: { verification: { refusedShare: 0, otherShare: 0 } },
      onProgress: (line) => console.log(`${line} …`),
    });
  } catch (error) {
    await database?.stop();
    console.error(startProblem(error as NodeJS.ErrnoException));
    return 1;
  }
  try {
    const played =
      !sandbox.shipping ||
      (await Promise.race([
        playTheJob(sandbox, { say: (line) => console.log(line), hasVisitor: true }),
        stopped.then(() => true),
      ]));
    if (options.once) return played ? 0 : 1;
    if (!played) console.log("\nThe job did not come to its end. Everything stays open for you to look.");
    console.log(`\n${credentialLines(sandbox).join("\n")}\n`);
    await stopped;
    console.log("Stopping …");
    return played ? 0 : 1;
  } finally {
    await sandbox.stop();
    await database?.stop();
  }
}

function read(args: string[]): DemoOptions | null {
  try {
    return parseDemoOptions(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return null;
  }
}

function startProblem(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.code !== "EADDRINUSE") return error.message;
  return `Port ${error.port} is taken. Stop what uses it, or choose another with --port N.`;
}
