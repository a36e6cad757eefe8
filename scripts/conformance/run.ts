import type { Clock } from "../../app/ports.ts";
import type { Asking } from "./asking.ts";
import type { Journal } from "./journal.ts";
import { askOrder, askPages, askRefusal, askUnknownIds, makeTemplates } from "./probes/book.ts";
import { askCarriers } from "./probes/carriers.ts";
import { askCreatedAppears, askDeletedDisappears } from "./probes/lateness.ts";
import { askNothing, askPartial, askStreetNumber } from "./probes/patches.ts";
import { askTokens, askUnauthorized, askWrongSecret } from "./probes/tokens.ts";
import { askLengths, askText } from "./probes/words.ts";
import { createScratch, type Left } from "./scratch.ts";
import type { Seen } from "./seen.ts";
import { shapeOf } from "./shape.ts";
import type { Service } from "./service.ts";

/** One run: what earlier ones left is deleted, everything is asked, what was made is deleted, whatever happened meanwhile. */

const STEPS: readonly { says: string; ask: (asking: Asking) => Promise<void> }[] = [
  { says: "Pages of the list", ask: askPages },
  { says: "Three scratch templates", ask: makeTemplates },
  { says: "How late a new template appears", ask: askCreatedAppears },
  { says: "The list's order", ask: askOrder },
  { says: "Ids that no template has", ask: askUnknownIds },
  { says: "An address that is not complete", ask: askRefusal },
  { says: "A change of one field", ask: askPartial },
  { says: "The list's order after it", ask: askOrder },
  {
    says: "null, empty text, the street's number",
    ask: async (asking) => {
      await askNothing(asking);
      await askStreetNumber(asking);
    },
  },
  { says: "Accents, spaces, letters", ask: askText },
  { says: "Lengths", ask: askLengths },
  { says: "A deletion", ask: askDeletedDisappears },
  {
    says: "A token that nobody issued, and a wrong secret",
    ask: async (asking) => {
      await askUnauthorized(asking);
      await askWrongSecret(asking);
    },
  },
  { says: "Carriers", ask: askCarriers },
  { says: "Tokens", ask: askTokens },
];

export interface RunOptions {
  service: Service;
  journal: Journal;
  clock: Clock;
  mark: string;
  carriers: readonly string[];
  lateMs: number;
  followMs: number;
  signal: AbortSignal;
  tell(line: string): void;
  /** Only deletes what earlier runs left. */
  cleanOnly?: boolean | undefined;
}

export interface Ended {
  seen: Seen;
  left: Left[];
  counts: { made: number; deleted: number; calls: number };
  /** Why it ended before everything was asked; null where everything was. */
  stopped: string | null;
}

/** Never rejects. What it made is deleted when it resolves, but for what `left` names. */
export async function runConformance(options: RunOptions): Promise<Ended> {
  const { service, signal, tell, journal } = options;
  const seen: Seen = {};
  const call = { priority: "sync", signal } as const;
  const scratch = createScratch({ ...options });
  const asking: Asking = {
    ...options,
    scratch,
    seen,
    made: {},
    call,
    write: { ...call, beforeSend: async () => undefined },
  };
  let stopped: string | null = null;
  const before = journal.open().length;
  if (before > 0) tell(`Deleting what earlier runs left: ${before}`);
  const leftBefore = before > 0 ? await scratch.clean() : [];
  try {
    for (const { says, ask } of options.cleanOnly ? [] : STEPS) {
      signal.throwIfAborted();
      tell(says);
      await ask(asking);
    }
  } catch (error) {
    stopped = signal.aborted ? "stopped by hand" : error instanceof Error ? error.message : "failed";
  }
  noteHeaders(asking);
  const open = journal.open().length - leftBefore.length;
  if (open > 0) tell(`Deleting what this run made: ${open}`);
  const left = journal.open().length > 0 ? await scratch.clean() : [];
  return { seen, left, counts: { ...scratch.counts(), calls: service.recorder.calls() }, stopped };
}

const RATE = /rate-?limit|^retry-after$/;
const IDEMPOTENCY = /idempoten/;

function noteHeaders({ service: { recorder }, seen }: Asking): void {
  const names = [...recorder.headerNames()].sort();
  if (names.length === 0) return;
  const tooMany = recorder.tooMany();
  seen.rateHeaders = names.filter((name) => RATE.test(name));
  seen.idempotencyHeaders = names.filter((name) => IDEMPOTENCY.test(name));
  if (!tooMany) return;
  const after = tooMany.headers["retry-after"];
  const retryAfter = after === undefined ? "absent" : /^\d+$/.test(after) ? "seconds" : "date";
  seen.tooMany = { ...shapeOf(tooMany), retryAfter };
}
