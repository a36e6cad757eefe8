import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readStages, type Step } from "./image/dockerfile.ts";
import { makeWritable, tryLastStage } from "./image/last-stage.ts";

// Runs the steps of the Dockerfile in bare folders, a folder a stage, without an engine: what the image lacks, a step or the last one lacks too.
// Afterwards the last stage's own command is run in its folder, on an empty SQLite database: it must migrate, answer, and end when it is told to.
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "origen-image-"));
const CONTEXT_LACKS = /^(test|docs|ops)\//;

/** The machine's own folders are not to be written: what a step does there only an engine can check. */
const OF_THE_IMAGE = /^mkdir -p \/data/;

const stages = readStages(readFileSync(join(root, "Dockerfile"), "utf8"));
const app = join(folder, stages.at(-1)!.name, "app");

try {
  for (const { name, steps } of stages) {
    const env: Record<string, string> = {};
    for (const step of steps) run(step, { stage: join(folder, name), env });
  }
  // For the other user that the server runs as.
  chmodSync(folder, 0o755);
  const seen = await tryLastStage({ stage: stages.at(-1)!, app, volumes: join(folder, "volumes") });
  console.log(`Each step came to its end, and the last stage's command runs. ${seen}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  if (existsSync(app)) makeWritable(app);
  rmSync(folder, { recursive: true, force: true });
}

function run(step: Step, { stage, env }: { stage: string; env: Record<string, string> }): void {
  const cwd = join(stage, "app");
  mkdirSync(cwd, { recursive: true });
  if (step.kind === "env") Object.assign(env, step.values);
  if (step.kind === "run" && !OF_THE_IMAGE.test(step.command)) shell(step.command, cwd, { ...process.env, ...env });
  if (step.kind !== "copy") return;
  const to = join(cwd, step.to);
  if (step.from) for (const path of step.paths) copy(join(folder, step.from, path), to, step.paths.length > 1);
  else for (const path of inContext(step.paths)) copy(join(root, path), join(to, dirname(path)), true);
}

function shell(command: string, cwd: string, env: NodeJS.ProcessEnv): void {
  console.log(`> ${command}`);
  const { status } = spawnSync(command, { cwd, env, shell: true, stdio: "inherit" });
  if (status !== 0) throw new Error(`The step failed: ${command}`);
}

function copy(from: string, to: string, into: boolean): void {
  const isFolder = statSync(from).isDirectory();
  cpSync(from, isFolder && !into ? to : join(to, basename(from)), { recursive: true, verbatimSymlinks: true });
}

/** What is in the repository and reaches an engine. */
function inContext(paths: readonly string[]): string[] {
  const files = execFileSync("git", ["ls-files", ...paths], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  return files.filter((file) => !CONTEXT_LACKS.test(file));
}
