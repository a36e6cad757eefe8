import { describe, expect, test } from "vitest";
import type { UnderWay } from "../../../app/adapters/shipping/network.ts";
import { unlessAborted } from "../../../app/adapters/shipping/faults.ts";
import { assembleShippingService } from "../../../app/adapters/shipping/service.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { createSemaphoreLine } from "../../fakes/semaphore-line.ts";
import { unhandledIn } from "../../fakes/unhandled.ts";
import { endOf } from "./support/operations.ts";

import { virtualClock } from "./support/virtual-clock.ts";
import { INTERACTIVE, memoryTokenStore } from "./support/world.ts";

/** A caller that leaves must not leave a promise behind whose rejection nobody hears: Node ends the process for it. */

const aborted = () => AbortSignal.abort();

/** A service whose network and token store do as the test says. */
function serviceOver(over: { answer?: () => Promise<never>; read?: () => Promise<never> }) {
  const clock = virtualClock();
  const tokens = memoryTokenStore();
  const ref: ConnectionRef = { id: "c", version: 1, shop: "s", environment: "test", clientId: "client" };
  const credentials = { ...ref, clientSecret: "secret", scope: null, redirectUri: null };
  tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token: null });
  const service = assembleShippingService({
    userAgent: "test",
    clock,
    random: { next: () => 0.5, id: () => "id" },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    tokens: over.read ? { ...tokens.store, read: over.read } : tokens.store,
    network: {
      offers: () => true,
      exchange(exchange): UnderWay {
        exchange.onSending();
        return { answer: (over.answer ?? (() => new Promise<never>(() => undefined)))(), stop: () => undefined };
      },
      close: async () => undefined,
    },
    line: createSemaphoreLine(),
    totalTimeoutMs: 10_000,
    budget: { graceMs: 0, openAtOnce: true },
  });
  return { clock, service, account: service.account(ref) };
}

describe("no rejection goes unheard", () => {
  test("when the signal has fired before the work it was to stop fails", async () => {
    const unheard = await unhandledIn(async () => {
      const work = Promise.reject(new Error("the store of tokens failed"));
      await expect(unlessAborted(work, aborted())).rejects.toMatchObject({ kind: "cancelled" });
    });
    expect(unheard).toEqual([]);
  });

  test("when the signal fires while the work is under way, and the work fails later", async () => {
    const unheard = await unhandledIn(async () => {
      const { promise, reject } = Promise.withResolvers<never>();
      const leaving = new AbortController();
      const ended = unlessAborted(promise, leaving.signal);
      leaving.abort();
      await expect(ended).rejects.toMatchObject({ kind: "cancelled" });
      reject(new Error("too late"));
    });
    expect(unheard).toEqual([]);
  });

  test("when a caller that has left already asks for a token that cannot be read", async () => {
    const { account } = serviceOver({ read: () => Promise.reject(new Error("disk full")) });
    const ends: string[] = [];
    const unheard = await unhandledIn(async () => {
      for (let count = 0; count < 3; count += 1)
        ends.push(await endOf(account.listPage({ ...INTERACTIVE, page: 1, signal: aborted() })));
    });
    expect({ ends, unheard }).toEqual({ ends: ["!cancelled", "!cancelled", "!cancelled"], unheard: [] });
  });

  test("when a caller leaves during a renewal that fails", async () => {
    const { clock, account } = serviceOver({ answer: () => Promise.reject(new Error("reset")) });
    const unheard = await unhandledIn(async () => {
      const leaving = new AbortController();
      const end = endOf(account.listPage({ ...INTERACTIVE, page: 1, signal: leaving.signal }));
      leaving.abort();
      expect(await end).toBe("!cancelled");
      await clock.run();
    });
    expect(unheard).toEqual([]);
  });

  test("when the service closes over calls that wait, run and come", async () => {
    const { clock, service, account } = serviceOver({});
    const unheard = await unhandledIn(async () => {
      const calls = Array.from({ length: 5 }, () => endOf(account.listPage({ ...INTERACTIVE, page: 1 })));
      const closed = service.close();
      calls.push(endOf(account.listPage({ ...INTERACTIVE, page: 1 })));
      await clock.run();
      await closed;
      expect(new Set(await Promise.all(calls))).toEqual(new Set(["!cancelled"]));
    });
    expect(unheard).toEqual([]);
  });
});
