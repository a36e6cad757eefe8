import { describe, expect, test } from "vitest";
import { MANY_FAILURES, NEVER_MS } from "../../app/domain/backoff.ts";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readShell } from "../../app/pages/read-shell.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import type { CallOutcome } from "../fakes/shipping/network.ts";
import { REQUEST_LOST } from "../fakes/shipping/outcomes.ts";
import { mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import { HOUR_MS, MINUTE_MS, staged } from "../scenarios/worker/stuck-stage.ts";
import type { Stage } from "../scenarios/worker/stuck-stage.ts";

/**
 * Whose failure it is: the connection's, or one work item's.
 *
 * Long, because each case is a story of several work items, told step by step.
 */

const DENIED = "No tienes permiso";
const FORBIDDEN: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 403, body: JSON.stringify({ message: DENIED }), afterMs: 20 },
};

const FAILS: CallOutcome = { ...FORBIDDEN, answer: { kind: "said", status: 500, body: "{}", afterMs: 20 } };

const connectionOf = async ({ world }: Stage) => (await world.store.connections.find({ shop: SHOP }))!;

describe("while nothing is answered", () => {
  test("the probe is never a work item that failed since the breaker opened; then it asks for one row, and a token", async () => {
    const stage = await staged(3);
    const { world, keys } = stage;
    stage.stick(() => true, REQUEST_LOST);
    world.requests.length = 0;
    for (const index of [0, 1, 2]) await stage.change(index, "900");
    await world.runFor(20 * MINUTE_MS);
    const probes = world.requests.filter(({ operation }) => operation === "get").map(({ templateId }) => templateId);
    const ids = keys.map((key) => world.templateOf(key)!.id);
    // Three tries of each before anything is known, or one as a probe; never again after that.
    for (const id of ids) expect(probes.filter((probe) => probe === id).length).toBeLessThanOrEqual(3);
    const later = world.requests.filter(({ atMs }) => atMs > world.clock.nowMs() - 10 * MINUTE_MS);
    expect(new Set(later.map(({ operation }) => operation))).toEqual(new Set(["list", "token"]));
    expect(later.length).toBeLessThanOrEqual(22);
    const { suspects, failures } = await connectionOf(stage);
    expect(suspects.map(({ targetId }) => targetId).toSorted()).toEqual(
      (await Promise.all(keys.map((key) => world.workItem("location", key)))).map(({ id }) => id).toSorted(),
    );
    expect(failures).toBeGreaterThan(5);
    for (const key of keys) expect((await world.workItem("location", key)).failures).toBe(0);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("nobody is charged, and all is there soon after the first answer", async () => {
    const stage = await staged(3);
    const { world, keys } = stage;
    stage.stick(() => true, REQUEST_LOST);
    for (const index of [0, 1, 2]) await stage.change(index, "900");
    await world.runFor(3 * HOUR_MS);
    for (const key of keys)
      expect(await world.workItem("location", key)).toMatchObject({ state: "active", failures: 0 });
    world.outcomeOf = () => PROMPT;
    await world.runFor(2 * MINUTE_MS);
    for (const index of [0, 1, 2]) expect(stage.numberThere(index)).toBe("900");
    expect(await connectionOf(stage)).toMatchObject({ failures: 0, backoffUntilMs: null, suspects: [] });
    await world.clock.runWhile(stage.worker.stop());
  });
});

test("an answer that a stopped process reads long after it came charges nobody who failed since", async () => {
  const stage = await staged(2);
  const { world, keys } = stage;
  const other = world.templateOf(keys[1]!)!.id;
  const { shipping } = world.services;
  const account: typeof shipping.account = (ref) => {
    const own = shipping.account(ref);
    const get: typeof own.get = async (templateId, options) => {
      const answer = await own.get(templateId, options);
      if (templateId === other) await world.clock.sleep(30_000);
      return answer;
    };
    return { ...own, get };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
  await stage.change(1, "901");
  await world.runFor(2_000);
  stage.stick(() => true, FORBIDDEN);
  await stage.change(0, "900");
  await world.runFor(25_000);
  const { suspects } = await connectionOf(stage);
  expect(suspects).toHaveLength(1);
  await world.runFor(10_000);
  expect(await connectionOf(stage)).toMatchObject({ suspects: expect.arrayContaining(suspects) as unknown });
  expect(await world.workItem("location", keys[0]!)).toMatchObject({ failures: 0 });
  await world.clock.runWhile(stage.worker.stop());
});

test("a token alone clears up a service that does not answer: the failure is the work item's own", async () => {
  const stage = await staged(1);
  const { world, keys } = stage;
  stage.stick(({ operation }) => operation !== "token", REQUEST_LOST);
  await stage.change(0, "900");
  await world.runFor(MINUTE_MS);
  expect((await world.workItem("location", keys[0]!)).failures).toBeGreaterThan(0);
  expect(await connectionOf(stage)).toMatchObject({ backoffUntilMs: null, suspects: [] });
  await world.clock.runWhile(stage.worker.stop());
});

test("one that is known to fail by itself rests the connection for nobody while the list fails, too: a token tells", async () => {
  const stage = await staged(1);
  const { world, keys, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "list" || templateId === stuckId, FAILS);
  await stage.change(0, "900");
  const item = () => world.workItem("location", keys[0]!);
  while ((await item()).failures === 0) await world.runFor(1_000);
  const rests: number[] = [];
  const { connections } = world.store;
  const update = connections.update.bind(connections);
  connections.update = (where, patch) => {
    if (patch.backoffUntilMs) rests.push(patch.backoffUntilMs);
    return update(where, patch);
  };
  await world.runFor(5 * MINUTE_MS);
  expect((await item()).failures).toBeGreaterThan(MANY_FAILURES);
  expect(rests).toEqual([]);
  await world.clock.runWhile(stage.worker.stop());
});

test("one that is made the probe and asks nothing gives it back: who failed asks for itself soon", async () => {
  const stage = await staged(1);
  const { world, keys, stuckId: templateId } = stage;
  const { store, services, clock } = world;
  const nowMs = clock.nowMs();
  // The verification waits for the location's run, which rests for long, to put back what a write emptied.
  await store.templates.update({ shop: SHOP, templateId }, { emptied: { phone: "3336150000" } });
  await requestVerification(services, { shop: SHOP, templateId, carriers: ["fedex"] });
  await world.requestWork("location", keys[0]!);
  const rests = { failures: 1, failingSinceMs: nowMs, dueAtMs: nowMs + HOUR_MS };
  await store.workItems.update({ shop: SHOP, kind: "location" }, rests);
  const { workItemId: targetId, generation: wanted } = await world.requestWork("reconcile", "shop");
  const kind = "unauthorized" as const;
  const suspects = [{ targetId, wanted, kind, message: null, requestId: null, atMs: nowMs }];
  const open = { failures: 1, backoffUntilMs: nowMs + 1_000, lastFaultKind: kind, suspects };
  await store.connections.update({ shop: SHOP }, open);
  services.wake();
  await world.runFor(30_000);
  expect(await connectionOf(stage)).toMatchObject({ failures: 0, backoffUntilMs: null, suspects: [] });
  await clock.runWhile(stage.worker.stop());
});

test("another that waits is the probe, not the one that failed; its answer alone charges that one", async () => {
  const stage = await staged(2);
  const { world, keys, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "list" || templateId === stuckId, FAILS);
  await stage.change(0, "900");
  await world.runFor(4_000);
  const stuck = () => world.workItem("location", keys[0]!);
  expect((await connectionOf(stage)).suspects).toMatchObject([{ targetId: (await stuck()).id }]);
  const [met] = world.requests.filter(({ templateId }) => templateId === stuckId).slice(-1);
  world.requests.length = 0;
  await stage.change(1, "901");
  while (world.requests.length === 0) await world.runFor(100);
  const other = world.templateOf(keys[1]!)!.id;
  expect(world.requests[0]).toMatchObject({ operation: "get", templateId: other });
  expect(world.requests.filter(({ templateId }) => templateId !== other)).toEqual([]);
  expect(await stuck()).toMatchObject({ failures: 1, reason: { code: "server_error", requestId: met!.requestId } });
  expect(await connectionOf(stage)).toMatchObject({ backoffUntilMs: null, suspects: [] });
  await world.clock.runWhile(stage.worker.stop());
});

test("the answer to another charges nobody whose job was cancelled meanwhile: it stays due never, and nothing is sent", async () => {
  const stage = await staged(2);
  const { world, keys, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "list" || templateId === stuckId, FAILS);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "900" }) }));
  const started = await startJob(world.services, {
    ...{ shop: SHOP, kind: "sync", carriers: null },
    locationIds: [keys[0]!],
  });
  await world.runFor(4_000);
  const cancelled = () => world.workItem("location", keys[0]!);
  expect((await connectionOf(stage)).suspects).toMatchObject([{ targetId: (await cancelled()).id }]);
  await cancelJob(world.services, { shop: SHOP, jobId: started.kind === "started" ? started.jobId : "" });
  expect((await cancelled()).dueAtMs).toBe(NEVER_MS);
  world.outcomeOf = () => PROMPT;
  await stage.change(1, "901");
  await world.runFor(2 * MINUTE_MS);
  expect(stage.numberThere(1)).toBe("901");
  expect(stage.numberThere(0)).not.toBe("900");
  expect(await cancelled()).toMatchObject({ dueAtMs: NEVER_MS, failures: 0, reason: null });
  await world.clock.runWhile(stage.worker.stop());
});

describe("the service's own 403", () => {
  test("to everything is the connection's, is shown once with its words, and a token clears up nothing", async () => {
    const stage = await staged(3);
    const { world, keys } = stage;
    stage.stick(({ operation }) => operation !== "token", FORBIDDEN);
    for (const index of [0, 1, 2]) await stage.change(index, "900");
    await world.runFor(3 * HOUR_MS);
    for (const key of keys)
      expect(await world.workItem("location", key)).toMatchObject({ state: "active", failures: 0 });
    const { connection } = (await readShell(world.services, { shop: SHOP }))!;
    expect(connection).toMatchObject({ health: "failing", fault: { kind: "forbidden", serviceMessage: DENIED } });
    const home = (await readHome(world.services, { shop: SHOP }))!;
    expect(home).toMatchObject({ needs: [], troubles: [] });
    world.outcomeOf = () => PROMPT;
    await world.runFor(3 * MINUTE_MS);
    for (const index of [0, 1, 2]) expect(stage.numberThere(index)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("to everything that ended before the list was asked for is no refusal of what met it last", async () => {
    const stage = await staged(1);
    const { world, keys } = stage;
    let refused = 0;
    world.outcomeOf = (operation) => {
      if (operation !== "update" || refused > 0) return PROMPT;
      refused += 1;
      return FORBIDDEN;
    };
    await stage.change(0, "900");
    for (let second = 0; second < 30; second += 1) {
      await world.runFor(1_000);
      expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active" });
    }
    expect(refused).toBe(1);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("to everything that met a reading and then, once, the change is no refusal of the change", async () => {
    const stage = await staged(1);
    const { world, keys } = stage;
    const refused: string[] = [];
    world.outcomeOf = (operation) => {
      if ((operation !== "get" && operation !== "update") || refused.includes(operation)) return PROMPT;
      refused.push(operation);
      return FORBIDDEN;
    };
    await stage.change(0, "900");
    for (let second = 0; second < 30; second += 1) {
      await world.runFor(1_000);
      expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active" });
    }
    expect(refused).toEqual(["get", "update"]);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("to everything that another run met while the list was asked is no refusal of the change, though the list is answered", async () => {
    const stage = await staged(1);
    const { world, keys } = stage;
    const { shipping, clock } = world.services;
    let refused = 0;
    let hasMet = false;
    const account: typeof shipping.account = (ref) => {
      const own = shipping.account(ref);
      const probe: typeof own.probe = async (what, options) => {
        // As the other run writes it down (`noteFailure`), between the second refusal and the answer that tells whose it is.
        if (refused === 2 && !hasMet) {
          hasMet = true;
          const nowMs = clock.nowMs();
          const fault = { lastFaultKind: "forbidden", lastFaultAtMs: nowMs, lastFaultMessage: DENIED } as const;
          await world.store.connections.update(
            { shop: SHOP },
            { ...fault, failures: 1, backoffUntilMs: nowMs + 5_000 },
          );
        }
        return own.probe(what, options);
      };
      return { ...own, probe };
    };
    Object.assign(world.services, { shipping: { ...shipping, account } });
    world.outcomeOf = (operation) => {
      if (operation !== "update" || refused === 2) return PROMPT;
      refused += 1;
      return FORBIDDEN;
    };
    await stage.change(0, "900");
    for (let second = 0; second < 60; second += 1) {
      await world.runFor(1_000);
      expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active" });
    }
    expect([refused, hasMet]).toEqual([2, true]);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("to one template's change, twice, is a refusal of it, told within seconds, and rests nobody", async () => {
    const stage = await staged(2);
    const { world, keys, stuckId } = stage;
    stage.stick(({ operation, templateId }) => operation === "update" && templateId === stuckId, FORBIDDEN);
    for (const index of [0, 1]) await stage.change(index, "900");
    await world.runFor(10_000);
    expect(await world.workItem("location", keys[0]!)).toMatchObject({
      state: "blocked",
      reason: { code: "refused_by_service", message: DENIED },
    });
    expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
    expect(stage.numberThere(1)).toBe("900");
    expect((await connectionOf(stage)).lastFaultAtMs).toBeNull();
    await world.clock.runWhile(stage.worker.stop());
  });

  test("to everything is no refusal of a work item that had failed by itself before it began", async () => {
    const stage = await staged(2);
    const { world, keys, stuckId } = stage;
    stage.stick(({ operation, templateId }) => operation === "get" && templateId === stuckId, FAILS);
    for (const index of [0, 1]) await stage.change(index, "900");
    await world.runFor(5_000);
    expect((await world.workItem("location", keys[0]!)).failures).toBeGreaterThan(0);
    expect(stage.numberThere(1)).toBe("900");
    stage.stick(({ operation }) => operation === "update" || operation === "list", FORBIDDEN);
    await world.runFor(MINUTE_MS);
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active" });
    world.outcomeOf = () => PROMPT;
    await world.runFor(3 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("to one template's reading is that work item's own", async () => {
    const stage = await staged(2);
    const { world, keys, stuckId } = stage;
    stage.stick(({ operation, templateId }) => operation === "get" && templateId === stuckId, FORBIDDEN);
    for (const index of [0, 1]) await stage.change(index, "900");
    await world.runFor(MINUTE_MS);
    const item = await world.workItem("location", keys[0]!);
    expect(item).toMatchObject({ state: "active", reason: { code: "forbidden", message: DENIED } });
    expect(item.failures).toBeGreaterThan(0);
    expect(stage.numberThere(1)).toBe("900");
    expect((await connectionOf(stage)).lastFaultAtMs).toBeNull();
    await world.clock.runWhile(stage.worker.stop());
  });
});

describe("a refusal, where nothing else is due and the list fails of something else", () => {
  const EDGE: CallOutcome = { ...FORBIDDEN, answer: { kind: "said", status: 403, body: "<html></html>", afterMs: 20 } };

  test("is the work item's own where the list is answered with a 5xx, and a token is given", async () => {
    const stage = await staged(1);
    const { world, keys, stuckId } = stage;
    world.outcomeOf = (operation, { templateId }) =>
      operation === "list" ? FAILS : templateId === stuckId ? EDGE : PROMPT;
    await stage.change(0, "900");
    await world.runFor(5 * MINUTE_MS);
    const item = await world.workItem("location", keys[0]!);
    expect(item.reason?.code).toBe("edge_blocked");
    expect(item.failures).toBeGreaterThan(2);
    expect(await connectionOf(stage)).toMatchObject({ backoffUntilMs: null, suspects: [] });
    await world.clock.runWhile(stage.worker.stop());
  });

  test("is the connection's still where the list gets no answer: the work item tries again itself, in turn with the list", async () => {
    const stage = await staged(1);
    const { world, keys, stuckId } = stage;
    world.outcomeOf = (operation, { templateId }) =>
      operation === "list" ? REQUEST_LOST : templateId === stuckId ? EDGE : PROMPT;
    await stage.change(0, "900");
    await world.runFor(3 * HOUR_MS);
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active", failures: 0 });
    const [last, before] = world.requests.toReversed();
    expect([before!.operation, last!.operation]).toEqual(["list", "get"]);
    world.outcomeOf = (operation) => (operation === "list" ? REQUEST_LOST : PROMPT);
    await world.runFor(2 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });

  test("of one leaves another no longer waiting that only got no answer", async () => {
    const stage = await staged(2);
    const { world, stuckId } = stage;
    world.outcomeOf = (_, { templateId }) => (templateId === stuckId ? EDGE : REQUEST_LOST);
    for (const index of [0, 1]) await stage.change(index, "900");
    await world.runFor(10 * MINUTE_MS);
    world.outcomeOf = (operation, { templateId }) =>
      operation === "list" ? REQUEST_LOST : templateId === stuckId ? EDGE : PROMPT;
    await world.runFor(10 * MINUTE_MS);
    expect(stage.numberThere(1)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });
});
