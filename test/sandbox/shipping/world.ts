/** The state of one run of the stand-in, from its start or its last reset. */
import type { AddressBook } from "./address-book.ts";
import { createAddressBook } from "./address-book.ts";
import type { Arrivals } from "./arrivals.ts";
import { createArrivals } from "./arrivals.ts";
import type { Chance } from "./chance.ts";
import { createChance } from "./chance.ts";
import type { Faults } from "./faults.ts";
import { createFaults } from "./faults.ts";
import type { Behaviour, BehaviourChange, ClientApplication, ShippingServiceOptions } from "./options.ts";
import { DEFAULT_BEHAVIOUR, sandboxClient } from "./options.ts";
import { ENVIRONMENTS } from "./routing.ts";
import type { Tally } from "./tally.ts";
import { createTally } from "./tally.ts";
import type { Tokens } from "./tokens.ts";
import { createTokens } from "./tokens.ts";
import type { WriteLog } from "./write-log.ts";
import { createWriteLog } from "./write-log.ts";

export interface CapturedRequest {
  method: string;
  url: string;
  rawHeaders: string[];
  body: string;
}

export interface World {
  seed: number;
  behaviour: Behaviour;
  chance: Chance;
  tokens: Tokens;
  book: AddressBook;
  log: WriteLog;
  arrivals: Arrivals;
  faults: Faults;
  tally: Tally;
  requests: CapturedRequest[];
  keepRequests: number;
  /** Epoch ms. */
  nowMs(): number;
  /** Runs an effect after its answer was lost. */
  later(delayMs: number, effect: () => void): void;
  pendingEffects(): number;
  /** Cancels the effects that are still pending. */
  end(): void;
  /** Called at every change of what a restart keeps. */
  changed(): void;
}

export interface WorldParts {
  options: ShippingServiceOptions;
  /** How many resets came before: a reset never gives an id out twice. */
  resets: number;
  changed: () => void;
}

const DEFAULT_LOG_LIMIT = 20_000;

export function createWorld({ options, resets, changed }: WorldParts): World {
  const seed = options.seed ?? 1;
  const behaviour = behaviourOf(options);
  const chance = createChance(seed + resets * 1_000_003);
  const tokens = createTokens({ behaviour, chance });
  for (const client of clientsOf(options.clients ?? 2)) tokens.addClient(client);
  const log = createWriteLog(options.logLimit ?? DEFAULT_LOG_LIMIT);
  const nowMs = () => Date.now();
  const markerPattern = options.markerPattern
    ? new RegExp(options.markerPattern.source, options.markerPattern.flags.replace(/[gy]/g, ""))
    : null;
  const faults = createFaults(chance);
  faults.set(options.faults ?? []);
  const pending = new Set<NodeJS.Timeout>();

  return {
    seed,
    behaviour,
    chance,
    tokens,
    book: createAddressBook({ behaviour, chance, log, nowMs, markerPattern, changed }),
    log,
    arrivals: createArrivals(),
    faults,
    tally: createTally(),
    requests: [],
    keepRequests: options.keepRequests ?? 0,
    nowMs,
    later(delayMs, effect) {
      const timer = setTimeout(() => {
        pending.delete(timer);
        effect();
      }, delayMs);
      pending.add(timer);
    },
    pendingEffects: () => pending.size,
    end() {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    },
    changed,
  };
}

function clientsOf(clients: ClientApplication[] | number): ClientApplication[] {
  if (typeof clients !== "number") return clients;
  return ENVIRONMENTS.flatMap((environment) =>
    Array.from({ length: clients }, (_, index) => sandboxClient(environment, index + 1)),
  );
}

function behaviourOf(options: ShippingServiceOptions): Behaviour {
  const behaviour: Behaviour = { ...DEFAULT_BEHAVIOUR, verification: { ...DEFAULT_BEHAVIOUR.verification } };
  const choices = Object.entries(options).filter(([name, value]) => name in behaviour && value !== undefined);
  changeBehaviour(behaviour, Object.fromEntries(choices));
  return behaviour;
}

/** Adopts the given choices. Throws a RangeError for an unknown name, and then changes nothing. */
export function changeBehaviour(behaviour: Behaviour, part: BehaviourChange): void {
  const { verification = {}, ...choices } = part;
  const unknown =
    Object.keys(choices).find((name) => !(name in behaviour)) ??
    Object.keys(verification).find((name) => !(name in behaviour.verification));
  if (unknown !== undefined) throw new RangeError(`${unknown}: not a choice of the behaviour`);
  Object.assign(behaviour, choices);
  Object.assign(behaviour.verification, verification);
}
