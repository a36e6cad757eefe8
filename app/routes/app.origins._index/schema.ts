import { z } from "zod";
import type { OriginsIntent } from "../../components/origins/origins-intent.ts";
import { ORIGIN_STATES } from "../../domain/origin-state.ts";
import type { OriginsQuery } from "../../views/origins.ts";
import { ORIGIN_SORTS, ORIGIN_TABS } from "../../views/origins.ts";

const originsQuery = z.object({
  tab: z.enum(ORIGIN_TABS),
  state: z.enum(ORIGIN_STATES).nullable(),
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

/** `?tab=&state=&q=&sort=synced-&page=`; a value that cannot be read is ignored. */
export function originsQueryOf(params: URLSearchParams): OriginsQuery {
  const sort = (params.get("sort") ?? "").replace(/-$/, "");
  return {
    tab: oneOf(ORIGIN_TABS, params.get("tab")) ?? "all",
    state: oneOf(ORIGIN_STATES, params.get("state")),
    search: (params.get("q") ?? "").slice(0, 200),
    sort: oneOf(ORIGIN_SORTS, sort) ?? "name",
    descending: (params.get("sort") ?? "").endsWith("-"),
    page: Math.max(1, Math.trunc(Number(params.get("page"))) || 1),
  };
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T | null {
  return known.find((each) => each === value) ?? null;
}
