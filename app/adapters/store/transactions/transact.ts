import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Prisma, PrismaClient } from "@prisma/client";
import { AppError } from "../../../domain/errors.ts";
import type { Transaction } from "../../../ports.ts";
import { storeFault } from "../faults.ts";
import type { Calls } from "./failed-once.ts";
import { createLines } from "./lines.ts";
import { isRetryable } from "./retryable.ts";

export interface Transactions {
  /** The client outside of transactions; throws when it must not be used now. */
  root(): PrismaClient;
  /**
   * Runs `work` when it is the shop's turn, in one transaction; null is every shop's turn. `work` writes down in `calls` what failed,
   * and runs again when the database asks for that.
   */
  run<T>(shop: string | null, work: (client: Prisma.TransactionClient, calls: Calls) => Promise<T>): Promise<T>;
  /** Runs `work` as inside a transaction: it may use only what it was handed, and no `root`. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for what runs, and lets nothing more in. */
  close(): Promise<void>;
}

/** A template's id is unique in an environment. */
type TemplateKey = Parameters<Transaction["takeTemplate"]>[0];

export interface Turns {
  /** Transactions that may run at once. */
  most: number;
  /** What a transaction does first, where other processes may be at work. */
  lock: (client: Prisma.TransactionClient, shop: string | null) => Promise<unknown>;
  /** What a transaction does before it reads what another shop's may be writing of a template. */
  lockTemplate: (client: Prisma.TransactionClient, template: TemplateKey) => Promise<unknown>;
}

const MOST_TRIES = 10;
const LONGEST_REST_MS = 20;

/**
 * Transactions of a shop run one after another; without `turns` all do, for SQLite has one writer. Shops come in turn: who has many waiting
 * keeps nobody else for longer than one of them takes.
 */
export function createTransactions(prisma: PrismaClient, turns: Turns | null): Transactions {
  const inside = new AsyncLocalStorage<{ open: boolean }>();
  const lines = createLines(turns?.most ?? 1);
  let closing: Promise<void> | null = null;

  const root = (): PrismaClient => {
    // Prisma would quietly connect again, without the lock.
    if (closing) throw new AppError({ kind: "cancelled", message: "store: it is closed" });
    // It would wait for the transaction around it, and that one for it.
    if (inside.getStore()?.open) throw internal("inside a transaction, use only the tables handed in");
    return prisma;
  };

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    const state = { open: true };
    return inside.run(state, () => work().finally(() => (state.open = false)));
  };

  const once = async <T>(
    shop: string | null,
    work: (client: Prisma.TransactionClient, calls: Calls) => Promise<T>,
  ): Promise<T> => {
    const calls: Calls = { failure: null };
    let thrown: { error: unknown } | null = null;
    try {
      return await prisma.$transaction(async (client) => {
        await turns?.lock(client, shop);
        return guard(async () => {
          try {
            const result = await work(client, calls);
            if (calls.failure) throw calls.failure.error;
            return result;
          } catch (error) {
            thrown = { error };
            throw error;
          }
        });
      });
    } catch (error) {
      const failure = calls.failure?.error;
      if (failure !== undefined && isRetryable(failure)) throw failure;
      throw thrown ? (thrown as { error: unknown }).error : storeFault("a transaction", error);
    }
  };

  return {
    root,
    guard,
    async run(shop, work) {
      root();
      return lines.enter(shop, async () => {
        for (let tries = 1; ; tries += 1) {
          try {
            return await once(shop, work);
          } catch (error) {
            if (tries === MOST_TRIES || !isRetryable(error)) throw error;
            await delay(Math.random() * LONGEST_REST_MS * tries);
          }
        }
      });
    },
    close: () => (closing ??= lines.idle()),
  };
}

function internal(message: string): AppError {
  return new AppError({ kind: "internal", message: `store: ${message}` });
}
