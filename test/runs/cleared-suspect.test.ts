import { expect, test } from "vitest";
import { MANY_FAILURES } from "../../app/domain/backoff.ts";
import { waitsBehind } from "../../app/runs/circuit-breaker.ts";
import type { Run } from "../../app/runs/run.ts";
import { connectionRecord, SHOP } from "../fakes/records.ts";

import { mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import { FAILS, staged, WORDS } from "../scenarios/worker/stuck-stage.ts";

/**
 * Who is alone behind a connection that rests asks for one row of the list as its probe. The list's answer says that the service is there,
 * and that what the suspect had met was its own.
 */
async function probeAfter(failures: number) {
  const stage = await staged(1);
  const { world, keys, stuckId } = stage;
  const { store, services, clock } = world;
  stage.stick(({ templateId }) => templateId === stuckId, FAILS);
  await stage.change(0, "900");
  const { id: targetId, generation: wanted } = await world.workItem("location", keys[0]!);
  const atMs = clock.nowMs();
  const met = { message: WORDS, requestId: "met-before", atMs };
  const reason = { ...met, code: "server_error", fields: null } as const;
  await store.workItems.update({ id: targetId }, { failures, failingSinceMs: atMs, dueAtMs: atMs, reason });
  const suspects = [{ ...met, targetId, wanted, kind: "server_error" as const }];
  const open = { failures: 1, backoffUntilMs: atMs + 1_000, lastFaultKind: "server_error" as const, suspects };
  await store.connections.update({ shop: SHOP }, open);
  world.requests.length = 0;
  services.wake();
  await world.runFor(10_000);
  const asked = world.requests.map(({ operation }) => operation);
  const item = await world.workItem("location", keys[0]!);
  const connection = await store.connections.find({ shop: SHOP });
  await clock.runWhile(stage.worker.stop());
  return { asked, item, connection, atMs };
}

test("a suspect that has failed many times is charged by the probe's answer and calls nothing itself", async () => {
  const { asked, item, connection, atMs } = await probeAfter(MANY_FAILURES);
  expect(asked).toEqual(["list"]);
  expect(item).toMatchObject({ failures: MANY_FAILURES + 1, state: "active" });
  // What it had met is told, for nothing was met since.
  expect(item.reason).toMatchObject({ code: "server_error", message: WORDS, requestId: "met-before", atMs });
  expect(item.dueAtMs).toBeGreaterThan(atMs + 10_000);
  expect(connection).toMatchObject({ failures: 0, backoffUntilMs: null, suspects: [] });
});

test("of several suspects each has its turn: the one that failed last comes last", async () => {
  const { world, worker } = await staged(1);
  const suspectOf = (targetId: string) => ({
    targetId,
    wanted: 1,
    kind: "rate_limited" as const,
    message: null,
    requestId: null,
    atMs: 0,
  });
  const connection = connectionRecord({ suspects: ["first", "second", "third"].map(suspectOf) });
  const dueAfter = (id: string) =>
    Array.from({ length: 50 }, () => {
      const run = { services: world.services, item: { id } } as Run;
      return waitsBehind(run, connection, 0).untilMs;
    });
  const [first, second, third] = ["first", "second", "third"].map(dueAfter);
  expect(Math.max(...first!)).toBeLessThanOrEqual(Math.min(...second!));
  expect(Math.max(...second!)).toBeLessThanOrEqual(Math.min(...third!));
  expect(Math.min(...first!)).toBeGreaterThanOrEqual(1_000);
  await world.clock.runWhile(worker.stop());
});

test("a suspect lets one go first that only Shopify has failed", async () => {
  const stage = await staged(2);
  const { world, keys, stuckId } = stage;
  const { store, services, clock } = world;
  const refused = { status: 429, body: "{}", afterMs: 20 } as const;
  stage.stick(({ operation, templateId }) => operation === "list" || templateId === stuckId, {
    arrivesAfterMs: 20,
    effectAfterMs: null,
    answer: { kind: "said", ...refused },
  });
  await stage.change(0, "900");
  await stage.change(1, "901");
  const atMs = clock.nowMs();
  const said = { message: null, requestId: null, fields: null, atMs };
  const { id: targetId, generation: wanted } = await world.workItem("location", keys[0]!);
  const { id } = await world.workItem("location", keys[1]!);
  const unavailable = { ...said, code: "shopify_unavailable" as const };
  await store.workItems.update({ id: targetId }, { dueAtMs: atMs + 1_500 });
  await store.workItems.update(
    { id },
    { failures: 3, failingSinceMs: atMs, reason: unavailable, dueAtMs: atMs + 25_000 },
  );
  const suspects = [{ ...said, targetId, wanted, kind: "edge_blocked" as const }];
  const open = { failures: 6, backoffUntilMs: atMs + 1_000, lastFaultKind: "edge_blocked" as const, suspects };
  await store.connections.update({ shop: SHOP }, open);
  services.wake();
  await world.runFor(15_000);
  expect(stage.numberThere(1)).toBe("901");
  expect(await store.connections.find({ shop: SHOP })).toMatchObject({ suspects: [] });
  await clock.runWhile(stage.worker.stop());
});

test("a suspect that has failed a few times goes at once after the probe's answer: what it met may have been the service's", async () => {
  const { asked, item } = await probeAfter(MANY_FAILURES - 1);
  expect(asked.slice(0, 2)).toEqual(["list", "get"]);
  expect(item).toMatchObject({ failures: MANY_FAILURES });
  expect(item.reason).not.toMatchObject({ requestId: "met-before" });
});

test("a suspect that has let others go first for ten seconds lets the one go that failed before it", async () => {
  const stage = await staged(1);
  const { world, keys } = stage;
  const { store, services, clock } = world;
  stage.stick(({ operation }) => operation === "list", {
    arrivesAfterMs: 20,
    effectAfterMs: null,
    answer: { kind: "said", status: 429, body: "{}", afterMs: 20 },
  });
  const atMs = clock.nowMs();
  const said = { message: null, requestId: null, atMs };
  const [earlier, later] = [await world.workItem("location", keys[0]!), await world.workItem("reconcile", "shop")];
  const suspects = [
    { ...said, targetId: earlier.id, wanted: earlier.generation + 1, kind: "forbidden" as const },
    { ...said, targetId: later.id, wanted: later.generation + 1, kind: "rate_limited" as const },
  ];
  // The rest ended eleven seconds ago.
  const open = { failures: 6, backoffUntilMs: atMs - 11_000, lastFaultKind: "forbidden" as const, suspects };
  await store.connections.update({ shop: SHOP }, open);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "900" }) }));
  const wanted = { generation: earlier.generation + 1, pendingSinceMs: atMs, dueAtMs: atMs + 4_000 };
  await store.workItems.update({ id: earlier.id }, wanted);
  await world.requestWork("reconcile", "shop");
  services.wake();
  await world.runFor(6_000);
  expect(stage.numberThere(0)).toBe("900");
  await clock.runWhile(stage.worker.stop());
});
