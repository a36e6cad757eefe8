import { describe, expect, test } from "vitest";
import { confirmAccount } from "../../../app/account/confirm-account.ts";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { SPLIT_FIELDS } from "../../../app/domain/address/form-fields.ts";
import { confirmReview } from "../../../app/jobs/confirm-review.ts";
import type { ReviewedRow } from "../../../app/jobs/confirm-row.ts";
import { readJob } from "../../../app/jobs/read-job.ts";
import { startJob } from "../../../app/jobs/start-job.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { readReview } from "../../../app/pages/read-review.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import type { ReviewView } from "../../../app/views/review.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { locationGid, locationRecord, SHOP } from "../../fakes/records.ts";
import { createFakeAccount } from "../../fakes/shipping/account.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** What a job comes to when the connection or the locations are others by the time it is half done, and what its owner reads of it. */

const MINUTE_MS = 60_000;
let hooks = 0;
const say = (world: World, topic: string, id: number) =>
  receiveWebhook(world.services, { shop: SHOP, topic, webhookId: `meanwhile-${(hooks += 1)}`, payload: { id } });

async function jobOf(world: World, count: number): Promise<void> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    ids.push(await world.addLocation(number));
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  }
  await startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds: ids });
}

/** What the list of origins says, and each of how many on its first page. */
async function statesOf({ services }: World): Promise<Record<string, number>> {
  const { rows } = (await readOrigins(services, { shop: SHOP, query: ALL_ORIGINS }))!;
  const states = Object.groupBy(rows, ({ state }) => state);
  return Object.fromEntries(Object.entries(states).map(([state, those]) => [state, those.length]));
}

describe.each([1, 2])("a job of twenty while the account is replaced, story %d", (seed) => {
  test.each([
    ["another account", "client-2", "another"],
    ["another client id of the same account", "client-2", "same"],
    ["another secret", "client-1", "same"],
  ] as const)("by %s", async (_what, clientId, account) => {
    const world = await createWorld({ seed, policies: { carriers: [] } });
    const random = createSeededRandom(seed);
    const other =
      account === "another"
        ? createFakeAccount({
            habits: { wipes: false, tidies: false, refuses: [] },
            newId: () => world.services.random.id(),
            nowMs: () => world.clock.nowMs(),
          })
        : world.account;
    await jobOf(world, 20);
    const worker = world.start();
    await world.runFor(random.between(1, 12) * 1_000);
    if (clientId !== "client-1") world.accounts.set(clientId, other);
    const stated = { environment: "test" as const, clientId, clientSecret: "again", scope: null, redirectUri: null };
    await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
    await world.runFor(30_000);
    const asked = (await world.store.connections.find({ shop: SHOP, current: true }))!.state;
    if (asked === "unconfirmed")
      await world.clock.runWhile(confirmAccount(world.services, { shop: SHOP, same: account === "same" }));
    await world.runFor(10 * MINUTE_MS);
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ state: "done", done: 20, waiting: 0 });
    expect(await statesOf(world)).toEqual({ ready: 20 });
    expect(world.account.duplicates()).toBe(0);
    expect(other.duplicates()).toBe(0);
    expect(other.templates.size).toBe(20);
    await world.clock.runWhile(worker.stop());
  });
});

test.each([1, 2])("a Review of sixty while half of the locations close or go, story %d", async (seed) => {
  const world = await createWorld({ seed, policies: { carriers: [] } });
  const random = createSeededRandom(seed);
  for (let number = 1; number <= 60; number += 1) {
    const location = shopifyLocation(number, { address: mexicanAddress({ number: String(number) }) });
    world.shopify.put(SHOP, location);
    await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  }
  const view = (await readReview(world.services, { shop: SHOP }))!;
  const worker = world.start();
  const gone: string[] = [];
  const leave = async (number: number) => {
    gone.push(locationGid(number));
    if (number % 4 === 0) {
      world.shopify.remove(SHOP, locationGid(number));
      await say(world, "locations/delete", number);
    } else {
      world.shopify.put(SHOP, shopifyLocation(number, { isActive: false }));
      if (random.chance(0.7)) await say(world, "locations/deactivate", number);
    }
  };
  for (let number = 2; number <= 20; number += 2) await leave(number);
  await world.runFor(500);
  const confirmed = confirmReview(world.services, {
    shop: SHOP,
    contact: CONTACT,
    contactRevision: view.contactRevision,
    rows: asShown(view),
  });
  for (let number = 22; number <= 40; number += 2) await leave(number);
  const outcome = await world.clock.runWhile(confirmed);
  await world.runFor(5_000);
  for (let number = 42; number <= 60; number += 2) await leave(number);
  await world.runFor(15 * MINUTE_MS);
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(15 * MINUTE_MS);
  // Those of which Shopify told that they are closed before the confirmation are refused, each by itself.
  expect(outcome).toMatchObject({ kind: "confirmed" });
  const { count, refused } = outcome as Extract<typeof outcome, { kind: "confirmed" }>;
  expect(count + refused.length).toBe(60);
  for (const { locationId } of refused) expect(gone).toContain(locationId);
  const job = (await readJob(world.services, { shop: SHOP }))!;
  expect(job).toMatchObject({ state: "done", total: count, done: 30, failed: 0, waiting: 0, skipped: count - 30 });
  expect(world.account.templates.size).toBe(30);
  for (const id of gone) expect(world.templateOf(id)).toBeUndefined();
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(worker.stop());
});

function asShown(view: ReviewView): ReviewedRow[] {
  return view.rows.map(({ locationId, revision, readFrom, cells }) => ({
    locationId,
    revision,
    readFrom,
    contact: {},
    split: Object.fromEntries(SPLIT_FIELDS.map((field) => [field, cells[field].value || null])) as ReviewedRow["split"],
    templateId: null,
    templateVersion: null,
  }));
}
