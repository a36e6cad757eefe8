import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const PROJECT = join(import.meta.dirname, "../../..");

/** Prints, as the command's last word, how much memory it ever had, in kilobytes. */
const TELL = "data:text/javascript,process.on('exit',()=>console.log('mostKb '+process.resourceUsage().maxRSS))";

/** Runs one of the operator's commands as `package.json` does. @throws when it fails. */
export async function runImport(
  script: string,
  { args, env }: { args: string[]; env: Record<string, string> },
): Promise<{ seconds: number; mostMb: number }> {
  const startMs = performance.now();
  const node = ["--max-semi-space-size=2", `--import=${TELL}`, join(PROJECT, script), ...args];
  const child = spawn(process.execPath, node, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${said}`);
  const seconds = (performance.now() - startMs) / 1_000;
  return { seconds, mostMb: Number(/mostKb (\d+)/.exec(said)![1]) / 1_000 };
}
