import { expect, test } from "vitest";
import { AppError } from "../../../app/domain/errors.ts";
import type { PendingWrite } from "../../../app/domain/records.ts";
import type { ShippingAccount } from "../../../app/ports.ts";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import { goOnCounting } from "../../../app/runs/quarantine.ts";
import { SETTINGS } from "../../fakes/app-process.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * A write under way when its process was stopped ends minutes after its announcement, when its quarantine may be over: a kernel that
 * was stopped too delivers the bytes on its waking up.
 */

const MINUTE_MS = 60_000;

/** Replaces operations of the account; the rest stays. */
function intercept(world: World, over: (account: ShippingAccount) => Partial<ShippingAccount>): void {
  const { shipping } = world.services;
  const account: typeof shipping.account = (ref) => {
    const own = shipping.account(ref);
    return { ...own, ...over(own) };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
}

const pendingWriteOf = (world: World) => world.store.pendingWrites.find({ shop: SHOP });
const writes = (world: World) => world.calls.filter((call) => call === "update" || call === "create");

/** A location in step, whose address then changes. */
async function changed(world: World): Promise<string> {
  const key = await world.addLocation(1);
  world.start();
  await world.runFor();
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  world.calls.length = 0;
  return key;
}

test("a write whose end is known late is quarantined anew from there; one that ended in time is not", async () => {
  const world = await createWorld();
  const key = await changed(world);
  let endsAfterMs = 10_000;
  let endedAtMs = 0;
  intercept(world, () => ({
    async update(_id, _patch, { beforeSend }) {
      await beforeSend();
      await world.clock.sleep(endsAfterMs);
      endedAtMs = world.clock.nowMs();
      throw new AppError({ kind: "timeout", message: "no answer", effect: "unknown" });
    },
  }));
  await world.requestWork("location", key);
  await world.runFor(MINUTE_MS);
  const pendingWrite = (await pendingWriteOf(world))!;
  expect(pendingWrite.quarantineUntilMs).toBe(pendingWrite.committedAtMs + SETTINGS.quarantineMs);
  endsAfterMs = 10 * MINUTE_MS;
  endedAtMs = 0;
  await world.runFor(2 * MINUTE_MS);
  while (endedAtMs === 0) await world.runFor(1_000);
  await world.runFor(1_000);
  const late = (await pendingWriteOf(world))!;
  expect(late.id).not.toBe(pendingWrite.id);
  expect(late.quarantineUntilMs).toBe(endedAtMs + SETTINGS.quarantineMs);
  expect((await world.workItem("location", key)).dueAtMs).toBeGreaterThanOrEqual(late.quarantineUntilMs);
});

/** Leaves an unclear write whose quarantine is over, and puts it off as soon as the run reads the account. */
async function putOffDuring(world: World, read: "get" | "listAll", over: Partial<PendingWrite>) {
  const putOff = async () => {
    const untilMs = world.clock.nowMs() + SETTINGS.quarantineMs;
    await world.store.pendingWrites.update({ shop: SHOP }, { quarantineUntilMs: untilMs });
  };
  intercept(world, (account) => ({
    [read]: async (...given: never[]) => {
      const answer = await (account[read] as (...given: never[]) => Promise<unknown>)(...given);
      await putOff();
      return answer;
    },
  }));
  const nowMs = world.clock.nowMs();
  const pending = {
    id: "intent-1",
    shop: SHOP,
    connectionId: "connection-1",
    operation: "update" as const,
    templateId: null,
    locationId: null,
    marker: null,
    payload: null,
    committedAtMs: nowMs - 10 * MINUTE_MS,
    quarantineUntilMs: nowMs - 1,
    alike: [],
    notedAtMs: null,
    workItemId: "",
    ...over,
  };
  await world.store.pendingWrites.insert(pending);
  goOnCounting(world.services, pending, 0);
}

test("a change whose quarantine was put off while the template was read is not cleared up yet", async () => {
  const world = await createWorld();
  const key = await changed(world);
  const { templateId } = (await world.store.links.find({ shop: SHOP }))!;
  const { id: workItemId } = await world.workItem("location", key);
  await putOffDuring(world, "get", { workItemId, templateId, payload: { alias_name: "x" } });
  await world.requestWork("location", key);
  await world.runFor(MINUTE_MS);
  expect(await pendingWriteOf(world)).toMatchObject({ id: "intent-1" });
  expect([world.calls.includes("get"), writes(world)]).toEqual([true, []]);
});

test("a create whose quarantine was put off while the book was read is not made again yet", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  await world.requestWork("location", key);
  const { id: workItemId } = await world.workItem("location", key);
  await putOffDuring(world, "listAll", {
    operation: "create",
    workItemId,
    locationId: key,
    marker: "ABC",
    payload: null,
  });
  world.start();
  await world.runFor(2 * MINUTE_MS);
  expect(await pendingWriteOf(world)).toMatchObject({ id: "intent-1" });
  expect([world.calls.includes("list"), writes(world)]).toEqual([true, []]);
});

test("nor is one by hand", async () => {
  const world = await createWorld();
  const address_attributes = {
    ...{ name: "Ana", company: null, email: "ana@example.com", phone: "3336150000", reference: "Portón", rfc: null },
    ...{ street1: "Avenida Vallarta", street_number: "500", apartment_number: null, postal_code: "44160" },
    ...{ area_level1: "Jalisco", area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX" },
  };
  const draft = { alias_name: "Almacén", address_type: "from", default: false, address_attributes };
  const draftId = "draft-1";
  world.outcomeOf = () => ({ arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "silence" } });
  await world.clock.runWhile(
    saveTemplate(world.services, { shop: SHOP, draftId, templateId: null, draft, base: null }),
  );
  await world.runFor();
  await world.store.pendingWrites.delete({ shop: SHOP });
  const { id: workItemId } = (await world.store.workItems.find({ shop: SHOP, kind: "template" }))!;
  await putOffDuring(world, "listAll", { operation: "create", workItemId, payload: draft });
  world.outcomeOf = () => PROMPT;
  world.calls.length = 0;
  world.start();
  await world.requestWork("template", draftId);
  await world.runFor(2 * MINUTE_MS);
  expect(await pendingWriteOf(world)).toMatchObject({ id: "intent-1" });
  expect([world.calls.includes("list"), writes(world)]).toEqual([true, []]);
});

test.each([
  ["for seconds, as a slow database does, goes", 10_000, 1],
  ["for longer, as a stopped process does, is planned anew from what the service has by then", 40_000, 2],
])("a change whose announcement stands still %s", async (_title, forMs, gets) => {
  const world = await createWorld();
  const key = await changed(world);
  const { store } = world.services;
  const transaction = store.transaction.bind(store);
  let stood = false;
  store.transaction = (shop, work) =>
    transaction(shop, (tables) => {
      const find: typeof tables.details.find = async (...where) => {
        const found = await tables.details.find(...where);
        if (world.calls.includes("get") && !stood) {
          stood = true;
          await world.clock.sleep(forMs);
        }
        return found;
      };
      return work({ ...tables, details: { ...tables.details, find } });
    });
  await world.requestWork("location", key);
  await world.runFor(2 * MINUTE_MS);
  expect(stood).toBe(true);
  expect(world.calls).toEqual([...Array.from({ length: gets }, () => "get"), "update"]);
  expect(world.templateOf(key)!.address.street_number).toBe("777");
});
