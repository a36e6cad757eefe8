import { markerIn, markerOf } from "../../../app/domain/marker.ts";
import type { TemplateDraft } from "../../../app/domain/records.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { CallOutcome, Operation, ServiceRequest } from "../../fakes/shipping/network.ts";
import type { SeededRandom } from "../../fakes/random.ts";

/** A fault that sticks: one operation on one template, or one page of the list, always ends in the same way, also in the calm. */
export interface Stuck {
  operation: Exclude<Operation, "token" | "revoke" | "introspect">;
  /** The location whose template it is; null for a list. */
  at: { shop: string; locationId: string } | null;
  /** The page of a list; null for every page. */
  page: number | null;
  how: "says_500" | "says_502" | "silent" | "unreadable" | "empty" | "says_404" | "says_202" | Refusal;
  /** The write takes effect all the same, where it is not refused. */
  takesEffect: boolean;
  fromMs: number;
  untilMs: number;
}

/** The service refuses this alone, as it would everything else with a wrong token or too many requests. */
const REFUSALS = ["says_401", "says_403", "says_429"] as const;
type Refusal = (typeof REFUSALS)[number];

const OPERATIONS = ["get", "update", "delete", "verify", "create", "list"] as const;
/** Kinds that show only together with something else are drawn more often. */
const DRAWN = [...OPERATIONS, "verify", "list", "delete"] as const;

function isWrite({ operation }: Stuck): boolean {
  return operation === "create" || operation === "update" || operation === "delete";
}

/** How long a fault sticks in the calm: long enough for the pages to tell of everything, and for other work to be served. */
const STICKS_MS = 20 * 60_000;
/** Some writes fail for so long that it shows how often they are tried in an hour, and after that. */
const STICKS_LONG_MS = 85 * 60_000;
const EMPTIED_AFTER_MS = [3_000, 60_000] as const;

/** The fault of a story that has one. */
export function drawAllStuck(
  random: SeededRandom,
  scene: {
    startMs: number;
    endsAtMs: number;
    shops: readonly { shop: string; locationIds: string[] }[];
    pages: number;
  },
): Stuck[] {
  if (!random.chance(0.15)) return [];
  const { shop, locationIds } = random.pick(scene.shops);
  const fromMs = scene.startMs + random.between(0, scene.endsAtMs - scene.startMs);
  const untilMs = scene.endsAtMs + STICKS_MS;
  const at = { shop, locationId: random.pick(locationIds) };
  const stuck = drawStuck(random, { at, fromMs, untilMs, pages: scene.pages });
  // Locations are given templates at the beginning; what a list leaves out does harm if it was known before.
  if (stuck.how === "empty")
    return [{ ...stuck, fromMs: scene.startMs + random.fork("emptied").between(...EMPTIED_AFTER_MS) }];
  const isLong = isWrite(stuck) && random.fork("long").chance(0.25);
  return [isLong ? { ...stuck, untilMs: scene.endsAtMs + STICKS_LONG_MS } : stuck];
}

function drawStuck(
  random: SeededRandom,
  { at, fromMs, untilMs, pages }: { at: Stuck["at"]; fromMs: number; untilMs: number; pages: number },
): Stuck {
  const operation = random.pick(DRAWN);
  const isList = operation === "list";
  const stuck: Stuck = {
    operation,
    at: isList ? null : at,
    page: isList && pages > 1 && random.chance(0.8) ? random.between(1, pages) : null,
    how: random.pick(["says_500", "says_500", "says_502", "silent", "unreadable"]),
    takesEffect: (operation === "update" || operation === "verify") && random.chance(0.2),
    fromMs,
    untilMs,
  };
  const refusals = random.fork("refusals");
  // The list goes on showing it.
  if (operation === "get" && random.fork("not found").chance(0.4)) return { ...stuck, how: "says_404" };
  if (isList && random.fork("empty lists").chance(0.5)) return { ...stuck, page: null, how: "empty" };
  if (operation === "verify" && random.fork("no template").chance(0.3))
    return { ...stuck, how: "says_202", takesEffect: true };
  return refusals.chance(0.3)
    ? { ...stuck, how: refusals.pick([...REFUSALS, "says_429"] as const), takesEffect: false }
    : stuck;
}

function isRefusal(how: Stuck["how"]): how is Refusal {
  return (REFUSALS as readonly string[]).includes(how);
}

/** Whether the fault hits a request. */
export function isStuck(
  { operation, at, page, fromMs, untilMs }: Stuck,
  { request, account, nowMs }: { request: ServiceRequest; account: FakeAccount | null; nowMs: number },
): boolean {
  if (request.operation !== operation || nowMs < fromMs || nowMs >= untilMs) return false;
  if (at === null) return page === null || request.page === page;
  const marker = markerOf(at.shop, at.locationId);
  if (operation === "create")
    return markerIn((request.body["address_template"] as TemplateDraft).alias_name) === marker;
  return account?.madeFor.get(request.templateId) === marker;
}

/** What the service says where it refuses something for good. */
export const REFUSED_WORDS = "No tienes permiso sobre esta plantilla";
const DENIED = JSON.stringify({ message: REFUSED_WORDS });
/** The counts agree that there is nothing. */
const NO_ROWS = JSON.stringify({
  data: [],
  meta: { total_count: 0, per_page: 20, current_page: 1, total_pages: 1, next_page: null, prev_page: null },
});
const WORDS = JSON.stringify({ message: "Error interno al guardar la plantilla" });

export function outcomeOfStuck({ how, takesEffect }: Stuck): CallOutcome {
  const effectAfterMs = takesEffect ? 0 : null;
  switch (how) {
    case "says_500":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "said", status: 500, body: WORDS, afterMs: 20 } };
    case "says_502":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "server_error", afterMs: 20 } };
    case "silent":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "silence" } };
    case "empty":
      return {
        arrivesAfterMs: 20,
        effectAfterMs: null,
        answer: { kind: "said", status: 200, body: NO_ROWS, afterMs: 20 },
      };
    case "unreadable":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "unreadable", afterMs: 20 } };
    case "says_404":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "said", status: 404, body: WORDS, afterMs: 20 } };
    case "says_202":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "said", status: 202, body: "", afterMs: 20 } };
    case "says_401":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "unauthorized", afterMs: 20 } };
    case "says_403":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "said", status: 403, body: DENIED, afterMs: 20 } };
    case "says_429":
      return { arrivesAfterMs: 20, effectAfterMs, answer: { kind: "rate_limited", afterMs: 20 } };
  }
}

export function kindOfStuck({ operation, page, how }: Stuck): string {
  if (how === "says_202") return WITHOUT_TEMPLATE;
  if (isRefusal(how)) return `stuck: ${how}`;
  if (how === "empty") return "stuck: list, empty";
  if (how === "says_404") return "stuck: get, not found";
  return operation === "list" ? `stuck: list, ${page === null ? "all" : "one page"}` : `stuck: ${operation}`;
}

const WITHOUT_TEMPLATE = "stuck: verify, 2xx without the template";

export const STUCK_KINDS = [
  WITHOUT_TEMPLATE,
  ...OPERATIONS.filter((operation) => operation !== "list").map((operation) => `stuck: ${operation}`),
  "stuck: list, all",
  "stuck: list, one page",
  "stuck: list, empty",
  "stuck: get, not found",
  ...REFUSALS.map((how) => `stuck: ${how}`),
];
