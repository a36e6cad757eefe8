import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runScript, type RunningScript } from "../store/processes/run.ts";
import { GOOD } from "./support/operations.ts";

/** A true process that is stopped (SIGSTOP) with a write announced or under way, as a suspended machine stops all of its own. */

const SCRIPT = `${import.meta.dirname}/processes/write-and-stop.ts`;
/** More than the script allows between announcement and bytes, or for a whole request that is under way. */
const LONG_MS = 1_000;

let server: Server;
let url: string;
let requests: string[];
/** How the sockets that wrote to the server ended. */
let resets: number;
let answer: (response: ServerResponse) => void;
let script: RunningScript | null = null;

beforeEach(async () => {
  requests = [];
  resets = 0;
  answer = (response) => response.writeHead(201).end(JSON.stringify(GOOD.create.body));
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => answer(response));
  });
  server.on("connection", (socket) => socket.on("error", () => (resets += 1)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  script?.child.kill("SIGKILL");
  await script?.ended;
  server.closeAllConnections();
  server.close();
});

/** `T` in the process's state, which Linux tells in a file. */
function isStopped(): boolean {
  const pid = String(script!.child.pid);
  if (existsSync("/proc/self/stat")) return /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  return execFileSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).startsWith("T");
}

async function wakeLater(): Promise<void> {
  await expect.poll(isStopped).toBe(true);
  await pause(LONG_MS);
  script!.child.kill("SIGCONT");
}

test("left alone the script's write is sent and answered", async () => {
  script = runScript({ script: SCRIPT, args: [url, "going on"] });
  expect(await script.line("ended")).toBe("ended: written");
  expect(requests).toEqual(["POST /api/v1/address_templates"]);
});

test("stopped between the announcement and the bytes, a process sends nothing when it goes on", async () => {
  script = runScript({ script: SCRIPT, args: [url, "stopping"] });
  await wakeLater();
  expect(await script.line("ended")).toBe("ended: timeout, effect none");
  expect(requests).toEqual([]);
});

test("stopped with a write under way, a process resets its connection when it goes on, and its end is unclear", async () => {
  const arrived = Promise.withResolvers<void>();
  answer = () => arrived.resolve();
  script = runScript({ script: SCRIPT, args: [url, "going on"] });
  await arrived.promise;
  script.child.kill("SIGSTOP");
  await wakeLater();
  expect(await script.line("ended")).toBe("ended: timeout, effect unknown");
  await expect.poll(() => resets).toBe(1);
  expect(requests).toHaveLength(1);
});
