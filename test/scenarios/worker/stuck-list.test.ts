import { describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { REPLY_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld } from "../../fakes/world.ts";
import {
  expectCheap,
  expectOthersServed,
  expectTold,
  FAILS,
  homeOf,
  HOUR_MS,
  MINUTE_MS,
  SILENT,
  staged,
  WORDS,
} from "./stuck-stage.ts";
import type { Sticks } from "./stuck-stage.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";

const EDGE: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 403, body: "<html><body>Blocked</body></html>", afterMs: 20 },
};

/** A list that the service always answers with a failure, or too late. */

describe.each([
  ["fails", FAILS],
  ["does not answer", SILENT],
] as [string, CallOutcome][])("a list that always %s", (_, outcome) => {
  const sticks: Sticks = ({ operation }) => operation === "list";

  test.each([10, 1])("holds up none of %d known links", async (links) => {
    const stage = await staged(links + 1);
    stage.stick(sticks, outcome);
    await stage.world.requestWork("reconcile", "shop");
    stage.world.services.wake();
    await expectOthersServed(stage, 5);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("costs at most 60 calls in its first hour and 12 an hour after", async () => {
    const stage = await staged(2);
    stage.stick(sticks, outcome);
    const sinceMs = stage.world.clock.nowMs();
    await stage.world.requestWork("reconcile", "shop");
    stage.world.services.wake();
    await stage.world.runFor(30 * HOUR_MS);
    expectCheap(stage, sinceMs);
    const look = await stage.world.workItem("reconcile", "shop");
    expect(look.state).toBe("active");
    expect(look.failures).toBeGreaterThan(20);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("lets nobody wait whom an edge refused until a while ago", async () => {
    const stage = await staged(1);
    const { world } = stage;
    stage.stick(() => true, EDGE);
    await stage.change(0, "900");
    await world.runFor(3 * MINUTE_MS);
    expect(stage.numberThere(0)).not.toBe("900");
    stage.stick(sticks, outcome);
    await world.runFor(2 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("lets nobody wait whom Shopify refused until a while ago, though the connection rests when it is asked again", async () => {
    const stage = await staged(1);
    const { world, keys } = stage;
    const key = { shop: SHOP, kind: "location" as const, key: keys[0]! };
    const reason = { code: "shopify_refused", message: null, fields: null, requestId: null, atMs: 0 } as const;
    await world.store.workItems.update(key, { state: "blocked", reason });
    stage.stick(sticks, outcome);
    const backoffUntilMs = world.clock.nowMs() + MINUTE_MS;
    await world.store.connections.update(
      { shop: SHOP },
      { backoffUntilMs, failures: 1, lastFaultKind: "server_error" },
    );
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(3 * MINUTE_MS);
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active", reason: null });
    await world.clock.runWhile(stage.worker.stop());
  });

  test.each([2, 5])("lets creates wait and say so %d minutes later, until it answers again", async (minutes) => {
    const stage = await staged(1);
    const { world } = stage;
    stage.stick(sticks, outcome);
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(minutes * MINUTE_MS);
    const key = await world.addLocation(2);
    await stage.tell(2);
    await world.runFor(2 * MINUTE_MS);
    expect(world.templateOf(key)).toBeUndefined();
    const words = outcome === FAILS ? WORDS : null;
    expect((await world.workItem("location", key)).reason).toMatchObject({ code: "book_unreadable", message: words });
    world.outcomeOf = () => PROMPT;
    await world.runFor(20 * MINUTE_MS);
    expect(world.templateOf(key)).toBeDefined();
    await world.clock.runWhile(stage.worker.stop());
  });

  test("lets a create that is asked for during its run be looked at again at once, and say what it waits for", async () => {
    const stage = await staged(1);
    const { world } = stage;
    stage.stick(sticks, outcome);
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(5 * MINUTE_MS);
    const key = await world.addLocation(2);
    world.shopify.trouble = () => ({ delayMs: 2_000, fails: false });
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(1_000);
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(5_000);
    expect(await world.workItem("location", key)).toMatchObject({ generation: 2, reason: { code: "book_unreadable" } });
    await world.clock.runWhile(stage.worker.stop());
  });

  test.each([1, 3])("is on Home within 15 minutes, in a shop with %d locations too", async (locations) => {
    const stage = await staged(locations);
    const { world } = stage;
    stage.stick(sticks, outcome);
    const sinceMs = world.clock.nowMs();
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(15 * MINUTE_MS);
    for (let hour = 0; hour < 8; hour += 1) {
      const { troubles } = await homeOf(stage);
      expect(troubles).toMatchObject([{ trouble: "book", count: 1 }]);
      if (outcome === FAILS) expectTold(stage, troubles[0]!.failure, sinceMs);
      else expect(troubles[0]!.failure).toMatchObject({ code: "timeout", serviceMessage: null });
      await world.runFor(HOUR_MS);
    }
    world.outcomeOf = () => PROMPT;
    await world.runFor(20 * MINUTE_MS);
    expect((await homeOf(stage)).troubles).toEqual([]);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("before it was ever read lets creates wait and say so, until it answers", async () => {
    const world = await createWorld();
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
    const key = await world.addLocation(1);
    world.outcomeOf = (_, request) => (sticks(request) ? outcome : PROMPT);
    const worker = world.start();
    await world.runFor(15 * MINUTE_MS);
    expect(world.templateOf(key)).toBeUndefined();
    expect(await world.workItem("location", key)).toMatchObject({ failures: 0, reason: { code: "book_unreadable" } });
    world.outcomeOf = () => PROMPT;
    await world.runFor(20 * MINUTE_MS);
    expect(world.templateOf(key)).toBeDefined();
    await world.clock.runWhile(worker.stop());
  });

  test("does not keep the carriers' answers from being seen", async () => {
    const stage = await staged(3, { policies: { carriers: ["fedex"] } });
    const { world } = stage;
    stage.stick(sticks, outcome);
    const templateIds = [...world.account.templates.keys()];
    for (const templateId of templateIds) {
      await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
      world.account.verify(templateId, ["fedex"]);
    }
    world.services.wake();
    await world.runFor(MINUTE_MS);
    for (const templateId of templateIds) world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(HOUR_MS);
    const said = await world.store.verifications.list({ shop: SHOP });
    expect(said.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted", "accepted"]);
    await world.clock.runWhile(stage.worker.stop());
  });
});

test.each(["update", "delete"] as const)(
  "a list that always fails holds up no %s by hand of the template that stands for the location of an unclear create",
  async (operation) => {
    const stage = await staged(1);
    const { world } = stage;
    stage.stick(({ operation: sent }) => sent === "create", REPLY_LOST);
    const locationId = await world.addLocation(2);
    await stage.tell(2);
    await world.runFor(10_000);
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const base = structuredClone(world.templateOf(locationId)!);
    stage.stick(({ operation: sent }) => sent === "list");
    const linked = linkOrigin(world.services, {
      shop: SHOP,
      locationId,
      templateId: base.id,
      templateVersion: versionOf(base),
    });
    expect(await world.clock.runWhile(linked)).toMatchObject({ kind: "done" });
    const { alias_name, address_type, address } = base;
    const draft = { alias_name, address_type, address_attributes: { ...address, reference: "Puerta 9" } };
    const form = { shop: SHOP, draftId: "draft-1", templateId: base.id };
    const submitted: Promise<unknown> =
      operation === "update"
        ? submitDraft(world.services, { ...form, operation, draft, base })
        : removeTemplate(world.services, form);
    await world.clock.runWhile(submitted);
    await world.runFor(5 * MINUTE_MS);
    const item = await world.workItem("location", locationId);
    expect(await world.store.pendingWrites.list({ workItemId: item.id })).toMatchObject([{ operation: "create" }]);
    expect(await world.store.drafts.find({ id: "draft-1" })).toMatchObject({ outcome: { kind: "done" } });
    const there = world.account.templates.get(base.id);
    expect(there?.address.reference).toBe(operation === "update" ? "Puerta 9" : undefined);
    world.outcomeOf = () => PROMPT;
    await world.runFor(HOUR_MS);
    expect(await world.store.pendingWrites.count({})).toBe(0);
    expect(world.account.duplicates()).toBe(0);
    await world.clock.runWhile(stage.worker.stop());
  },
);
