import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { appKeys, openFreshStore } from "../adapters/store/open-store.ts";
import { connectionRecord, shopRecord, SHOP } from "../fakes/records.ts";
import { startShippingService, type ShippingService } from "../sandbox/shipping/server.ts";

/** The command itself, as a process, at the true rate. */

const COMMAND = join(import.meta.dirname, "../../scripts/conformance.ts");

let service: ShippingService;
beforeAll(async () => {
  service = await startShippingService({ keepRequests: 500 });
});
afterAll(() => service.stop());

interface Ran {
  code: number | null;
  said: string;
}

interface Started {
  child: ChildProcess;
  said(): string;
  ended: Promise<Ran>;
  folder: string;
}

function start(args: string[], over: Record<string, string> = {}, folder = newFolder()): Started {
  const child = spawn(process.execPath, [COMMAND, "--out", folder, ...args], {
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SHIPPING_TEST_URL: service.testUrl,
      SHIPPING_PRODUCTION_URL: service.productionUrl,
      // Said to be nothing: Prisma's client reads the clone's `.env`, and an operator has one.
      DATABASE_URL: "",
      CONFORMANCE_CLIENT_ID: "test-client-1",
      CONFORMANCE_CLIENT_SECRET: "test-secret-1",
      BUDGET_GRACE_MS: "0",
      ...over,
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (said += chunk));
  const ended = new Promise<Ran>((resolve) => child.on("close", (code) => resolve({ code, said })));
  return { child, said: () => said, ended, folder };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "origen-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const TEST = ["--environment", "test", "--no-app"];

test.each([
  ["production", ["--environment", "production", "--no-app"], {}, /Production is never asked/],
  ["no environment", ["--no-app"], {}, /--environment test/],
  ["no word about the app", ["--environment", "test"], {}, /DATABASE_URL is missing/],
  ["no credentials", TEST, { CONFORMANCE_CLIENT_ID: "" }, /CONFORMANCE_CLIENT_ID .* missing/],
])("%s: refused, and nothing is sent", async (_, args, over, sentence) => {
  const calls = service.report().calls;
  const { code, said } = await start(args, over).ended;
  expect(said).toMatch(sentence);
  expect(code).toBe(1);
  expect(said).not.toContain("test-secret-1");
  expect(service.report().calls).toBe(calls);
});

test("production's address under the test environment's name is refused", async () => {
  const { code, said } = await start(TEST, { SHIPPING_TEST_URL: service.productionUrl }).ended;
  expect([code, /Production is never asked/.test(said)]).toEqual([1, true]);
  const host = {
    SHIPPING_TEST_URL: "https://api.example.com/test",
    SHIPPING_PRODUCTION_URL: "https://api.example.com",
  };
  expect((await start(TEST, host).ended).said).toMatch(/Production is never asked/);
});

test("without --yes it says what it would ask, of which carriers, and sends nothing", async () => {
  const calls = service.report().calls;
  const { code, said } = await start([...TEST, "--carriers", "fedex,DHL"]).ended;
  expect(said).toMatch(/three scratch templates[\s\S]*fedex, dhl[\s\S]*what they say for 30 s[\s\S]*Say --yes to ask/);
  expect(code).toBe(2);
  expect(service.report().calls).toBe(calls);
});

test("credentials that the app uses are refused, whichever its environment, and others are not", async () => {
  const { store, database } = await openFreshStore();
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord({ clientId: "test-client-1", environment: "production" }));
  await store.close();
  onTestFinished(() => database.remove());
  const over = { DATABASE_URL: database.url, APP_KEYS: appKeys("k1") };
  const refused = await start(["--environment", "test"], over).ended;
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining(`The app uses this client id for ${SHOP}`)]);
  const other = await start(["--environment", "test"], { ...over, CONFORMANCE_CLIENT_ID: "test-client-2" }).ended;
  expect([other.code, other.said]).toEqual([2, expect.stringMatching(/Say --yes/)]);
});

const names = () => service.templates("test-client-1", "test").map(({ alias_name }) => String(alias_name));

test("killed, and run again with --clean: what it made is gone, and the rate was kept", async () => {
  const first = start([...TEST, "--yes"]);
  await expect.poll(() => names().length).toBeGreaterThanOrEqual(2);
  first.child.kill("SIGKILL");
  await first.ended;
  expect(names().length).toBeGreaterThanOrEqual(2);
  const plan = await start([...TEST, "--clean"], {}, first.folder).ended;
  expect([plan.code, plan.said]).toEqual([2, expect.stringMatching(/This deletes [23] scratch.*\n.*--yes to delete/)]);
  expect(plan.said).not.toMatch(/makes|carriers|wrong secret/);
  const second = await start([...TEST, "--yes", "--clean"], {}, first.folder).ended;
  expect([second.code, second.said]).toEqual([0, expect.stringMatching(/Deleted: \d.*Nothing is left/)]);
  expect(names()).toEqual([]);
  expect(service.report().mostInSecond).toBeLessThanOrEqual(2);
});

test("Ctrl-C: what it made is deleted, and what was seen is kept, readable by its owner alone", async () => {
  const { child, ended, folder } = start([...TEST, "--yes"]);
  await expect.poll(() => names().length).toBeGreaterThanOrEqual(1);
  child.kill("SIGINT");
  const { code, said } = await ended;
  expect(code).toBe(1);
  expect(said).toMatch(/Stopping:[\s\S]*The run ended before everything was asked: stopped by hand/);
  expect(names()).toEqual([]);
  const files = readdirSync(folder).map((name) => join(folder, name));
  expect(files).toHaveLength(3);
  for (const file of files) {
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(file, "utf8")).not.toMatch(/test-secret-1|test-client-1/);
  }
});
