import { expect, test } from "vitest";
import { createProcessClock } from "../../../app/adapters/machine/clock.ts";
import type { Exchange, Network, WireAnswer } from "../../../app/adapters/shipping/network.ts";
import { assembleShippingService } from "../../../app/adapters/shipping/service.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { createVirtualClock } from "../../fakes/clock.ts";
import { createSemaphoreLine } from "../../fakes/semaphore-line.ts";
import { createMachine } from "../../fakes/machine.ts";
import { endOf, GOOD, nameOf } from "./support/operations.ts";
import { DRAFT, INTERACTIVE, memoryTokenStore } from "./support/world.ts";

/**
 * A machine that sleeps, or a process that is stopped, with a write announced or under way: its quarantine must not be over when the
 * bytes leave, and nothing may be taken for fresh that is not.
 */

const HOUR_MS = 3_600_000;

interface Wire {
  connectingMs: number;
  answersAfterMs: number | null;
}

function started() {
  const world = createVirtualClock();
  const machine = createMachine(world);
  const clock = createProcessClock(machine);
  const wire: Wire = { connectingMs: 10, answersAfterMs: 50 };
  const sent: string[] = [];
  const stopped: string[] = [];
  /** Both, in their order. */
  const events: string[] = [];
  const network: Network = {
    offers: () => true,
    exchange(exchange: Exchange) {
      const name = nameOf(exchange.request);
      const { connectingMs, answersAfterMs } = name === "token" ? { connectingMs: 0, answersAfterMs: 10 } : { ...wire };
      const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
      // The process connects and reads while it is awake; the wire itself never sleeps.
      machine.after(connectingMs, () => {
        if (!exchange.onSending()) return reject(new Error("kept back"));
        sent.push(name);
        events.push(`${name} sent`);
        if (answersAfterMs === null) return;
        world.after(answersAfterMs, () =>
          machine.after(0, () => {
            exchange.onAnswer();
            const { status, body } = GOOD[name];
            resolve({ status, headers: {}, body: JSON.stringify(body), cutShort: null });
          }),
        );
      });
      return {
        answer: promise,
        stop() {
          stopped.push(name);
          events.push(`${name} torn down`);
          reject(new Error("stopped"));
        },
      };
    },
    close: async () => undefined,
  };
  const tokens = memoryTokenStore();
  const service = assembleShippingService({
    userAgent: "test",
    clock,
    random: { next: () => 0.5, id: () => "id" },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    tokens: tokens.store,
    network,
    line: createSemaphoreLine(),
    totalTimeoutMs: 10_000,
    budget: { graceMs: 0, openAtOnce: true },
  });
  const ref: ConnectionRef = { id: "c", version: 1, shop: "s", environment: "test", clientId: "client" };
  const credentials = { ...ref, clientSecret: "secret", scope: null, redirectUri: null };
  tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token: null });
  const account = service.account(ref);
  const write = (beforeSend = async () => {}) => endOf(account.create(DRAFT, { ...INTERACTIVE, beforeSend }));
  const read = () => endOf(account.get("t-1", INTERACTIVE));
  return { world, machine, wire, sent, stopped, events, write, read };
}

test("a write whose connection opens too long after its announcement is not sent", async () => {
  const { world, wire, sent, write } = started();
  wire.connectingMs = 5_100;
  expect(await world.runWhile(write())).toBe("!timeout");
  wire.connectingMs = 4_900;
  expect(await world.runWhile(write())).toBe("written");
  expect(sent).toEqual(["token", "create"]);
});

test("a write is not sent when its machine slept while the pending write committed", async () => {
  const { world, machine, sent, write } = started();
  const slept = async () => {
    machine.suspend(HOUR_MS);
    await machine.whileAwake(Promise.resolve());
  };
  expect(await world.runWhile(write(slept), 2 * HOUR_MS)).toBe("!timeout");
  expect(sent).toEqual(["token"]);
});

test("a write is not sent when its machine slept while it connected", async () => {
  const { world, machine, wire, sent, write } = started();
  wire.connectingMs = 100;
  const soon = async () => void world.after(50, () => machine.suspend(HOUR_MS));
  expect(await world.runWhile(write(soon), 2 * HOUR_MS)).toBe("!timeout");
  expect(sent).toEqual(["token"]);
});

test("a read needs no announcement: it goes whenever its connection opens", async () => {
  const { world, wire, sent, read } = started();
  wire.connectingMs = 5_100;
  expect(await world.runWhile(read())).toBe("found");
  expect(sent).toEqual(["token", "get"]);
});

test("what was under way when the machine fell asleep is torn down within a second of its waking, its end unclear", async () => {
  const { world, machine, wire, stopped, write } = started();
  wire.answersAfterMs = null;
  const soon = async () => void world.after(500, () => machine.suspend(HOUR_MS));
  const end = write(soon);
  await world.runFor(HOUR_MS - 1_000);
  expect(stopped).toEqual([]);
  await world.runFor(3_000);
  expect(stopped).toEqual(["create"]);
  expect(await world.runWhile(end)).toBe("!timeout?");
});

test("nothing new leaves before what is overdue is torn down", async () => {
  const { world, machine, wire, events, write, read } = started();
  wire.answersAfterMs = null;
  const end = write(async () => void world.after(1_500, () => machine.suspend(HOUR_MS)));
  await world.runFor(10_000);
  wire.answersAfterMs = 50;
  // Sooner than the next look, which was half a second away when the machine fell asleep; a slot was free by then.
  await world.runFor(HOUR_MS - 8_400);
  expect(await world.runWhile(read())).toBe("found");
  expect(events).toEqual(["token sent", "create sent", "create torn down", "get sent"]);
  expect(await end).toBe("!timeout?");
});

test("an answer that comes after its time is none: what it says may be an hour old", async () => {
  const { world, machine, wire, sent, read } = started();
  wire.answersAfterMs = 200;
  world.after(150, () => machine.suspend(HOUR_MS));
  expect(await world.runWhile(read(), 2 * HOUR_MS)).toBe("found");
  expect(sent).toEqual(["token", "get", "get"]);
});

test("a wall clock that is set back tears nothing down", async () => {
  const { world, machine, wire, stopped, write } = started();
  wire.answersAfterMs = 9_000;
  world.after(500, () => machine.jump(-HOUR_MS));
  expect(await world.runWhile(write())).toBe("written");
  expect(stopped).toEqual([]);
});

test("without a sleep a request ends after its whole time, not before", async () => {
  const { world, wire, stopped, write } = started();
  wire.answersAfterMs = null;
  const end = write();
  await world.runFor(9_900);
  expect(stopped).toEqual([]);
  await world.runFor(200);
  expect(stopped).toEqual(["create"]);
  expect(await end).toBe("!timeout?");
});
