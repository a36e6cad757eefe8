import { describe, expect, test } from "vitest";
import type { Network } from "../../../app/adapters/shipping/network.ts";
import { assembleShippingService } from "../../../app/adapters/shipping/service.ts";
import { momentOf } from "../../../app/domain/moment.ts";
import type { SlotsDatabase } from "../../../app/adapters/shipping/slots/slots-database.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { createMemorySlots } from "../../fakes/cluster/slots.ts";
import { endOf, GOOD, nameOf, TEMPLATE, type NineName } from "./support/operations.ts";
import { createSemaphoreLine } from "../../fakes/semaphore-line.ts";
import { virtualClock, type VirtualClock } from "./support/virtual-clock.ts";
import { DELETE, DRAFT, INTERACTIVE, memoryTokenStore } from "./support/world.ts";

/** The request path on virtual time, as a simulation drives it: true tokens, budget, retries and client over a network of one's own. */

function simulated({
  clock = virtualClock(),
  slotsDatabase,
}: { clock?: VirtualClock; slotsDatabase?: SlotsDatabase } = {}) {
  const tokens = memoryTokenStore();
  const sent: { name: string; atMs: number }[] = [];
  /** Other than good; null: the connection breaks. */
  const answers: { [N in NineName]?: { status: number; body: unknown } | null } = {};
  const network: Network = {
    offers: () => true,
    exchange(exchange) {
      const name = nameOf(exchange.request);
      sent.push({ name, atMs: clock.monotonicMs() });
      exchange.onSending();
      const answer = clock.sleep(100).then(() => {
        const said = name in answers ? answers[name] : GOOD[name];
        if (!said) throw new Error("reset");
        const { status, body } = said;
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
    line: createSemaphoreLine(),
    totalTimeoutMs: 10_000,
    budget: { graceMs: 2_000 },
    slotsDatabase,
  });
  const ref: ConnectionRef = { id: "c", version: 1, shop: "s", environment: "test", clientId: "client" };
  const credentials = { ...ref, clientSecret: "secret", scope: null, redirectUri: null };
  tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token: null });
  return { clock, sent, answers, account: service.account(ref) };
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

describe("a delete", () => {
  const steps = (clock: ReturnType<typeof simulated>["clock"]) => {
    const told: [string, number][] = [];
    const tell = (what: string) => void told.push([what, clock.monotonicMs()]);
    return { told, tell };
  };

  test("reads the template on its own slot, asks what it is to rest on, announces itself, and goes", async () => {
    const { clock, sent, account } = simulated();
    const { told, tell } = steps(clock);
    const end = account.delete("t-1", {
      ...INTERACTIVE,
      async whenRead({ id }) {
        tell(`read ${id}`);
        await clock.sleep(300);
        tell("asked");
      },
      beforeSend: async () => tell("announced"),
    });
    await clock.run();
    expect(await end).toMatchObject({ kind: "written" });
    expect(sent.slice(1)).toEqual([
      { name: "get", atMs: 3_100 },
      { name: "delete", atMs: 4_205 },
    ]);
    expect(told).toEqual([
      ["read t-1", 3_200],
      ["asked", 3_500],
      ["announced", 4_205],
    ]);
  });

  test("is not announced where the reading says that it is gone, or is another's", async () => {
    for (const [status, id, end] of [
      [404, "t-1", "not_found"],
      [200, "t-2", "!unreadable"],
    ] as const) {
      const { clock, sent, account, answers } = simulated();
      answers.get = { status, body: { data: { ...TEMPLATE, id } } };
      const { told, tell } = steps(clock);
      const told404 = endOf(
        account.delete("t-1", {
          ...INTERACTIVE,
          whenRead: async () => tell("read"),
          beforeSend: async () => tell("announced"),
        }),
      );
      await clock.run();
      expect([await told404, told, sent.map(({ name }) => name)]).toEqual([end, [], ["token", "get"]]);
    }
  });

  test("is not sent where what it was to rest on does not hold, and that error comes out unchanged", async () => {
    const { clock, sent, account } = simulated();
    const changed = new Error("the location is back");
    const end = account
      .delete("t-1", {
        ...INTERACTIVE,
        whenRead: () => Promise.reject(changed),
        beforeSend: async () => expect.unreachable(),
      })
      .catch((caught: unknown) => caught);
    await clock.run();
    expect(await end).toBe(changed);
    expect(sent.map(({ name }) => name)).toEqual(["token", "get"]);
  });

  test.each([
    ["by a slow question", async (clock: VirtualClock) => clock.sleep(9_950)],
    ["by a sleep of the machine", async (clock: VirtualClock) => clock.leap(9_950)],
  ])("is not sent more than ten seconds after its reading was asked for: held up %s", async (_title, whenRead) => {
    const { clock, sent, account } = simulated();
    const end = endOf(
      account.delete("t-1", { ...INTERACTIVE, whenRead: () => whenRead(clock), beforeSend: async () => {} }),
    );
    await clock.run();
    expect([await end, sent.map(({ name }) => name)]).toEqual(["!timeout", ["token", "get"]]);
  });

  test("whose reading is not answered frees its slot after a second and the grace, and may have done nothing", async () => {
    const { clock, sent, account, answers } = simulated();
    answers.get = null;
    const end = endOf(account.delete("t-1", { ...DELETE, ...INTERACTIVE }));
    await clock.run(3_500);
    const others = [1, 2, 3].map(() => account.listPage({ ...INTERACTIVE, page: 1 }));
    await clock.run();
    await Promise.all(others);
    expect(await end).toBe("!transport");
    // The token's slot carries two of them before the reading's is free.
    expect(sent.slice(1)).toEqual([
      { name: "get", atMs: 3_100 },
      { name: "list", atMs: 4_105 },
      { name: "list", atMs: 5_210 },
      { name: "list", atMs: 3_200 + 1_000 + 2_000 },
    ]);
  });
});

test("a pending write that took long to commit sends nothing: its quarantine already runs", async () => {
  const { clock, sent, account } = simulated();
  const end = endOf(account.create(DRAFT, { ...INTERACTIVE, beforeSend: async () => clock.leap(5_100) }));
  await clock.run();
  expect(await end).toBe("!timeout");
  expect(sent.map(({ name }) => name)).toEqual(["token"]);
});

test("a write leaves that was written down in time, however long the questions before took", async () => {
  const { clock, sent, account } = simulated();
  const beforeSend = async () => {
    await clock.sleep(8_000);
    const writtenDown = momentOf(clock);
    await clock.sleep(1_000);
    return writtenDown;
  };
  const end = endOf(account.create(DRAFT, { ...INTERACTIVE, beforeSend }));
  await clock.run();
  expect(await end).toBe("written");
  expect(sent.map(({ name }) => name)).toEqual(["token", "create"]);
});

test("a write whose slot another process has had by then is announced anew on a slot of its own, and is no failure", async () => {
  const clock = virtualClock();
  const memory = createMemorySlots({ clock, isCurrent: () => true });
  const slow = simulated({ clock, slotsDatabase: memory.open() });
  const other = simulated({ clock, slotsDatabase: memory.open() });
  let announced = 0;
  const beforeSend = async () => {
    announced += 1;
    // A slot is anybody's after 18 s.
    if (announced === 1) await clock.sleep(19_000);
    return momentOf(clock);
  };
  const end = endOf(slow.account.create(DRAFT, { ...INTERACTIVE, beforeSend }));
  const busy = (async () => {
    for (let count = 0; count < 40; count += 1) await other.account.listPage({ ...INTERACTIVE, page: 1 });
  })();
  const alsoBusy = (async () => {
    for (let count = 0; count < 40; count += 1) await other.account.listPage({ ...INTERACTIVE, page: 1 });
  })();
  await clock.run(120_000);
  await Promise.all([busy, alsoBusy]);
  expect(await end).toBe("written");
  expect(announced).toBe(2);
  expect(slow.sent.map(({ name }) => name)).toEqual(["token", "create"]);
  const atMs = [...slow.sent, ...other.sent].map((one) => one.atMs).sort((a, b) => a - b);
  expect(atMs.filter((at, index) => at - (atMs[index - 2] ?? -Infinity) < 1_000)).toEqual([]);
});
