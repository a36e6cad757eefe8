import { spawn } from "node:child_process";
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import type { Stage } from "./dockerfile.ts";

/** The image's user `node`. */
const NODE_USER = 1000;
/** As the image's health check gives a start. */
const START_WITHIN_MS = 60_000;
/** Whoever asks for a stop may kill after that. */
const STOP_WITHIN_MS = 15_000;

export interface LastStage {
  stage: Stage;
  /** Its bare folder. Nothing in it may be written any more. */
  app: string;
  /** Where the volumes are, and the only place that the process may write besides the system's temporary folder. */
  volumes: string;
}

/**
 * Starts what the last stage holds as the image would: its command, its variables and the settings alone, with nothing to write but the
 * volumes; as another user than root where that is possible. Resolves with what was seen when it has answered and ended in order.
 */
export async function tryLastStage({ stage, app, volumes }: LastStage): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  makeReadOnly(app);
  for (const name of ["", "data", "erasures"]) {
    mkdirSync(join(volumes, name), { recursive: true });
    if (isRoot) chownSync(join(volumes, name), NODE_USER, NODE_USER);
  }
  const port = await freePort();
  const options: SpawnOptions = {
    cwd: app,
    env: {
      ...variablesOf(stage),
      ...settings(volumes),
      PORT: String(port),
      HOST: "127.0.0.1",
      PATH: pathTo(app),
    },
    stdio: "inherit",
    ...(isRoot && { uid: NODE_USER, gid: NODE_USER }),
  };
  const run = ({ command, args }: { command: string; args: string[] }) => spawn(command, args, options);
  const server = run(commandOf(stage, "CMD"));
  try {
    await untilAnswered(server, port);
    if ((await endOf(run(commandOf(stage, "HEALTHCHECK")))) !== 0)
      throw new Error("The image's health check fails although /health answers.");
    const stoppedMs = await stop(server);
    return `It answers /health and /ready${isRoot ? ", not as root" : ""}, and SIGTERM ended it in ${stoppedMs} ms.`;
  } finally {
    server.kill("SIGKILL");
  }
}

/** Made writable again, so that it can be removed. */
export function makeWritable(folder: string): void {
  change(folder, (mode) => mode | 0o200);
}

function makeReadOnly(folder: string): void {
  change(folder, (mode) => mode & ~0o222);
}

/** Only folders: where nothing can be made and nothing replaced, and who does not own a file cannot write it. */
function change(folder: string, to: (mode: number) => number): void {
  chmodSync(folder, to(0o755));
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) change(join(folder, entry.name), to);
}

/** What an instruction of the stage runs. @throws when it has none in JSON's form. */
export function commandOf({ steps }: Stage, instruction: "CMD" | "HEALTHCHECK"): { command: string; args: string[] } {
  const step = steps.findLast((each) => each.kind === "other" && each.instruction === instruction);
  const text = step?.kind === "other" ? step.text : "";
  if (!text.endsWith("]")) throw new Error(`The last stage of the Dockerfile has no ${instruction} in JSON's form.`);
  const [command = "", ...args] = JSON.parse(text.slice(text.indexOf("["))) as string[];
  return { command, args };
}

function variablesOf({ steps }: Stage): NodeJS.ProcessEnv {
  return Object.assign({}, ...steps.map((step) => (step.kind === "env" ? step.values : {}))) as NodeJS.ProcessEnv;
}

/** What an operator has to say, and no service that could be reached. */
function settings(volumes: string): Record<string, string> {
  const nowhere = "http://127.0.0.1:9";
  return {
    DATABASE_URL: `file:${join(volumes, "data/origen.db")}`,
    ERASURE_LOG: join(volumes, "erasures/erasures.jsonl"),
    APP_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SHOPIFY_API_KEY: "key",
    SHOPIFY_API_SECRET: "secret",
    SHOPIFY_APP_URL: "https://origen.example.com",
    SHIPPING_TEST_URL: nowhere,
    SHIPPING_PRODUCTION_URL: nowhere,
  };
}

/** The image's own Node is the one that the packages bring: the same version, which a test holds it to. */
const pathTo = (app: string) => [join(app, "node_modules/node/bin"), "/usr/bin", "/bin"].join(":");

async function untilAnswered(server: ChildProcess, port: number): Promise<void> {
  const untilMs = performance.now() + START_WITHIN_MS;
  for (;;) {
    const answers = await Promise.all(
      ["health", "ready"].map((path) => fetch(`http://127.0.0.1:${port}/${path}`).catch(() => null)),
    );
    if (answers.every((answer) => answer?.ok)) return;
    if (server.exitCode !== null || server.signalCode !== null) throw new Error("The last stage's command ended.");
    if (performance.now() >= untilMs) throw new Error(`/health and /ready did not answer in ${START_WITHIN_MS} ms.`);
    await sleep(200);
  }
}

async function stop(server: ChildProcess): Promise<number> {
  const beganMs = performance.now();
  server.kill("SIGTERM");
  const code = await Promise.race([endOf(server), sleep(STOP_WITHIN_MS, "late" as const, { ref: false })]);
  if (code !== 0)
    throw new Error(`After SIGTERM the last stage's command ended with ${code ?? "a signal"}, not with 0.`);
  return Math.round(performance.now() - beganMs);
}

async function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
