import { describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import { draftOfValues, valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { unlinkOrigin } from "../../../app/origins/unlink-origin.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { locationGid, SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { MINUTE_MS, staged, type Stage } from "../worker/stuck-stage.ts";
import { openSecondShop, TWO } from "./second-shop.ts";

/** Two shops share an account. What one of them wrote is unclear, and may still take effect, when the other takes the template. */

const locationId = locationGid(7);
/** It arrives within the quarantine, and nobody hears of it. */
const LATE: CallOutcome = { arrivesAfterMs: 60_000, effectAfterMs: 0, answer: { kind: "silence" } };
const ACCOUNTS = [
  { ids: "one client id", clientId: "client-1" },
  { ids: "two client ids", clientId: "client-2" },
];

/** The other shop opens the same account, over the same client id or another one of it, and knows the template of the first. */
async function twoShops(clientId: string) {
  const stage = await staged(1);
  const { world, stuckId: templateId } = stage;
  await openSecondShop(world, clientId);
  await world.addLocation(7, {}, TWO);
  await world.store.details.update({ shop: TWO, locationId }, { confirmedAtMs: null });
  await world.requestWork("reconcile", "shop", TWO);
  await world.runFor(2_000);
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: TWO, force: true }));
  const { template } = (await world.store.templates.find({ shop: TWO, templateId }))!;
  const link = () =>
    linkOrigin(world.services, { shop: TWO, locationId, templateId, templateVersion: versionOf(template) });
  const page = async () => (await readOrigin(world.services, { shop: TWO, locationId }))!;
  return { ...stage, link, page };
}

/** The first request of its kind is answered so. */
function once({ world }: Stage, kind: string, outcome: CallOutcome): { met: boolean } {
  const seen = { met: false };
  world.outcomeOf = (operation) => {
    if (operation !== kind || seen.met) return PROMPT;
    seen.met = true;
    return outcome;
  };
  return seen;
}

describe.each(ACCOUNTS)("two shops of one account, over $ids", ({ clientId }) => {
  test("a late PATCH of the one is waited for by the other, which then compares with what it left", async () => {
    const stage = await twoShops(clientId);
    const { world, keys, stuckId, link, page } = stage;
    const seen = once(stage, "update", LATE);
    await stage.change(0, "999");
    await world.runFor(15_000);
    expect(seen.met).toBe(true);
    const { quarantineUntilMs } = (await world.store.pendingWrites.list({ shop: SHOP }))[0]!;
    expect(await unlinkOrigin(world.services, { shop: SHOP, locationId: keys[0]! })).toBe("unlinked");
    expect(await world.clock.runWhile(link())).toMatchObject({ kind: "done" });
    expect(await page()).toMatchObject({ state: "waiting" });
    expect(await reasonOf(world)).toMatchObject({ code: "quarantine", message: null });
    const writes = () => world.requests.filter(({ operation, atMs }) => operation === "update" && atMs > linkedMs);
    const linkedMs = world.clock.nowMs();
    await world.runFor(quarantineUntilMs - linkedMs - 1_000);
    expect(writes()).toEqual([]);
    await world.runFor(2 * MINUTE_MS);
    await world.clock.runWhile(stage.worker.stop());
    expect(world.account.templates.get(stuckId)!.address.street_number).toBe("999");
    // Its owner agreed to another number, and is asked.
    expect((await page()).state).toBe("conflict");
  });

  test("a late DELETE of the one is waited for by the other, which then says that the template is gone", async () => {
    const stage = await twoShops(clientId);
    const { world, keys, stuckId, link, page } = stage;
    await unlinkOrigin(world.services, { shop: SHOP, locationId: keys[0]! });
    const seen = once(stage, "delete", LATE);
    await world.clock.runWhile(removeTemplate(world.services, { shop: SHOP, draftId: "d1", templateId: stuckId }));
    await world.runFor(15_000);
    expect(seen.met).toBe(true);
    expect(await world.clock.runWhile(link())).toMatchObject({ kind: "done" });
    expect((await page()).state).toBe("waiting");
    await world.runFor(10 * MINUTE_MS);
    await world.clock.runWhile(stage.worker.stop());
    expect(world.account.templates.has(stuckId)).toBe(false);
    expect((await page()).state).toBe("missing_there");
    expect((await world.store.drafts.find({ id: "d1" }))!.outcome).toMatchObject({ kind: "anothers" });
  });

  test("a change by hand that is on its way does not go once the other has linked the template", async () => {
    for (const operation of ["delete", "update"] as const) {
      const stage = await twoShops(clientId);
      const { world, keys, stuckId, link, page } = stage;
      await unlinkOrigin(world.services, { shop: SHOP, locationId: keys[0]! });
      let linked: Promise<unknown> | null = null;
      world.outcomeOf = (asked, { templateId }) => {
        // The template is read before it is written. The answer takes a second.
        if (asked !== "get" || templateId !== stuckId || linked) return PROMPT;
        linked = link();
        return { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 1_000 } };
      };
      const { template } = (await world.store.templates.find({ shop: SHOP, templateId: stuckId }))!;
      const draft = draftOfValues({ ...valuesOfTemplate(template), alias_name: "Otra" }, template.address_type);
      const form = { shop: SHOP, draftId: "d1", templateId: stuckId };
      const sent =
        operation === "delete"
          ? removeTemplate(world.services, form)
          : saveTemplate(world.services, { ...form, draft, base: template });
      await world.clock.runWhile(sent);
      expect(await world.clock.runWhile(linked!)).toMatchObject({ kind: "done" });
      await world.runFor(15_000);
      await world.clock.runWhile(stage.worker.stop());
      expect(world.account.templates.get(stuckId)!.alias_name).not.toContain("Otra");
      expect((await page()).state).toBe("ready");
      expect((await world.store.drafts.find({ id: "d1" }))!.outcome).toMatchObject({ kind: "anothers" });
    }
  });

  test("one that belongs to a shop that left holds the template for its quarantine and a minute", async () => {
    const stage = await twoShops(clientId);
    const { world, keys, stuckId, link, page } = stage;
    once(stage, "update", LATE);
    await stage.change(0, "999");
    await world.runFor(15_000);
    const [pendingWrite] = await world.store.pendingWrites.list({ shop: SHOP });
    await unlinkOrigin(world.services, { shop: SHOP, locationId: keys[0]! });
    // Nobody clears it up.
    await world.store.workItems.delete({ shop: SHOP });
    expect(await world.clock.runWhile(link())).toMatchObject({ kind: "done" });
    await world.runFor(pendingWrite!.quarantineUntilMs + 55_000 - world.clock.nowMs());
    expect((await page()).state).toBe("waiting");
    await world.runFor(15_000);
    await world.clock.runWhile(stage.worker.stop());
    expect((await page()).state).toBe("conflict");
    expect(await world.store.pendingWrites.count({ templateId: stuckId })).toBe(1);
  });

  test("one that the other finds by its marker is linked, and compared once what was sent there is over", async () => {
    const stage = await twoShops(clientId);
    const { world, keys, stuckId } = stage;
    await world.store.links.delete({ shop: SHOP });
    const seen = once(stage, "update", LATE);
    const { template } = (await world.store.templates.find({ shop: TWO, templateId: stuckId }))!;
    const draft = draftOfValues({ ...valuesOfTemplate(template), street_number: "999" }, template.address_type);
    const form = { shop: TWO, draftId: "d1", templateId: stuckId, draft, base: template };
    await world.clock.runWhile(saveTemplate(world.services, form));
    await world.runFor(15_000);
    expect(seen.met).toBe(true);
    await stage.tell(1);
    await world.runFor(5_000);
    const page = async () => (await readOrigin(world.services, { shop: SHOP, locationId: keys[0]! }))!;
    expect(await world.store.links.count({ shop: SHOP, templateId: stuckId, how: "adopted" })).toBe(1);
    expect((await page()).state).toBe("waiting");
    await world.runFor(3 * MINUTE_MS);
    await world.clock.runWhile(stage.worker.stop());
    expect(world.account.templates.get(stuckId)!.address.street_number).toBe("999");
    expect((await page()).state).toBe("drift");
  });
});

async function reasonOf({ store }: Stage["world"]) {
  return (await store.workItems.find({ shop: TWO, kind: "location", key: locationId }))!.reason;
}
