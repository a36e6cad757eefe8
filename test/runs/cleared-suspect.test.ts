import { expect, test } from "vitest";
import { MANY_FAILURES } from "../../app/domain/backoff.ts";
import { SHOP } from "../fakes/records.ts";
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

test("a suspect that has failed a few times goes at once after the probe's answer: what it met may have been the service's", async () => {
  const { asked, item } = await probeAfter(MANY_FAILURES - 1);
  expect(asked.slice(0, 2)).toEqual(["list", "get"]);
  expect(item).toMatchObject({ failures: MANY_FAILURES });
  expect(item.reason).not.toMatchObject({ requestId: "met-before" });
});
