import * as z from "zod";
import type { OriginsIntent } from "../../components/origins/origins-intent.ts";
import { ORIGIN_STATES } from "../../domain/origin-state.ts";
import { CARRIER_ANSWERS } from "../../domain/verification/carrier-standing.ts";
import type { OriginsQuery } from "../../views/origins.ts";
import { ORIGIN_PROBLEMS, ORIGIN_SORTS, ORIGIN_TABS } from "../../views/origins.ts";

/** More locations than any order ships from. */
const MOST_LOCATIONS = 50;
const legacyId = z.string().regex(/^\d{1,20}$/);

const originsQuery = z.object({
  tab: z.enum(ORIGIN_TABS),
  state: z.enum(ORIGIN_STATES).nullable(),
  carrier: z.object({ carrier: z.string().min(1).max(100), answer: z.enum(CARRIER_ANSWERS) }).nullable(),
  problem: z.enum(ORIGIN_PROBLEMS).nullable(),
  locations: z.array(legacyId).max(MOST_LOCATIONS).nullable(),
  search: z.string().max(200),
  sort: z.enum(ORIGIN_SORTS),
  descending: z.boolean(),
  page: z.number().int().positive(),
});

export const originsIntent: z.ZodType<OriginsIntent> = z.object({
  intent: z.enum(["sync", "verify", "pause", "resume"]),
  locationIds: z.union([z.array(z.string().max(100)).max(5_000), z.literal("filter")]),
  query: originsQuery,
});

/**
 * `?tab=&state=&carrier=refused:dhl&problem=&locations=1,2&q=&sort=synced-&page=`; a value that cannot be read is ignored.
 */
export function originsQueryOf(params: URLSearchParams): OriginsQuery {
  const sort = (params.get("sort") ?? "").replace(/-$/, "");
  return {
    tab: oneOf(ORIGIN_TABS, params.get("tab")) ?? "all",
    state: oneOf(ORIGIN_STATES, params.get("state")),
    carrier: carrierOf(params.get("carrier")),
    problem: oneOf(ORIGIN_PROBLEMS, params.get("problem")),
    locations: locationsOf(params.get("locations")),
    search: (params.get("q") ?? "").slice(0, 200),
    sort: oneOf(ORIGIN_SORTS, sort) ?? "name",
    descending: (params.get("sort") ?? "").endsWith("-"),
    page: Math.max(1, Math.trunc(Number(params.get("page"))) || 1),
  };
}

function carrierOf(value: string | null): OriginsQuery["carrier"] {
  const [, known, carrier] = /^([a-z_]+):(.{1,100})$/.exec(value ?? "") ?? [];
  const answer = oneOf(CARRIER_ANSWERS, known ?? null);
  return answer && carrier ? { carrier, answer } : null;
}

function locationsOf(value: string | null): string[] | null {
  const asked = (value ?? "").split(",").filter(Boolean);
  return asked.length > 0 && asked.length <= MOST_LOCATIONS && asked.every((id) => legacyId.safeParse(id).success)
    ? asked
    : null;
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((each) => each === value) ?? null;
}
