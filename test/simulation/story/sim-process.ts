import { TABLE_NAMES } from "../../../app/http/every-table.ts";
import { createProcessClock } from "../../../app/adapters/machine/clock.ts";
import type { Machine } from "../../../app/adapters/machine/clock.ts";
import type { RenewableSessions } from "../../../app/adapters/shopify/offline-client.ts";
import type { Clock, ProcessClock, ShopifyAdmin, Store, Tables, Transaction } from "../../../app/ports.ts";
import { sleepOn } from "../../fakes/clock.ts";

/**
 * One process of the app, which can die or freeze before and after any call of a port. What it requested goes on outside. The answers never
 * reach a dead process, and reach a frozen one when it thaws.
 */
export interface Life {
  readonly dead: boolean;
  /** Called before and after each port call; it may kill or freeze the process. */
  tick(): void;
  die(): void;
  freeze(ms: number): void;
  /** When the process thaws, or last thawed. */
  readonly frozenUntilMs: number;
  /** The process's clock. It stands still while the process is frozen, and began at its machine's wall clock. */
  clock: ProcessClock;
  /** Its machine's clocks, with the process's own timers. */
  machine: Machine;
  /** Makes a port call: a dead or frozen process makes none, and a process gets the answer only while it is awake. */
  call<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves once the process is awake; never when it is dead. */
  awake(): Promise<void>;
  /** Resolves when the process dies. */
  death: Promise<void>;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

export function createLife({
  clock,
  machine,
  onTick,
  onDeath,
}: {
  clock: Clock;
  machine: Machine;
  onTick: (life: Life) => void;
  onDeath: () => void;
}): Life {
  let dead = false;
  let frozenUntilMs = 0;
  const { promise: death, resolve: died } = Promise.withResolvers<void>();

  const after: Clock["after"] = (ms, call) => {
    let cancel = () => {};
    const fire = () => {
      if (dead) return;
      const leftMs = frozenUntilMs - clock.nowMs();
      if (leftMs <= 0) call();
      else cancel = machine.after(leftMs, fire);
    };
    cancel = machine.after(ms, fire);
    return () => cancel();
  };

  const own: Machine = { ...machine, after, sleep: (ms, signal) => sleepOn(after, ms, signal) };
  const life: Life = {
    get dead() {
      return dead;
    },
    get frozenUntilMs() {
      return frozenUntilMs;
    },
    death,
    tick: () => onTick(life),
    die() {
      if (dead) return;
      dead = true;
      onDeath();
      died();
    },
    freeze(ms) {
      frozenUntilMs = Math.max(frozenUntilMs, clock.nowMs() + ms);
    },
    clock: createProcessClock(own),
    machine: own,
    async call(work) {
      // An answer that reaches a frozen process has no effect before it thaws.
      if (isFrozen()) await awake();
      if (!dead) life.tick();
      if (dead) return never();
      try {
        const value = await work();
        await heard();
        return value;
      } catch (error) {
        await heard();
        throw error;
      }
    },
    awake,
  };

  function isFrozen(): boolean {
    return !dead && frozenUntilMs > clock.nowMs();
  }

  async function heard(): Promise<void> {
    if (!dead) life.tick();
    await awake();
  }

  async function awake(): Promise<void> {
    while (isFrozen()) await clock.sleep(frozenUntilMs - clock.nowMs());
    if (dead) await never();
  }

  return life;
}

type Methods = Record<string, (...given: never[]) => Promise<unknown>>;

/** A port whose methods all pass through the process's life. */
export function throughLife<P extends object>(life: Life, port: P): P {
  const wrapped: Methods = {};
  for (const [name, method] of Object.entries(port) as [string, (...given: unknown[]) => Promise<unknown>][]) {
    wrapped[name] = (...given: unknown[]) => life.call(() => method(...given));
  }
  return wrapped as P;
}

function tablesThroughLife(life: Life, tables: Tables): Tables {
  const wrapped = {} as Record<string, unknown>;
  for (const name of TABLE_NAMES) wrapped[name] = throughLife(life, tables[name]);
  return wrapped as unknown as Tables;
}

/** A process may die between any two statements of a transaction. It freezes only before or after one. */
function mortalTables(life: Life, tables: Transaction): Transaction {
  return new Proxy(tables, {
    get(target, name) {
      if (life.dead) return undefined;
      life.tick();
      return target[name as keyof Transaction];
    },
  });
}

export function storeThroughLife(life: Life, store: Store): Store {
  return {
    ...tablesThroughLife(life, store),
    postalCodes: throughLife(life, store.postalCodes),
    transaction: (shop, work) => life.call(() => store.transaction(shop, (tables) => work(mortalTables(life, tables)))),
    eraseShop: (shop, only) => life.call(() => store.eraseShop(shop, only)),
  };
}

export function shopifyThroughLife(life: Life, shopify: ShopifyAdmin): ShopifyAdmin {
  const { locations, location, shopDetails, standing, grantedScopes, tellFlow } = shopify;
  return throughLife(life, { locations, location, shopDetails, standing, grantedScopes, tellFlow });
}

/** A session that was renewed for a process which has died is not stored. */
export function storageThroughLife(life: Life, storage: RenewableSessions): RenewableSessions {
  return throughLife(life, storage);
}
