import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import type { PrismaStore } from "../../../app/adapters/store/store.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { NEVER_MS } from "../../../app/domain/backoff.ts";
import type { Services } from "../../../app/ports.ts";
import { createFailOver } from "../../../app/shop/follow-fail-over.ts";
import { QUIET, SETTINGS } from "../../fakes/app-process.ts";
import * as records from "../../fakes/records.ts";
import { SHOP } from "../../fakes/records.ts";

/** What a database doubts that may lack commits: another server's, or a restored one. */

export interface RestoredStage {
  store(): PrismaStore;
  /** The database becomes one that may lack commits. */
  restore(): Promise<void>;
  /** It was accepted so long ago. */
  acceptedAgo(ms: number): Promise<void>;
  close(): Promise<void>;
}

export const servicesOf = (store: PrismaStore): Services =>
  ({
    store,
    clock: createClock(),
    random: createRandom(),
    log: QUIET,
    settings: SETTINGS,
    wake: () => undefined,
  }) as unknown as Services;

export const lookAt = (store: PrismaStore) => createFailOver(servicesOf(store)).look();

/** A form that somebody has sent, which creates a template. */
export const PRESSED = {
  shop: SHOP,
  operation: "create",
  templateId: null,
  draft: records.pendingWriteRecord().payload as never,
  base: null,
} as const;

/** Work in each state that matters: leased, unclear, a create by hand that waits, and one that has ended. */
export async function fillForDoubt(store: PrismaStore): Promise<void> {
  await store.shops.insert(records.shopRecord({ revision: 3 }));
  await store.connections.insert(records.connectionRecord({ version: 4, bookConfirmedAtMs: 1 }));
  await store.details.insert(records.detailsRecord({ revision: 5 }));
  const item = { kind: "template", dueAtMs: NEVER_MS, fence: 6 } as const;
  await store.workItems.insert(records.workItemRecord({ ...item, id: "waits", key: "open" }));
  await store.workItems.insert(records.workItemRecord({ ...item, id: "unclear", key: "sent" }));
  await store.workItems.insert(records.workItemRecord({ ...item, id: "ended", key: "done" }));
  const leased = { leaseOwner: "me", leaseUntilMs: NEVER_MS - 1, dueAtMs: NEVER_MS - 1 };
  await store.workItems.insert(records.workItemRecord({ ...item, ...leased, id: "leased", key: "leased" }));
  const { operation, templateId, draft } = PRESSED;
  const byHand = { operation, templateId, draft } as const;
  await store.drafts.insert(records.draftRecord({ ...byHand, id: "open" }));
  await store.drafts.insert(records.draftRecord({ ...byHand, id: "sent" }));
  await store.drafts.insert(records.draftRecord({ ...byHand, id: "done", endedAtMs: 1 }));
  const unclear = { id: "known", workItemId: "unclear", templateId: null, quarantineUntilMs: 1 } as const;
  await store.pendingWrites.insert(records.pendingWriteRecord({ ...unclear, operation: "create" }));
}

export function anotherServerContract(name: string, open: () => Promise<RestoredStage>): void {
  describe(`${name}, which may lack commits`, () => {
    let stage: RestoredStage;
    const store = () => stage.store();
    const look = () => lookAt(store());
    beforeEach(async () => void (stage = await open()));
    afterEach(() => stage.close());

    test("where it is the one that is known, nothing is changed", async () => {
      await fillForDoubt(store());
      const before = await store().workItems.list({});
      await look();
      expect(await store().server.read()).toEqual({ isKnown: true, owesReconciles: false, changedMsAgo: null });
      expect(await store().workItems.list({})).toEqual(before);
    });

    test("whatever the lost commits may have changed is doubted, and everything looked at", async () => {
      await fillForDoubt(store());
      await stage.restore();
      const nowMs = Date.now();
      await look();
      // Runs, plans, tokens and forms of before name numbers that nothing has any more.
      expect(await store().workItems.find({ id: "leased" })).toMatchObject({
        fence: 1_006,
        leaseOwner: null,
        leaseUntilMs: null,
      });
      expect(await store().shops.find({ shop: SHOP })).toMatchObject({ revision: 1_003 });
      expect(await store().details.find({ shop: SHOP })).toMatchObject({ revision: 1_005 });
      // Nothing is created before the book was read.
      expect(await store().connections.find({ shop: SHOP })).toMatchObject({ version: 1_004, bookConfirmedAtMs: null });
      // What was unclear is waited for anew; a create by hand that may have been sent is unclear, too, one that has ended is not.
      const unclear = await store().pendingWrites.list({ shop: SHOP });
      expect(unclear.map(({ workItemId }) => workItemId).toSorted()).toEqual(["unclear", "waits"]);
      for (const { quarantineUntilMs } of unclear)
        expect(quarantineUntilMs - nowMs).toBeGreaterThan(SETTINGS.quarantineMs - 1_000);
      expect(unclear.find(({ workItemId }) => workItemId === "waits")).toMatchObject({
        operation: "create",
        marker: null,
        payload: records.pendingWriteRecord().payload,
        alike: [],
      });
      const dueAtMs = (await store().workItems.find({ id: "waits" }))!.dueAtMs;
      expect(dueAtMs).toBe(unclear[0]!.quarantineUntilMs);
      expect(await store().workItems.find({ kind: "reconcile" })).toMatchObject({
        generation: 1,
        observedGeneration: 0,
      });
      await look();
      expect(await store().workItems.find({ kind: "reconcile" })).toMatchObject({ generation: 1 });
    });

    test("it is accepted once, and what was not asked for by then is asked for by whoever looks next", async () => {
      await fillForDoubt(store());
      await stage.restore();
      expect(await store().server.read()).toMatchObject({ isKnown: false });
      const accept = () => store().server.accept(1);
      expect((await Promise.all([accept(), accept()])).toSorted()).toEqual([false, true]);
      await look();
      expect(await store().workItems.find({ kind: "reconcile" })).toMatchObject({ generation: 1 });
      expect(await store().server.read()).toMatchObject({ isKnown: true, owesReconciles: false });
    });

    test.each([
      ["soon after it", 600_000, 1],
      ["long after it", 7_200_000, 0],
    ])("a create by hand %s counts as one that may have been sent before: %s, %i", async (_when, ago, unclear) => {
      await store().shops.insert(records.shopRecord());
      await store().connections.insert(records.connectionRecord());
      await stage.restore();
      await look();
      await stage.acceptedAgo(ago);
      for (let times = 0; times < 2; times += 1)
        await submitDraft(servicesOf(store()), { ...PRESSED, draftId: "pressed again" });
      expect(await store().pendingWrites.count({ shop: SHOP })).toBe(unclear);
    });

    test("a create by hand is as sure as ever where it is the one that is known", async () => {
      await store().shops.insert(records.shopRecord());
      await store().connections.insert(records.connectionRecord());
      await submitDraft(servicesOf(store()), { ...PRESSED, draftId: "first" });
      expect(await store().pendingWrites.count({ shop: SHOP })).toBe(0);
    });
  });
}
