import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStore } from "../../app/adapters/store/store.ts";
import { appKeys, KEYS, SILENT } from "../adapters/store/open-store.ts";
import { samplesOf } from "../http/metrics/samples.ts";
import { PROJECT } from "../sandbox/app-process.ts";
import { confirmAgain, confirmReviewed, mapShops, type PlayedShop } from "../sandbox/play/mapped-shops.ts";
import { ONE_ADDRESS, startOneShop } from "../sandbox/play/one-shop.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { IS_WHOLE } from "../whole.ts";

/**
 * The built app on a copy of its database that is older than what it has sent: `npm run backup`, work, `npm run restore`, and on. At
 * length it is waited for until all has come to rest; the short form ends where the app says that it sends nothing.
 */

describe("a copy that is put back", () => {
  let sandbox: Sandbox;
  let shop: PlayedShop;

  beforeAll(async () => {
    ({ sandbox, shop } = await startOneShop(["Centro"], { appEnv: { APP_KEYS: appKeys("k1") } }));
    // The log is beside the database only here.
    await sandbox.app.stop();
    await sandbox.app.start({ ERASURE_LOG: inFolder("erasures.jsonl") });
    await mapShops([shop]);
  });
  afterAll(() => sandbox?.stop());

  const inFolder = (name: string) => join(sandbox.dataDir, name);
  const templates = () => sandbox.shipping!.templates(shop.clientId, "production");
  const calls = () => sandbox.shipping!.report().calls;
  const settled = <T>(what: string, read: () => Promise<T> | T, holds: (value: T) => boolean) =>
    until({ what, read, holds });

  async function command(script: string, ...args: string[]): Promise<string> {
    const env = {
      ...process.env,
      DATABASE_URL: `file:${inFolder("origen.db")}`,
      APP_KEYS: appKeys("k1"),
      ERASURE_LOG: inFolder("erasures.jsonl"),
    };
    const child = spawn(process.execPath, [join(PROJECT, "scripts", script), ...args], { env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (said += chunk));
    const [code] = (await once(child, "close")) as [number];
    if (code !== 0) throw new Error(`${script}: ${said}`);
    return said;
  }

  async function shops(): Promise<string[]> {
    const url = `file:${inFolder("origen.db")}`;
    const store = await createStore({ url, keys: KEYS, log: SILENT, exclusive: false });
    return (await store.shops.list({}).finally(() => store.close())).map((one) => one.shop);
  }

  test("is made beside the running app, which then makes a template that the copy does not know", async () => {
    await command("backup.ts", "--to", inFolder("copy.db"));
    sandbox.admin.locations.create(shop.state, { name: "Oriente", fulfillsOnlineOrders: true, address: ONE_ADDRESS });
    await settled(
      "The new location",
      () => pages.review(shop),
      ({ rows }) => rows.length === 1,
    );
    await confirmReviewed(shop);
    await settled("Its template", templates, (found) => found.length === 2);
  });

  test("after it the app serves pages, and sends nothing for a quarantine", async () => {
    await sandbox.app.stop();
    const said = await command("restore.ts", "--from", inFolder("copy.db"));
    expect(said).toContain("1 shops. Erased again: 0.");
    expect(await shops()).toEqual([shop.state.domain]);
    const before = calls();
    await sandbox.app.start({ ERASURE_LOG: inFolder("erasures.jsonl"), METRICS_PORT: "0" });
    const log = readFileSync(sandbox.app.logFile, "utf8");
    expect(log).toContain('"alarm":"database_server"');
    // It comes before anything is served, and is counted all the same.
    const [, port] = /"port":(\d+)[^\n]*"metrics are served"/.exec(log)!;
    const samples = samplesOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    expect(samples.get('origen_alarms_total{alarm="database_server"}')).toBe(1);
    const { queue } = await pages.home(shop);
    expect(queue.pausedUntilMs! - Date.now()).toBeGreaterThan(60_000);
    expect(calls()).toBe(before);
  });

  test.runIf(IS_WHOLE)("also by a process that is started anew meanwhile; then nothing is made twice", async () => {
    await sandbox.app.stop();
    await sandbox.app.start({ ERASURE_LOG: inFolder("erasures.jsonl") });
    const { queue } = await pages.home(shop);
    expect(queue.pausedUntilMs! - Date.now()).toBeGreaterThan(30_000);
    await confirmAgain(shop);
    expect(templates()).toHaveLength(2);
    expect(sandbox.shipping!.report()).toMatchObject({ duplicates: { total: 0 }, secondsOverLimit: 0 });
  });
});
