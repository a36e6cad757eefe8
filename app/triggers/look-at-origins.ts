import { chunksOf } from "../domain/chunks.ts";
import { originSeen } from "../domain/flow/triggers.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { filterInTurns } from "../runs/in-turns.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { isSame, noteOrigins } from "./note-origins.ts";

/** How many origins one transaction compares. */
const CHUNK = 25;

/**
 * Compares all origins of a shop with what was last seen of them: after a reconcile, which may have found locations that no run is about, and
 * when the first workflow is turned on, where what is so already is written down and not told.
 */
export async function lookAtOrigins(run: Run): Promise<RunEnd> {
  const { shop } = run.item;
  const { store, clock } = run.services;
  const facts = await readOriginFacts(run.services, { shop });
  const seen = new Map((await store.flowOrigins.list({ shop })).map((row) => [row.locationId, row.seen]));
  const moved = await filterInTurns(clock, facts?.origins ?? [], (origin) => {
    const before = seen.get(origin.location.locationId);
    seen.delete(origin.location.locationId);
    const after = originSeen(origin);
    return before === undefined || (after !== null && !isSame(before, after));
  });
  // What is left stands for locations that are gone.
  for (const locationIds of chunksOf([...moved.map(({ location }) => location.locationId), ...seen.keys()], CHUNK))
    await commit(run, (tables) => noteOrigins(run.services, tables, { shop, locationIds }));
  return { kind: "done" };
}
