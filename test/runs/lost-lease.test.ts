import { expect, test } from "vitest";
import { versionOf } from "../../app/domain/plan/template-version.ts";
import type { WorkItem } from "../../app/domain/records.ts";
import { linkOrigin } from "../../app/origins/link-origin.ts";
import { unlinkOrigin } from "../../app/origins/unlink-origin.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { REPLY_LOST } from "../fakes/shipping/outcomes.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** A process that stalls with a run in hand wakes up when another one has done the work, and may not keep what it is told then. */

async function inStep(): Promise<{ world: World; key: string; templateId: string }> {
  const world = await createWorld();
  const key = await world.addLocation(1);
  world.start();
  await world.runFor();
  world.calls.length = 0;
  return { world, key, templateId: world.templateOf(key)!.id };
}

/** With the answer to the next GET, the work item is as another process has left it. */
function passLease(
  world: World,
  left: (item: WorkItem) => Partial<WorkItem>,
  kind: WorkItem["kind"] = "location",
): void {
  const { shipping } = world.services;
  let met = false;
  const account: typeof shipping.account = (ref) => {
    const own = shipping.account(ref);
    return {
      ...own,
      async get(templateId, options) {
        const answer = await own.get(templateId, options);
        if (met) return answer;
        met = true;
        const [item] = await world.store.workItems.list({ shop: SHOP, kind });
        await world.store.workItems.update({ id: item!.id }, { fence: item!.fence + 1, ...left(item!) });
        return answer;
      },
    };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
}

const FREE = { leaseOwner: null, leaseUntilMs: null };

test("what the service tells a run that has lost its lease is asked for again", async () => {
  const { world, key, templateId } = await inStep();
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  passLease(world, ({ generation }) => ({ ...FREE, observedGeneration: generation, dueAtMs: Number.MAX_SAFE_INTEGER }));
  await world.store.templates.update({ shop: SHOP, templateId }, { disputedSinceMs: world.clock.nowMs() });
  await world.requestWork("location", key);
  await world.runFor();
  expect(world.calls).toEqual(["get", "get"]);
  expect((await world.store.links.find({ shop: SHOP, locationId: key }))!.differences).toMatchObject([
    { field: "reference", theirs: "Timbre azul" },
  ]);
});

test("so is what it tells who asks carriers, though nobody doubted the template until then", async () => {
  const { world, key, templateId } = await inStep();
  // Its own GET showed it long ago, so it is read before carriers are asked.
  await world.runFor(120_000);
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  const done = { ...FREE, dueAtMs: Number.MAX_SAFE_INTEGER };
  passLease(world, ({ generation }) => ({ ...done, observedGeneration: generation }), "verification");
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  world.services.wake();
  await world.runFor(10_000);
  expect((await world.store.links.find({ shop: SHOP, locationId: key }))!.differences).toMatchObject([
    { field: "reference", theirs: "Timbre azul" },
  ]);
});

test("what it tells of a template that stands for no location is asked for once one is linked to it", async () => {
  const { world, key, templateId } = await inStep();
  await world.runFor(120_000);
  const done = { ...FREE, dueAtMs: Number.MAX_SAFE_INTEGER };
  passLease(world, ({ generation }) => ({ ...done, observedGeneration: generation }), "verification");
  await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
  // The owner unlinks it while the run that is to lose its lease is on its way.
  await unlinkOrigin(world.services, { shop: SHOP, locationId: key });
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  world.services.wake();
  await world.runFor(10_000);
  expect(await world.store.templates.find({ shop: SHOP, templateId })).toMatchObject({
    disputedSinceMs: expect.any(Number),
  });
  const { template } = (await world.store.templates.find({ shop: SHOP, templateId }))!;
  const shown = { templateId, templateVersion: versionOf(template) };
  await world.clock.runWhile(linkOrigin(world.services, { shop: SHOP, locationId: key, ...shown }));
  await world.runFor(10_000);
  expect((await world.store.links.find({ shop: SHOP, locationId: key }))!.differences).toMatchObject([
    { field: "reference", theirs: "Timbre azul" },
  ]);
});

/** What happens when the next reading of the book has come and is not kept yet. */
function whenListed(world: World, happens: () => Promise<void>): void {
  const { shipping } = world.services;
  let met = false;
  const account: typeof shipping.account = (ref) => {
    const own = shipping.account(ref);
    return {
      ...own,
      async listAll(options) {
        const answer = await own.listAll(options);
        if (!met) {
          met = true;
          await happens();
        }
        return answer;
      },
    };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
}

test("what the whole book told a run during which the date changed is asked for again", async () => {
  const { world, key, templateId } = await inStep();
  let lost = false;
  world.outcomeOf = (asked) => (asked === "create" && !lost ? ((lost = true), REPLY_LOST) : PROMPT);
  const other = await world.addLocation(2);
  while (!lost) await world.runFor(100);
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  whenListed(world, async () => {
    const { clock } = world.services;
    clock.adjust(30_000);
    // As what looks after the dates does: the unclear create is waited for as long as before.
    const quarantineUntilMs = clock.nowMs() + 3_600_000;
    await world.store.pendingWrites.update({ shop: SHOP, locationId: other }, { quarantineUntilMs });
  });
  await world.runFor(150_000);
  expect((await world.store.links.find({ shop: SHOP, locationId: key }))!.differences).toMatchObject([
    { field: "reference", theirs: "Timbre azul" },
  ]);
});
