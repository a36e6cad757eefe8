import { expect, test } from "vitest";
import type { Network } from "../../../app/adapters/shipping/network.ts";
import { assembleShippingService } from "../../../app/adapters/shipping/service.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { endOf, GOOD, nameOf } from "./support/operations.ts";
import { createGatesLine } from "../../fakes/gates-line.ts";
import { virtualClock } from "./support/virtual-clock.ts";
import { DRAFT, INTERACTIVE, memoryTokenStore } from "./support/world.ts";

/** The request path on virtual time, as a simulation drives it: true tokens, budget, retries and client over a network of one's own. */

function simulated() {
  const clock = virtualClock();
  const tokens = memoryTokenStore();
  const sent: { name: string; atMs: number }[] = [];
  const network: Network = {
    offers: () => true,
    exchange(exchange) {
      const name = nameOf(exchange.request);
      sent.push({ name, atMs: clock.monotonicMs() });
      exchange.onSending();
      const { status, body } = GOOD[name];
      const answer = clock.sleep(100).then(() => {
        exchange.onAnswer();
        return { status, headers: {}, body: JSON.stringify(body), cutShort: null };
      });
      return { answer, stop: () => undefined };
    },
    close: async () => undefined,
  };
  const service = assembleShippingService({
    userAgent: "test",
    clock,
    random: { next: () => 0.5, id: () => "id" },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    tokens: tokens.store,
    network,
    line: createGatesLine(),
    totalTimeoutMs: 10_000,
    budget: { graceMs: 2_000 },
  });
  const ref: ConnectionRef = { id: "c", version: 1, shop: "s", environment: "test", clientId: "client" };
  const credentials = { ...ref, clientSecret: "secret", scope: null, redirectUri: null };
  tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token: null });
  return { clock, sent, account: service.account(ref) };
}

test("a token, then calls at the budget's pace, once the boot is over", async () => {
  const { clock, sent, account } = simulated();
  const calls = Promise.all([1, 2, 3].map(() => account.listPage({ ...INTERACTIVE, page: 1 })));
  await clock.run();
  await calls;
  expect(sent).toEqual([
    { name: "token", atMs: 3_000 },
    { name: "list", atMs: 3_100 },
    { name: "list", atMs: 4_105 },
    { name: "list", atMs: 4_205 },
  ]);
});

test("an intent that took long to commit sends nothing: its quarantine already runs", async () => {
  const { clock, sent, account } = simulated();
  const end = endOf(account.create(DRAFT, { ...INTERACTIVE, beforeSend: async () => clock.leap(5_100) }));
  await clock.run();
  expect(await end).toBe("!timeout");
  expect(sent.map(({ name }) => name)).toEqual(["token"]);
});
