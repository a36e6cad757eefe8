import { spawn } from "node:child_process";
import { join } from "node:path";

// `npm run dev` is Shopify's own development loop; `npm run dev -- --sandbox` is the same app in the sandbox, with no account anywhere.
const root = join(import.meta.dirname, "..");
const argv = process.argv.slice(2);
const sandbox = argv.includes("--sandbox");
const rest = argv.filter((argument) => argument !== "--sandbox");
const command = sandbox
  ? [join(root, "test/sandbox/dev.ts"), ...rest]
  : [join(root, "node_modules/@shopify/cli/bin/run.js"), "app", "dev", ...rest];

const child = spawn(process.execPath, command, { cwd: root, stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
