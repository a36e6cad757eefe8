import { afterEach, beforeEach, expect, test } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore, type PrismaStore } from "../../../app/adapters/store/store.ts";
import type { Services, ShippingService, ShopifyAdmin } from "../../../app/ports.ts";
import { requestWork } from "../../../app/runs/request-work.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { redactions as command } from "../../../scripts/commands/redactions.ts";
import { servicesOf } from "../../fakes/app-process.ts";
import { connectionRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";
import { appKeys, SILENT } from "./open-store.ts";
import { runHere, runTruly } from "./processes/run-command.ts";

/** `npm run redactions`, over a real database, with and without the app beside it. */

const TOLD_MS = Date.UTC(2026, 10, 1, 12);

let database: FreshDatabase;
let app: PrismaStore | null;
beforeEach(async () => {
  [database, app] = [await freshDatabase(), null];
});
afterEach(async () => {
  await app?.close();
  await database.remove();
});

async function open(): Promise<PrismaStore> {
  return (app ??= await createStore({ url: database.url, keys: parseKeys(appKeys("k1")), log: SILENT }));
}

/** A shop that Shopify asked to erase, whose standing was unclear. */
async function asked(): Promise<PrismaStore> {
  const store = await open();
  await store.shops.insert(shopRecord({ redactToldAtMs: TOLD_MS }));
  await store.connections.insert(connectionRecord({ state: "disconnected", clientSecret: null }));
  const parts = { clock: createClock(), random: createRandom() };
  await store.transaction(SHOP, (tables) => requestWork(parts, tables, { shop: SHOP, kind: "redact", key: "shop" }));
  const reason = {
    code: "shopify_unavailable",
    message: "The shop has no session",
    fields: null,
    requestId: null,
    atMs: 1,
  } as const;
  await store.workItems.update({ shop: SHOP }, { reason, dueAtMs: Date.now() + 3_600_000 });
  return store;
}

const environment = (keys: string) => ({ DATABASE_URL: database.url, APP_KEYS: keys });

interface Said {
  code: number | null;
  told: string;
}

/** In this process; `redactionsTruly` is for where another one is the point. */
async function redactions(args: string[], keys = appKeys("k1")): Promise<Said> {
  const { code, said } = await runHere(command, args, environment(keys));
  return { code, told: said.trimEnd() };
}

async function redactionsTruly(args: string[], stream: "stdout" | "stderr"): Promise<Said> {
  const ran = await runTruly("redactions", args, environment(appKeys("k1")));
  // All of it on the one stream.
  expect(ran.said).toBe(ran[stream]);
  return { code: ran.code, told: ran[stream].trimEnd() };
}

/** The app's run of the request, as its worker would make it. */
async function carryOut(store: PrismaStore, kind: "installed" | "frozen"): Promise<void> {
  const services: Services = servicesOf({
    store,
    clock: createClock(),
    random: createRandom(),
    shipping: { forget: () => undefined } as unknown as ShippingService,
    shopify: { standing: async () => ({ kind }) } as unknown as ShopifyAdmin,
  } as Parameters<typeof servicesOf>[0]);
  const item = (await store.workItems.find({ shop: SHOP, kind: "redact" }))!;
  await runNow(services, { shop: SHOP, workItemId: item.id, generation: item.generation });
}

test("lists what is open, until when, and what Shopify said; or that nothing is", async () => {
  await open();
  expect(await redactions([])).toEqual({ code: 0, told: "No request of Shopify's to erase a shop is open." });
  await asked();
  const { code, told } = await redactions(["list"]);
  expect(code).toBe(0);
  expect(told).toContain(`${SHOP}  asked 2026-11-01, to be settled by 2026-12-01`);
  expect(told).toContain("Shopify: The shop has no session");
  expect(told).toContain("decided: nothing yet");
});

test.each(["beside the running app", "while it is stopped"])("erase, %s: the app does it", async (when) => {
  let store = await asked();
  if (when === "while it is stopped") {
    await store.close();
    app = null;
  }
  const { code, told } = await redactionsTruly(["erase", SHOP], "stdout");
  expect([code, told]).toEqual([0, expect.stringContaining(`${SHOP}: to be erased.`)]);
  expect(told).toContain(when === "while it is stopped" ? "when it is started" : "within a minute");
  store = await open();
  expect((await redactions(["list"])).told).toContain("decided: erase");
  await carryOut(store, "frozen");
  expect(await store.shops.count({})).toBe(0);
  expect(await store.connections.count({})).toBe(0);
});

test("keep: nothing is erased, and the request is settled", async () => {
  const store = await asked();
  expect((await redactions(["keep", SHOP])).told).toContain("nothing of the shop is erased");
  await carryOut(store, "frozen");
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ redactToldAtMs: null, redactDecision: null });
  expect((await redactions([])).told).toBe("No request of Shopify's to erase a shop is open.");
});

test("erase of a shop that Shopify lets us into by then keeps it", async () => {
  const store = await asked();
  await redactions(["erase", SHOP]);
  await carryOut(store, "installed");
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ redactToldAtMs: null, uninstalledAtMs: null });
});

test("a wrong key and another shop are refused, and change nothing", async () => {
  const store = await asked();
  const connection = { clientSecret: connectionRecord().clientSecret };
  await store.connections.update({ shop: SHOP }, connection);
  expect(await redactions(["erase", SHOP], appKeys("k2"))).toMatchObject({
    code: 1,
    told: expect.stringContaining("under the key k1, which APP_KEYS lacks"),
  });
  const other = `k1:${Buffer.alloc(32, "other").toString("base64")}`;
  expect(await redactions(["erase", SHOP], other)).toMatchObject({ code: 1 });
  expect(await redactionsTruly(["erase", "nobody.myshopify.com"], "stderr")).toEqual({
    code: 1,
    told: `Shopify has no open request to erase nobody.myshopify.com. Open are: ${SHOP}.`,
  });
  expect((await store.shops.find({ shop: SHOP }))!.redactDecision).toBeNull();
});

test.each([[["drop", SHOP]], [["erase"]], [["list", SHOP]], [["keep", SHOP, "now"]]])(
  "a wrong command is refused, and changes nothing: %s",
  async (args) => {
    const store = await asked();
    const told = expect.stringContaining("Usage: npm run redactions") as string;
    expect(await redactions(args)).toMatchObject({ code: 1, told });
    expect((await store.shops.find({ shop: SHOP }))!.redactDecision).toBeNull();
  },
);
