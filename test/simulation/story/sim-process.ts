import { createProcessClock } from "../../../app/adapters/machine/clock.ts";
import type { Machine } from "../../../app/adapters/machine/clock.ts";
import type { RenewableSessions } from "../../../app/adapters/shopify/offline-client.ts";
import type {
  Clock,
  ConnectionRef,
  ProcessClock,
  ShippingAccount,
  ShippingService,
  ShopifyAdmin,
  Store,
  Tables,
  Transaction,
  WriteOptions,
} from "../../../app/ports.ts";
import { AppError } from "../../../app/domain/errors.ts";
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
    clock: createProcessClock({ ...machine, after, sleep: (ms, signal) => sleepOn(after, ms, signal) }),
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
function throughLife<P extends object>(life: Life, port: P): P {
  const wrapped: Methods = {};
  for (const [name, method] of Object.entries(port) as [string, (...given: unknown[]) => Promise<unknown>][]) {
    wrapped[name] = (...given: unknown[]) => life.call(() => method(...given));
  }
  return wrapped as P;
}

const TABLES = [
  "shops",
  "connections",
  "locations",
  "details",
  "links",
  "templates",
  "verifications",
  "workItems",
  "pendingWrites",
  "receipts",
  "drafts",
  "activity",
  "jobs",
  "jobItems",
] as const satisfies readonly (keyof Tables)[];

function tablesThroughLife(life: Life, tables: Tables): Tables {
  const wrapped = {} as Record<string, unknown>;
  for (const name of TABLES) wrapped[name] = throughLife(life, tables[name]);
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
  const { locations, location, shopDetails, standing, grantedScopes } = shopify;
  return throughLife(life, { locations, location, shopDetails, standing, grantedScopes });
}

/** A session that was renewed for a process which has died is not stored. */
export function storageThroughLife(life: Life, storage: RenewableSessions): RenewableSessions {
  return throughLife(life, storage);
}

/** A process that has stopped before it asks for a template, and is told when it has asked, and when it has read the answer. */
export interface Starved {
  asked(): void;
  heard(): void;
}

/** So long after an answer a process that is awake has kept what it says. */
const KEPT_AFTER_MS = 1_000;

/** A service that several processes share: what a dead process was about to announce is not sent. */
export function shippingThroughLife(
  life: Life,
  shipping: ShippingService,
  {
    starve,
    unheard,
  }: {
    starve: (ref: ConnectionRef, templateId: string) => Starved | null;
    /** What a GET showed has come to the process, which may be stopped. Gives what to call once it has read that. */
    unheard: (ref: ConnectionRef, templateId: string) => () => void;
  },
): ShippingService {
  return {
    ...shipping,
    account(ref) {
      const account = shipping.account(ref);
      const get: ShippingAccount["get"] = (templateId, options) => {
        const starved = starve(ref, templateId);
        let read = () => {};
        const heard = life.call(async () => {
          const answer = account.get(templateId, options);
          starved?.asked();
          const found = await answer;
          // It may be stopped, or stop right here, and whoever runs in its place knows nothing of it.
          read = unheard(ref, templateId);
          return found;
        });
        void heard.then(
          () => read(),
          () => undefined,
        );
        // It may freeze again, and die so, before it has written anything down.
        return heard.finally(() => starved && life.clock.after(KEPT_AFTER_MS, () => starved.heard()));
      };
      return { ...accountThroughLife(life, account), get };
    },
    obtainToken: (credentials, options) => life.call(() => shipping.obtainToken(credentials, options)),
  };
}

function accountThroughLife(life: Life, account: ShippingAccount): ShippingAccount {
  // A frozen process takes up its slot only when it thaws. A process that died with a slot in hand gives the slot back.
  const orDies = <T>(work: () => Promise<T>): Promise<T> =>
    Promise.race([
      life.awake().then(work),
      life.death.then(() => {
        throw new AppError({ kind: "cancelled", message: "the process died", effect: "none" });
      }),
    ]);
  const mortal = <O extends WriteOptions>(options: O): O => ({
    ...options,
    beforeSend: () => orDies(() => options.beforeSend()),
  });
  return throughLife(life, {
    ...account,
    create: (draft, options) => account.create(draft, mortal(options)),
    update: (templateId, patch, options) => account.update(templateId, patch, mortal(options)),
    delete: (templateId, options) =>
      account.delete(templateId, {
        ...mortal(options),
        whenRead: (template) => orDies(() => options.whenRead(template)),
      }),
  });
}
