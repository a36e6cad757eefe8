import { describe, expect, test } from "vitest";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { SHOP } from "../../fakes/records.ts";
import type { World } from "../../fakes/world.ts";
import { verificationKey } from "../../../app/domain/verification/verification-key.ts";
import { callsBetween, homeOf, HOUR_MS, MINUTE_MS, SILENT, staged } from "./stuck-stage.ts";
import type { Stage } from "./stuck-stage.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";

/** Work that is done over, time after time, without anything having got through: it is counted, rests longer, and is told. */

/** The database takes so long for each announcement of a write. Gives how many there were. */
function slowAnnouncements({ services, clock, store }: World, takesMs: number): { count: number; takesMs: number } {
  const slow = { count: 0, takesMs };
  const { transaction } = services.store;
  const announced = new Set<string>();
  services.store.transaction = async (shop, work) => {
    const result = await transaction(shop, work);
    const fresh = (await store.pendingWrites.list({})).filter(({ id }) => !announced.has(id));
    for (const { id } of fresh) announced.add(id);
    if (fresh.length > 0) {
      slow.count += 1;
      await clock.sleep(slow.takesMs);
    }
    return result;
  };
  return slow;
}

const originOf = async ({ world: { services } }: Stage, locationId: string) =>
  (await readOrigin(services, { shop: SHOP, locationId }))!;

describe("a database that takes too long for each announcement of a write", () => {
  async function slowed() {
    const stage = await staged(2);
    const logged: Record<string, unknown>[] = [];
    const note = (fields: Record<string, unknown>) => void logged.push(fields);
    stage.world.services.log = { ...stage.world.services.log, warn: note, error: note };
    const slow = slowAnnouncements(stage.world, 6_000);
    await stage.change(0, "900");
    return { stage, slow, logged };
  }

  test("is asked seldom, and the owner and the operator are told why nothing gets through", async () => {
    const { stage, slow, logged } = await slowed();
    const { world, keys } = stage;
    await world.runFor(15 * MINUTE_MS);
    expect(stage.numberThere(0)).not.toBe("900");
    expect(slow.count).toBeLessThanOrEqual(15);
    const item = await world.workItem("location", keys[0]!);
    expect(item.failures).toBeGreaterThanOrEqual(5);
    expect(item.reason).toMatchObject({ code: "done_over" });
    expect((await originOf(stage, keys[0]!)).failure).toMatchObject({ code: "done_over" });
    expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code: "done_over" } }]);
    const alarms = logged.filter(({ alarm }) => alarm === "done_over");
    const why = { message: "the announcement of a write took too long" };
    expect(alarms).toMatchObject([{ shop: SHOP, workItemId: item.id, failures: 5, error: why }]);
    await world.runFor(2 * HOUR_MS);
    expect(slow.count).toBeLessThanOrEqual(25);
    await world.runFor(1.5 * HOUR_MS);
    expect((await world.workItem("location", keys[0]!)).state).toBe("parked");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("lets everything through once it is well again", async () => {
    const { stage, slow } = await slowed();
    const { world, keys } = stage;
    await world.runFor(15 * MINUTE_MS);
    slow.takesMs = 0;
    await world.runFor(16 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    expect(await world.workItem("location", keys[0]!)).toMatchObject({
      failures: 0,
      reason: null,
      failingSinceMs: null,
    });
    await world.clock.runWhile(stage.worker.stop());
  });

  test("is counted though Shopify tells of the origin all the time", async () => {
    const { stage, slow } = await slowed();
    const { world, keys } = stage;
    for (let told = 0; told < 150; told += 1) {
      await world.runFor(6_000);
      await stage.tell(1);
    }
    expect((await world.workItem("location", keys[0]!)).failures).toBeGreaterThanOrEqual(5);
    expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code: "done_over" } }]);
    expect(slow.count).toBeLessThanOrEqual(90);
    await world.clock.runWhile(stage.worker.stop());
  });
});

test("a run that is done over now and then counts for nothing and rests no longer", async () => {
  const stage = await staged(1);
  const { world, keys } = stage;
  const slow = slowAnnouncements(world, 6_000);
  for (let turn = 1; turn <= 6; turn += 1) {
    slow.takesMs = 6_000;
    await stage.change(0, String(900 + turn));
    await world.runFor(10_000);
    slow.takesMs = 0;
    await world.runFor(10_000);
    expect(stage.numberThere(0)).toBe(String(900 + turn));
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ failures: 0, failingSinceMs: null });
  }
  await world.clock.runWhile(stage.worker.stop());
});

const SLOWLY_FAILS: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 500, body: "{}", afterMs: 8_000 },
};

describe.each([
  ["is never answered", SILENT, "timeout"],
  ["fails slowly", SLOWLY_FAILS, "server_error"],
] as const)("a PATCH that %s, of an origin that Shopify tells of all the time", (_, outcome, code) => {
  test.each([1, 3, 5])("counts as failing, is told, and costs little: every %d s", async (seconds) => {
    const stage = await staged(2);
    const { world, keys } = stage;
    stage.stick(({ operation, templateId }) => operation === "update" && templateId === stage.stuckId, outcome);
    await stage.change(0, "900");
    for (let told = 0; told < 900 / seconds; told += 1) {
      await world.runFor(seconds * 1_000);
      await stage.tell(1);
    }
    const item = await world.workItem("location", keys[0]!);
    expect(item.failures).toBeGreaterThanOrEqual(3);
    expect(item.reason).toMatchObject({ code });
    expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code } }]);
    world.outcomeOf = () => PROMPT;
    await world.runFor(5 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });
});

describe("an origin that Shopify tells of all the time", () => {
  const REFUSES_SLOWLY: CallOutcome = {
    arrivesAfterMs: 20,
    effectAfterMs: null,
    answer: { kind: "said", status: 422, body: JSON.stringify({ errors: { street: ["no existe"] } }), afterMs: 6_000 },
  };

  test.each([1, 3, 5])("and whose change is refused, slowly, is told as refused: every %d s", async (seconds) => {
    const stage = await staged(2);
    const { world, keys, stuckId } = stage;
    stage.stick(({ operation, templateId }) => operation === "update" && templateId === stuckId, REFUSES_SLOWLY);
    await stage.change(0, "900");
    const sinceMs = world.clock.nowMs();
    let told = 0;
    const looks = 600 / seconds;
    for (let look = 0; look < looks; look += 1) {
      await world.runFor(seconds * 1_000);
      await stage.tell(1);
      if ((await homeOf(stage)).needs.some(({ need }) => need === "refused_by_service")) told += 1;
    }
    // While it is tried anew, its page says that it is changing.
    expect(told / looks).toBeGreaterThan(0.5);
    expect(callsBetween(stage, sinceMs, sinceMs + HOUR_MS)).toBeLessThanOrEqual(60);
    world.outcomeOf = () => PROMPT;
    await stage.tell(1);
    await world.runFor(MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active", reason: null });
    await world.clock.runWhile(stage.worker.stop());
  });

  test.each([1, 3, 5])(
    "and that Shopify itself does not show, slowly, counts as failing: every %d s",
    async (seconds) => {
      const stage = await staged(2);
      const { world, keys } = stage;
      const well = world.shopify.trouble;
      world.shopify.trouble = () => ({ delayMs: 9_000, fails: true });
      await stage.change(0, "900");
      for (let told = 0; told < 600 / seconds; told += 1) {
        await world.runFor(seconds * 1_000);
        await stage.tell(1);
      }
      expect((await world.workItem("location", keys[0]!)).failures).toBeGreaterThanOrEqual(5);
      expect((await homeOf(stage)).needs).toMatchObject([{ failure: { code: "shopify_unavailable" } }]);
      world.shopify.trouble = well;
      await stage.tell(1);
      await world.runFor(2 * MINUTE_MS);
      expect(stage.numberThere(0)).toBe("900");
      await world.clock.runWhile(stage.worker.stop());
    },
  );
});

test("carriers who cannot be asked, about an address that changes each time, are counted, too: others get through in between", async () => {
  const stage = await staged(2, { policies: { carriers: ["fedex"], verifyAfterChange: true } });
  const { world, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "verify" && templateId === stuckId, {
    arrivesAfterMs: 20,
    effectAfterMs: null,
    answer: { kind: "rate_limited", afterMs: 100 },
  });
  for (let round = 0; round < 60; round += 1) {
    await stage.change(0, String(1_000 + round));
    await world.runFor(5_000);
  }
  const item = await world.workItem("verification", verificationKey("connection-1", stuckId));
  expect(item.failingSinceMs).not.toBeNull();
  await world.runFor(10 * MINUTE_MS);
  expect((await homeOf(stage)).troubles).toMatchObject([
    { trouble: "verification", failure: { code: "rate_limited" } },
  ]);
  await world.clock.runWhile(stage.worker.stop());
});
