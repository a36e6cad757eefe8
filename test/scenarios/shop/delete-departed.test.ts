import { beforeEach, describe, expect, test } from "vitest";
import { accountNote, isToGo } from "../../../app/components/origin/address-words.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, Operation } from "../../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A location left, and its shop's rule is to delete the template: that goes only if everything still says so at the last moment. */

let world: World;
let key: string;

async function run(waitMs = 4_000) {
  const requested = await world.requestWork("location", key);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested, waitMs }));
}

beforeEach(async () => {
  world = await createWorld({ policies: { onDeactivate: "delete", onDelete: "delete" } });
  key = await world.addLocation(1);
  await run();
  world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
  world.calls.length = 0;
});

/** Happens when the first request of an operation leaves. */
function meanwhile(operation: Operation, happens: () => unknown, outcome: CallOutcome = PROMPT): void {
  let met = false;
  world.outcomeOf = (asked) => {
    if (met || asked !== operation) return PROMPT;
    met = true;
    void happens();
    return outcome;
  };
}

const comesBack = () => world.shopify.put(SHOP, shopifyLocation(1));

async function isStillThere() {
  expect(world.calls).not.toContain("delete");
  expect(world.account.templates.size).toBe(1);
  expect(await world.store.links.count({ shop: SHOP, locationId: key })).toBe(1);
  expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
}

test("its template is read, then deleted, on one slot", async () => {
  expect(await run()).toEqual({ kind: "done" });
  expect(world.calls).toEqual(["get", "delete"]);
  expect(world.account.templates.size).toBe(0);
  const [line] = await world.store.activity.list({ shop: SHOP, kind: "template_deleted" });
  expect(line).toMatchObject({ locationId: key, outcome: "done" });
});

describe("while the service does not let it go, its page", () => {
  const page = async () => (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;

  async function refused() {
    const answer = { kind: "said", status: 500, body: `{"message":"Se cayó"}`, afterMs: 20 } as const;
    world.outcomeOf = (asked) => (asked === "delete" ? { arrivesAfterMs: 20, effectAfterMs: null, answer } : PROMPT);
    world.start();
    await run();
    await world.runFor(20 * 60_000);
  }

  test("says that it is to go, and why it is still there", async () => {
    await refused();
    const view = await page();
    expect(view).toMatchObject({ exclusion: "inactive", failure: { code: "server_error", serviceMessage: "Se cayó" } });
    expect([accountNote(view), isToGo(view)]).toEqual(["goes", true]);
    world.outcomeOf = () => PROMPT;
    await world.runFor(20 * 60_000);
    expect(world.account.templates.size).toBe(0);
    expect(isToGo(await page())).toBe(false);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["its owner pauses it", () => world.store.details.update({ shop: SHOP, locationId: key }, { paused: true })],
    [
      "its owner has another rule",
      async () => {
        const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
        await world.store.shops.update({ shop: SHOP }, { policies: { ...policies, onDeactivate: "keep" } });
      },
    ],
  ])("says that it stays once %s", async (_what, changes) => {
    await refused();
    await changes();
    const view = await page();
    expect([accountNote(view), isToGo(view)]).toEqual(["left", false]);
  });
});

describe("is not deleted", () => {
  test("where the location came back while the template was read, without a word", async () => {
    meanwhile("get", comesBack);
    expect(await run()).toEqual({ kind: "done" });
    await isStillThere();
  });

  test("where it came back between a failure of the service and the next try, unheard", async () => {
    meanwhile("get", comesBack, {
      arrivesAfterMs: 20,
      effectAfterMs: 0,
      answer: { kind: "server_error", afterMs: 20 },
    });
    const worker = world.start();
    await run();
    await world.runFor(120_000);
    expect(await world.workItem("location", key)).toMatchObject({ reason: null });
    await isStillThere();
    // It is known to be back before anything is asked of the service.
    expect(world.calls.filter((call) => call === "get")).toHaveLength(1);
    await world.clock.runWhile(worker.stop());
  });

  test("where it came back while it waited behind a connection that rests, unheard", async () => {
    const backoffUntilMs = world.clock.nowMs() + 20_000;
    const resting = { failures: 1, backoffUntilMs, lastFaultKind: "transport" } as const;
    await world.store.connections.update({ shop: SHOP }, resting);
    const worker = world.start();
    await run();
    expect(await world.workItem("location", key)).toMatchObject({ failures: 0, reason: { code: "transport" } });
    comesBack();
    await world.runFor(120_000);
    expect(await world.workItem("location", key)).toMatchObject({ reason: null });
    await isStillThere();
    // It is known to be back before its template is asked for.
    expect(world.calls).not.toContain("get");
    await world.clock.runWhile(worker.stop());
  });

  test("where somebody asks for another look while it waits to be announced", async () => {
    const requests: Promise<unknown>[] = [];
    meanwhile("get", () => requests.push(world.requestWork("location", key)));
    let asked = 0;
    // What Shopify says at the last moment is what it said before; that somebody has something newer to say is all that is known.
    world.shopify.trouble = () => {
      asked += 1;
      if (asked === 2) world.clock.after(900, comesBack);
      return { delayMs: 5, fails: false };
    };
    expect(await run()).toEqual({ kind: "done" });
    expect(requests).toHaveLength(1);
    await isStillThere();
  });

  test("while the origin is paused, and where it is paused at the last moment", async () => {
    const pause = (paused: boolean) =>
      world.store.details.update({ shop: SHOP, locationId: key }, { paused, revision: paused ? 1 : 2 });
    await pause(true);
    expect(await run()).toEqual({ kind: "done" });
    await isStillThere();
    expect(world.calls).toEqual([]);
    await pause(false);
    meanwhile("get", () => pause(true));
    expect(await run()).toEqual({ kind: "done" });
    await isStillThere();
  });

  test("where Shopify does not say in time whether it is gone; that is the work item's failure, and it comes again", async () => {
    let asked = 0;
    world.shopify.trouble = () => ({ delayMs: (asked += 1) === 2 ? 30_000 : 5, fails: false });
    expect(await run(15_000)).toMatchObject({ kind: "failed", reason: { code: "shopify_unavailable" } });
    await isStillThere();
    const worker = world.start();
    await world.runFor(60_000);
    expect(world.account.templates.size).toBe(0);
    await world.clock.runWhile(worker.stop());
  });

  test("where the service takes too long to read it; the connection rests", async () => {
    meanwhile("get", () => undefined, {
      arrivesAfterMs: 20,
      effectAfterMs: 0,
      answer: { kind: "true", afterMs: 9_500 },
    });
    await run(12_000);
    expect((await world.workItem("location", key)).reason?.code).toBe("timeout");
    await isStillThere();
  });

  test("where somebody has changed it since our last write: it stays, as nobody's, and that is told", async () => {
    const { id } = world.templateOf(key)!;
    world.account.byPerson.edit(id, "reference", "Timbre azul", world.clock.nowMs());
    expect(await run()).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["get"]);
    expect(world.account.templates.get(id)?.address.reference).toBe("Timbre azul");
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    expect(await world.store.activity.list({ shop: SHOP, kind: "template_kept" })).toMatchObject([
      { locationId: key, templateId: id, outcome: "noted" },
    ]);
  });
});

test("every DELETE leaves within ten seconds of a reading of its template that left after the location's last change", async () => {
  const sent: { operation: Operation; atMs: number }[] = [];
  world.outcomeOf = (operation) => {
    sent.push({ operation, atMs: world.clock.monotonicMs() });
    return { ...PROMPT, answer: { kind: "true", afterMs: 1_500 } };
  };
  await run();
  await world.runFor(20_000);
  const [read, deletion] = sent.slice(-2);
  expect([read!.operation, deletion!.operation]).toEqual(["get", "delete"]);
  expect(deletion!.atMs - read!.atMs).toBeLessThanOrEqual(10_000);
  expect(deletion!.atMs - (read!.atMs + 1_520)).toBeGreaterThanOrEqual(1_005);
});
