import type { WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { ServiceRequest } from "../../fakes/shipping/network.ts";

/** What a shop can know from the service's answers. */
export interface AnswersWatch {
  left(request: ServiceRequest): void;
  answered(request: ServiceRequest, answer: WireAnswer): void;
  /** When the service last answered the shop well, token operations aside. */
  lastAnswered(shop: string): number | null;
  /** The age of the shop's newest knowledge of a template: at least as of then an answer showed the template, or showed that it is gone. */
  lastTold(shop: string, templateId: string): number;
  /** As `lastTold`, by answers that showed the template alone: one 404 tells nothing of its address. */
  lastShown(shop: string, templateId: string): number;
  /**
   * What the next GET of the template shows tells the shop nothing before the function given back is called: the process that asks is
   * stopped, its work has passed to another one, and if it is killed so, nobody ever reads the answer. Nor does it tell anything where the
   * process does not keep it, because another one has read the template meanwhile.
   */
  holdBack(shop: string, templateId: string): (read: { isKept: boolean }) => void;
  /** All processes were killed: what they had asked for goes on outside, and nobody reads it. */
  killed(): void;
}

/** What an answer tells of a template: as of when, and whether it shows the template or says that there is none. */
interface Reading {
  atMs: number;
  isShown: boolean;
}

export function createAnswersWatch({
  nowMs,
  listsBehindMs,
  getsBehindMs = 0,
  allAwake,
}: {
  nowMs: () => number;
  listsBehindMs: number;
  getsBehindMs?: number;
  /** Whether no process is stopped: nobody may ever read what comes to one that is. */
  allAwake: () => boolean;
}): AnswersWatch {
  const last = new Map<string, number>();
  const told = new Map<string, number>();
  const shown = new Map<string, number>();
  /** The GET whose answer is held back; null while no answer has come. */
  const heldBack = new Map<string, Reading | null>();
  const sent = new Map<ServiceRequest, number>();
  /** Pages of lists that were not read to the end yet, by reader. */
  const pages = new Map<string, { ids: string[]; atMs: number; total: number }[]>();
  /** The pages that a reader has asked for since it began with the first. */
  const asked = new Map<string, Set<number>>();
  const timesOf = ({ isShown }: Reading) => (isShown ? [told, shown] : [told]);
  const tell = (key: string, reading: Reading) => {
    for (const times of timesOf(reading)) times.set(key, Math.max(reading.atMs, times.get(key) ?? 0));
  };
  const tellOrHoldBack = (key: string, reading: Reading) => {
    if (heldBack.get(key) === null) heldBack.set(key, reading);
    // A GET that is behind a list hides what the list has shown of somebody's change.
    else if (getsBehindMs > 0) for (const times of timesOf(reading)) times.set(key, reading.atMs);
    else tell(key, reading);
  };
  return {
    left(request) {
      sent.set(request, nowMs());
      const { operation, reader, page, perPage } = request;
      if (operation !== "list" || perPage === 1 || page === undefined) return;
      const since = page === 1 ? new Set<number>() : (asked.get(reader) ?? new Set());
      // Each reading begins with the first page. A page that failed may be asked for before that, to see whether a reading is worth it.
      if (page === 1 || since.has(page)) pages.delete(reader);
      asked.set(reader, since.add(page));
    },
    answered(request, { status, body }) {
      const { operation, reader, templateId } = request;
      const sentAtMs = sent.get(request);
      sent.delete(request);
      if (sentAtMs === undefined) return;
      if (status < 300 && operation !== "token" && operation !== "revoke") last.set(reader, nowMs());
      if (operation === "get") {
        const isShown = status === 200 && readableIn(body).includes(templateId);
        if (isShown || status === 404)
          tellOrHoldBack(`${reader} ${templateId}`, { atMs: sentAtMs - getsBehindMs, isShown });
      }
      // The answer to a probe, which requests one row, is ignored, because the app stores nothing of it.
      if (operation !== "list" || status !== 200 || request.perPage === 1) return;
      const page = { ids: readableIn(body), atMs: sentAtMs - listsBehindMs, total: totalIn(body) };
      const read = [...(pages.get(reader) ?? []), page];
      pages.set(reader, read);
      // Templates move between pages while a list is read, so pages count only once all have come. If a book can never be read to its end,
      // Home says that changes in it are not seen (`untold`).
      if (!isLastPage(body)) return;
      pages.delete(reader);
      // Its first pages came to a process that was killed.
      if (read.length < pagesIn(body)) return;
      // Pages of different states of the book make no listing.
      if (read.some(({ total }) => total !== page.total)) return;
      // Which process asked is not known here, so a stopped one may have. Its next list tells.
      if (!allAwake()) return;
      for (const { ids, atMs } of read) for (const id of ids) tell(`${reader} ${id}`, { atMs, isShown: true });
    },
    lastAnswered: (shop) => last.get(shop) ?? null,
    holdBack(shop, templateId) {
      const key = `${shop} ${templateId}`;
      heldBack.set(key, null);
      return ({ isKept }) => {
        const reading = heldBack.get(key);
        if (isKept && reading) tell(key, reading);
        heldBack.delete(key);
      };
    },
    killed() {
      sent.clear();
      pages.clear();
    },
    lastTold: (shop, templateId) => told.get(`${shop} ${templateId}`) ?? 0,
    lastShown: (shop, templateId) => shown.get(`${shop} ${templateId}`) ?? 0,
  };
}

/** The templates that an answer shows. A proxy's page may have status 200, too, and a row without an address does not show its template. */
function readableIn(body: string): string[] {
  const ids: string[] = [];
  const note = (_key: string, value: unknown): unknown => {
    const { id, address } = (value ?? {}) as { id?: unknown; address?: unknown };
    if (typeof id === "string" && typeof address === "object" && address !== null) ids.push(id);
    return value;
  };
  try {
    JSON.parse(body, note);
  } catch {
    return [];
  }
  return ids;
}

interface Meta {
  current_page?: unknown;
  total_pages?: unknown;
  total_count?: unknown;
}

function metaIn(body: string): Meta {
  try {
    return (JSON.parse(body) as { meta?: Meta }).meta ?? {};
  } catch {
    return {};
  }
}

function totalIn(body: string): number {
  return Number(metaIn(body).total_count);
}

function pagesIn(body: string): number {
  return Number(metaIn(body).total_pages);
}

function isLastPage(body: string): boolean {
  return Number(metaIn(body).current_page) >= pagesIn(body);
}
