import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { legacyIdOf } from "../../app/domain/location-id.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { embeddedQuery, sessionToken } from "../sandbox/admin/signing.ts";
import { PROJECT } from "../sandbox/app-process.ts";
import * as pages from "../sandbox/play/pages.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { IS_WHOLE } from "../whole.ts";
import { answers } from "./evidence.ts";
import { createSender } from "./sender.ts";
import { locationOf, openShop } from "./stage.ts";
import type { Shop, Theirs } from "./stage.ts";

/**
 * Secrets that do not decrypt, on the built app: what the owner of their shop sees, what the others see, and what the operator sees. One
 * sandbox for all, whose app is stopped, spoilt and started again.
 */

const BAD = sandboxClient("production", 1);
const keyOf = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [OLD, NEW] = [keyOf("k1"), keyOf("k2")];

let sandbox: Sandbox;
let sender: ReturnType<typeof createSender>;
let bad: Shop;
let well: Shop;
let theirs: Theirs;

beforeAll(async () => {
  sandbox = await startSandbox({
    stores: ["bad", "well"].map((handle) => ({ handle, name: handle, locations: [locationOf("Bodega")] })),
    locale: "en",
    shipping: { refreshTokens: true },
    appEnv: { APP_KEYS: OLD },
  });
  sender = createSender(sandbox.app.url, { hangMs: 60_000 });
  const made = sandbox.shipping!.createTemplate(BAD.clientId, { ...SUPPLIER, default: false });
  [bad, well] = await Promise.all([
    openShop(sandbox, "bad", BAD),
    openShop(sandbox, "well", sandboxClient("production", 2)),
  ]);
  const [row] = await pages.originRows(bad);
  const { locationId } = row!;
  const legacyLocationId = legacyIdOf(locationId);
  theirs = { shop: bad.state.domain, locationId, legacyLocationId, templateId: made.id, draftId: "d", jobId: "j" };
});
afterAll(async () => {
  sender?.close();
  await sandbox?.stop();
});

const swapped = (table: string, field: string) =>
  `"${table}" SET "${field}" = (SELECT "${field}" FROM "${table}" WHERE shop = 'well.myshopify.com' AND "${field}" <> '')`;
const EVERYTHING: [string, string][] = [
  ["Connection", "clientSecret"],
  ["Connection", "accessToken"],
  ["Connection", "refreshToken"],
  ["Session", "accessToken"],
  ["Session", "refreshToken"],
];
const cut = ([table, field]: [string, string]) =>
  `"${table}" SET "${field}" = substr("${field}", 1, length("${field}") - 7)`;

const CASES: { what: string; spoil: string[]; told: [string, string][] }[] = [
  {
    what: "all secrets are another shop's",
    spoil: EVERYTHING.map(([table, field]) => swapped(table, field)),

    told: EVERYTHING,
  },
  { what: "the client secret is cut", spoil: [cut(EVERYTHING[0]!)], told: EVERYTHING.slice(0, 1) },
];

// A short run spoils everything at once.
test.each(IS_WHOLE ? CASES : CASES.slice(0, 1))(
  "where $what, its owner reads it and mends it; the operator's log names each",
  async (one) => {
    await sandbox.app.stop();
    for (const spoil of one.spoil) await sql(`UPDATE ${spoil} WHERE shop = 'bad.myshopify.com'`);
    const before = log().length;
    await sandbox.app.start();

    // The owner: every page and form answers, and says what is the matter.
    const token = () => sessionToken(sandbox.admin.state, bad.state);
    const { evidence } = await answers({ sandbox, state: bad.state, theirs, token, sender }, { forgetting: false });
    expect(evidence.map(({ place }) => place).filter((place) => / (5\d\d|0)$/.test(place))).toEqual([]);
    expect(await page("/app")).toContain("Your stored credentials can no longer be read");
    const settings = await page("/app/settings");
    expect(settings).toContain("until you enter the client secret again");
    expect(settings).toMatch(/<input[^>]*type="password"/);

    // The operator: alive, with a line for each value, in which none of it stands.
    expect(await health()).toEqual({ status: "ok" });
    const lines = log().slice(before);
    const alarms = lines.filter(({ alarm }) => alarm === "unreadable_secret");
    for (const [model, field] of one.told)
      expect(alarms).toContainEqual(
        expect.objectContaining({
          level: 50,
          shop: "bad.myshopify.com",
          model,
          field,
          row: expect.any(String),
          keyId: "k1",
        }),
      );
    expect(new Set(alarms.map(({ shop }) => shop))).toEqual(new Set(["bad.myshopify.com"]));
    expect(JSON.stringify(alarms)).not.toMatch(/v1\./);

    // The others notice nothing, and new credentials mend it.
    expect((await pages.home(well)).connection).toMatchObject({ health: "ready" });
    await connect();
    expect(await page("/app")).not.toContain("can no longer be read");
  },
);

test("with a wrong key, or without one that is needed, it does not start, says which, and goes on with the right one", async () => {
  await sandbox.app.stop();
  await expect(sandbox.app.start({ APP_KEYS: keyOf("k1") })).rejects.toThrow(
    "The key k1 in APP_KEYS is not the one this database was written with",
  );
  await expect(sandbox.app.start({ APP_KEYS: NEW })).rejects.toThrow(
    /has values under the key k1, which APP_KEYS lacks/,
  );
  await sandbox.app.start();
  expect((await pages.home(bad)).connection).toMatchObject({ health: "ready" });
});

test.runIf(IS_WHOLE)("keys are changed while the app runs, and the old one may then go", async () => {
  await sandbox.app.stop();
  await sandbox.app.start({ APP_KEYS: `${NEW},${OLD}` });
  const env = { ...process.env, APP_KEYS: `${NEW},${OLD}`, DATABASE_URL: databaseUrl() };
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/rotate-keys.ts"], { cwd: PROJECT, env });
  expect(stdout).toContain("Every secret is under the key k2.");
  expect((await pages.home(bad)).connection).toMatchObject({ health: "ready" });
  await sandbox.app.stop();
  const before = log().length;
  await sandbox.app.start({ APP_KEYS: NEW });
  for (const shop of [bad, well]) {
    expect((await pages.home(shop)).connection).toMatchObject({ health: "ready" });
    const { outcome } = await pages.askSettings(shop, { intent: "introspect" });
    expect(outcome).toMatchObject({ kind: "checked", active: true });
  }
  expect(
    log()
      .slice(before)
      .filter(({ alarm }) => alarm !== undefined),
  ).toEqual([]);
});

const databaseUrl = () => `file:${join(sandbox.dataDir, "origen.db")}`;

async function sql(statement: string): Promise<void> {
  const client = createClient({ url: databaseUrl() });
  const { rowsAffected } = await client.execute(statement);
  client.close();
  expect(rowsAffected).toBeGreaterThan(0);
}

const page = async (path: string) => {
  const query = embeddedQuery(sandbox.admin.state, bad.state, "en").toString();
  const { status, text } = await sender.send({ method: "GET", path: `${path}?${query}` });
  expect(status).toBe(200);
  return text;
};

const health = async () => (await fetch(`${sandbox.app.url}/health`)).json();

const log = () =>
  readFileSync(sandbox.app.logFile, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function connect(): Promise<void> {
  const { clientId, clientSecret } = BAD;
  const stated = { environment: "production" as const, clientId, clientSecret, scope: null, redirectUri: null };
  const { outcome } = await pages.askSettings(bad, { intent: "connect", ...stated });
  expect(outcome).toEqual({ kind: "connected" });
}
