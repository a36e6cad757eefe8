import type { SeededRandom } from "../../fakes/random.ts";
import { createFakeAccount } from "../../fakes/shipping/account.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { Habits } from "../../fakes/shipping/habits.ts";

/** The service's accounts, and which client ids open them. */
export interface Accounts {
  /** Null: there is no such client. */
  of(clientId: string, environment: string): FakeAccount | null;
  readonly all: readonly FakeAccount[];
}

/**
 * The clients beside the connected one: another client id of the same account, one of another account, and the same client id in the
 * test environment.
 */
export const CLIENTS = {
  same: { environment: "production", clientId: "client-2" },
  other: { environment: "production", clientId: "client-3" },
  trial: { environment: "test", clientId: "client-1" },
} as const;

const ACCOUNT_OF: Record<string, string> = {
  "production client-1": "first",
  "production client-2": "first",
  "production client-3": "second",
  "production client-4": "third",
  "test client-1": "live",
};

export function createAccounts(
  random: SeededRandom,
  given: { habits: Habits; nowMs: () => number; hidesWords: () => boolean },
): Accounts {
  const accounts = new Map<string, FakeAccount>();
  for (const name of new Set(Object.values(ACCOUNT_OF)))
    accounts.set(name, createFakeAccount({ ...given, newId: () => random.id() }));
  return {
    of: (clientId, environment) => accounts.get(ACCOUNT_OF[`${environment} ${clientId}`] ?? "") ?? null,
    all: [...accounts.values()],
  };
}
