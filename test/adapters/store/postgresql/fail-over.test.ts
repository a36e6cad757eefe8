import { afterEach, beforeEach, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { openSlotsDatabase } from "../../../../app/adapters/shipping/slots/slots-database.ts";
import { connectionConfig } from "../../../../app/adapters/store/postgresql/connection.ts";
import { migratePostgres } from "../../../../app/adapters/store/postgresql/migrate.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { submitDraft } from "../../../../app/by-hand/submit-draft.ts";
import { NEVER_MS } from "../../../../app/domain/backoff.ts";
import type { Services } from "../../../../app/ports.ts";
import { createFailOver } from "../../../../app/shop/follow-fail-over.ts";
import { onServer, startEmbedded, withDatabase } from "../../../../scripts/postgres-server.ts";
import { SETTINGS } from "../../../fakes/app-process.ts";
import * as records from "../../../fakes/records.ts";
import { SHOP } from "../../../fakes/records.ts";
import { SILENT } from "../open-store.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** A server that may lack the last commits: a standby that took over, a copy that was restored. */

const HOLD_MS = 18_000;
let database: FreshPostgres;
let store: PrismaStore;
beforeEach(async () => {
  database = await freshPostgres();
  store = await openPostgres(database.url, { exclusive: false });
});
afterEach(async () => {
  await store.close();
  await database.remove();
});

const servicesOf = (of: PrismaStore): Services =>
  ({
    store: of,
    clock: createClock(),
    random: createRandom(),
    log: SILENT,
    settings: SETTINGS,
    wake: () => undefined,
  }) as unknown as Services;
const look = (of = store) => createFailOver(servicesOf(of)).look();
const anotherServer = () => database.query(`UPDATE "budget"."server" SET "lineage" = 'another'`);

/** For how long whoever asks for a slot has to wait. */
async function waitMs(url = database.url): Promise<number> {
  const slots = openSlotsDatabase(connectionConfig(url));
  const sql = "SELECT budget.opens_at($1 * interval '1 ms') - clock_timestamp() AS wait";
  const [row] = await slots.query<{ ms: number }>(
    `SELECT extract(epoch FROM wait)::float8 * 1000 AS ms FROM (${sql})`,
    [HOLD_MS],
  );
  await slots.close();
  return row!.ms;
}

async function fill(): Promise<void> {
  await store.shops.insert(records.shopRecord({ revision: 3 }));
  await store.connections.insert(records.connectionRecord({ version: 4, bookConfirmedAtMs: 1 }));
  await store.details.insert(records.detailsRecord({ revision: 5 }));
  const item = { kind: "template", dueAtMs: NEVER_MS, fence: 6 } as const;
  await store.workItems.insert(records.workItemRecord({ ...item, id: "waits", key: "open" }));
  await store.workItems.insert(records.workItemRecord({ ...item, id: "unclear", key: "sent" }));
  await store.workItems.insert(records.workItemRecord({ ...item, id: "ended", key: "done" }));
  const leased = { leaseOwner: "me", leaseUntilMs: NEVER_MS - 1, dueAtMs: NEVER_MS - 1 };
  await store.workItems.insert(records.workItemRecord({ ...item, ...leased, id: "leased", key: "leased" }));
  const byHand = {
    operation: "create",
    templateId: null,
    draft: records.pendingWriteRecord().payload as never,
  } as const;
  await store.drafts.insert(records.draftRecord({ ...byHand, id: "open" }));
  await store.drafts.insert(records.draftRecord({ ...byHand, id: "sent" }));
  await store.drafts.insert(records.draftRecord({ ...byHand, id: "done", endedAtMs: 1 }));
  const unclear = { id: "known", workItemId: "unclear", templateId: null, quarantineUntilMs: 1 } as const;
  await store.pendingWrites.insert(records.pendingWriteRecord({ ...unclear, operation: "create" }));
}

test("on the server that is known nothing is held up and nothing changed", async () => {
  await fill();
  const before = await store.workItems.list({});
  await look();
  expect(await store.shared!.server.read()).toEqual({ isKnown: true, owesReconciles: false, changedMsAgo: null });
  expect(await waitMs()).toBeLessThanOrEqual(0);
  expect(await store.workItems.list({})).toEqual(before);
});

test("on another one nobody sends until it is accepted, by one process, and for a quarantine after that", async () => {
  await fill();
  await anotherServer();
  expect(await waitMs()).toBeGreaterThan(HOLD_MS - 5_000);
  const accept = () => store.shared!.server.accept(SETTINGS.quarantineMs);
  expect((await Promise.all([accept(), accept()])).toSorted()).toEqual([false, true]);
  expect(await waitMs()).toBeGreaterThan(SETTINGS.quarantineMs - 10_000);
  await database.query(`UPDATE "budget"."server" SET "changed_at" = "changed_at" - interval '101 s'`);
  expect(await waitMs()).toBeLessThanOrEqual(0);
  // The server's clock was set back since.
  await database.query(`UPDATE "budget"."server" SET "changed_at" = "changed_at" + interval '1 day'`);
  expect(await waitMs()).toBeLessThanOrEqual(SETTINGS.quarantineMs);
});

test("whatever the lost commits may have changed is doubted, and everything looked at", async () => {
  await fill();
  await anotherServer();
  const number = await store.revision!(SHOP, ["details"]);
  const nowMs = Date.now();
  await look();
  // Runs, plans, tokens and forms of before name numbers that nothing has any more.
  expect(await store.workItems.find({ id: "leased" })).toMatchObject({
    fence: 1_006,
    leaseOwner: null,
    leaseUntilMs: null,
  });
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ revision: 1_003 });
  expect(await store.details.find({ shop: SHOP })).toMatchObject({ revision: 1_005 });
  expect(
    Number(
      String(await store.revision!(SHOP, ["details"]))
        .split(",")
        .at(-1),
    ),
  ).toBeGreaterThan(Number(String(number).split(",").at(-1)) + 10_000);
  // Nothing is created before the book was read.
  expect(await store.connections.find({ shop: SHOP })).toMatchObject({ version: 1_004, bookConfirmedAtMs: null });
  // What was unclear is waited for anew; a create by hand that may have been sent is unclear, too, one that has ended is not.
  const unclear = await store.pendingWrites.list({ shop: SHOP });
  expect(unclear.map(({ workItemId }) => workItemId).toSorted()).toEqual(["unclear", "waits"]);
  for (const { quarantineUntilMs } of unclear)
    expect(quarantineUntilMs - nowMs).toBeGreaterThan(SETTINGS.quarantineMs - 1_000);
  expect(unclear.find(({ workItemId }) => workItemId === "waits")).toMatchObject({
    operation: "create",
    marker: null,
    payload: records.pendingWriteRecord().payload,
    alike: [],
  });
  const dueAtMs = (await store.workItems.find({ id: "waits" }))!.dueAtMs;
  expect(dueAtMs).toBe(unclear[0]!.quarantineUntilMs);
  expect(await store.workItems.find({ kind: "reconcile" })).toMatchObject({ generation: 1, observedGeneration: 0 });
  await look();
  expect(await store.workItems.find({ kind: "reconcile" })).toMatchObject({ generation: 1 });
});

test("a process that died before all was asked for is followed by another one", async () => {
  await fill();
  await anotherServer();
  await store.shared!.server.accept(1);
  await look();
  expect(await store.workItems.find({ kind: "reconcile" })).toMatchObject({ generation: 1 });
  expect(await store.shared!.server.read()).toMatchObject({ isKnown: true, owesReconciles: false });
});

const PRESSED = {
  shop: SHOP,
  operation: "create",
  templateId: null,
  draft: records.pendingWriteRecord().payload as never,
  base: null,
} as const;

test.each([
  ["soon after it", "10 minutes", 1],
  ["long after it", "2 hours", 0],
])("a create by hand %s counts as one that may have been sent before: %s, %i", async (_when, ago, unclear) => {
  await store.shops.insert(records.shopRecord());
  await store.connections.insert(records.connectionRecord());
  await anotherServer();
  await look();
  await database.query(`UPDATE "budget"."server" SET "changed_at" = clock_timestamp() - interval '${ago}'`);
  for (let times = 0; times < 2; times += 1)
    await submitDraft(servicesOf(store), { ...PRESSED, draftId: "pressed again" });
  expect(await store.pendingWrites.count({ shop: SHOP })).toBe(unclear);
});

test("a create by hand counts as one that may have been sent before, also where the server is accepted while the form waits", async () => {
  await store.shops.insert(records.shopRecord());
  await store.connections.insert(records.connectionRecord());
  const transaction: PrismaStore["transaction"] = async (shop, work) => {
    await anotherServer();
    await look();
    return store.transaction(shop, work);
  };
  const services = { ...servicesOf(store), store: { ...store, transaction } };
  await submitDraft(services, { ...PRESSED, draftId: "waited" });
  expect(await store.pendingWrites.list({ shop: SHOP })).toMatchObject([{ operation: "create", marker: null }]);
});

test("a create by hand on the server that is known is as sure as ever", async () => {
  await store.shops.insert(records.shopRecord());
  await store.connections.insert(records.connectionRecord());
  await submitDraft(servicesOf(store), { ...PRESSED, draftId: "first" });
  expect(await store.pendingWrites.count({ shop: SHOP })).toBe(0);
});

test(
  "a standby that took over without the last commits is noticed by whoever worked before",
  { timeout: 60_000 },
  async () => {
    const server = await startEmbedded();
    try {
      const url = withDatabase(server.url, "app");
      await onServer(server.url, "CREATE DATABASE app");
      await migratePostgres({ url, folder: new URL("../../../../prisma/postgresql/migrations/", import.meta.url) });
      const before = await openPostgres(url, { exclusive: false });
      await before.shops.insert(records.shopRecord());
      await server.keepCopy();
      await expect.poll(() => before.locations.insert(records.locationRecord()).catch(() => null)).toBe(true);
      await look(before);
      expect(await before.workItems.count({ kind: "reconcile" })).toBe(0);
      await server.goBack();
      await expect.poll(() => before.locations.count({ shop: SHOP }).catch(() => null)).toBe(0);
      expect(await before.shared!.server.read()).toMatchObject({ isKnown: false });
      expect(await waitMs(url)).toBeGreaterThan(0);
      await look(before);
      expect(await before.shared!.server.read()).toMatchObject({ isKnown: true });
      expect(await waitMs(url)).toBeGreaterThan(SETTINGS.quarantineMs - 10_000);
      expect(await before.workItems.count({ kind: "reconcile" })).toBe(1);
      await before.close();
    } finally {
      await server.stop();
    }
  },
);
