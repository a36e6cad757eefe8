import { isAppError } from "../../domain/errors.ts";
import { PRIORITIES, type CallOptions, type Log, type ShippingAccount, type ShippingService } from "../../ports.ts";
import type { TokenStore } from "../../ports.ts";
import type { Series } from "./series.ts";
import { noteLines } from "./watch-log.ts";

/**
 * The shipping service from both sides of its adapter: what rooms ask of it, which waits for slots and tokens, and the requests that left, of
 * which the adapter tells its log one by one. The first less the second is the wait.
 */

/** Statuses of which there are few. All others are named by their hundred. */
const NAMED = new Set([401, 403, 404, 422, 429]);
const TOO_MANY = 429;
/** The service's own, or nobody's who could be told: what was asked is not at fault. */
const FAILURES = new Set(["5xx", "timeout", "transport"]);

/** The log that the adapter is given: each line of a request is counted, and passed on. */
export function watchCalls(log: Log, { calls, called, callsFailed, tooMany }: Series): Log {
  return noteLines(log, ({ operation, durationMs, priority, status, fault }) => {
    if (typeof operation !== "string" || typeof durationMs !== "number") return;
    const outcome = typeof status === "number" ? statusWord(status) : String(fault);
    calls.observe({ operation, priority: String(priority), outcome }, durationMs / 1_000);
    called.inc();
    if (FAILURES.has(outcome)) callsFailed.inc();
    if (status === TOO_MANY) tooMany.inc();
  });
}

function statusWord(status: number): string {
  return NAMED.has(status) ? String(status) : `${Math.floor(status / 100)}xx`;
}

type Asked = (...input: unknown[]) => Promise<unknown>;

/** The same service, whose accounts tell how long what is asked of them takes. */
export function watchService<S extends ShippingService>(service: S, { asked, underWay }: Series): S {
  for (const priority of PRIORITIES) underWay.set({ priority }, 0);
  const timed =
    (operation: string, ask: Asked): Asked =>
    async (...input) => {
      const { priority } = input.at(-1) as CallOptions;
      underWay.inc({ priority });
      const end = asked.startTimer({ operation, priority });
      try {
        const result = await ask(...input);
        end({ end: kindOf(result) });
        return result;
      } catch (error) {
        end({ end: isAppError(error) ? error.kind : "defect" });
        throw error;
      } finally {
        underWay.dec({ priority });
      }
    };
  return {
    ...service,
    account(connection) {
      const account = service.account(connection);
      const watched = Object.entries(account).map(([operation, ask]) => [operation, timed(operation, ask as Asked)]);
      return Object.fromEntries(watched) as unknown as ShippingAccount;
    },
  };
}

/** A definite end has a kind; a list or a probe that came has none. */
function kindOf(result: unknown): string {
  const kind = typeof result === "object" && result !== null && "kind" in result ? result.kind : "answered";
  return String(kind);
}

const RENEWALS = ["renewed", "superseded", "refused"];

export function watchTokens(tokens: TokenStore, { renewals }: Series): TokenStore {
  // Prometheus sees no increase in a series that begins with 1, and one refusal may be all that comes.
  for (const result of RENEWALS) renewals.inc({ result }, 0);
  return {
    read: (connectionId) => tokens.read(connectionId),
    async save(input) {
      const isSaved = await tokens.save(input);
      renewals.inc({ result: isSaved ? "renewed" : "superseded" });
      return isSaved;
    },
    async markInvalid(input) {
      renewals.inc({ result: "refused" });
      await tokens.markInvalid(input);
    },
  };
}
