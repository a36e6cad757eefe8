// `npm run dev -- --sandbox`: the app on Vite, with hot reload, in the sandbox. Nothing is played; a change of a file shows at once.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT } from "./app-process.ts";
import { credentialLines } from "./demo-text.ts";
import { untilSignal } from "./signals.ts";
import { startSandbox } from "./start.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "4400" }, shops: { type: "string", default: "2" } },
});

const sandbox = await startSandbox({
  port: Number(values.port),
  shops: Number(values.shops),
  dataDir: join(PROJECT, ".data", "dev"),
  mode: "development",
  hasPlayBar: true,
  onProgress: (line) => console.log(line),
});
console.log(`\n${credentialLines(sandbox).join("\n")}\n`);
await untilSignal();
await sandbox.stop();
