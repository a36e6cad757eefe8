import { markerOf } from "../domain/marker.ts";
import { proposalsFor } from "../domain/plan/proposals.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { indexInTurns, mapInTurns } from "../runs/in-turns.ts";
import { knownDraft, previewOf } from "./link-preview.ts";
import { knownLocations, knownTemplates } from "./known-rows.ts";
import type { OriginRecords } from "./read-origin-facts.ts";
import { rememberReading } from "./remember-reading.ts";
import type { ProposalView } from "../views/origin.ts";

/** How many proposals are shown at most: more choices help nobody. */
const PROPOSALS_SHOWN = 3;

/**
 * Templates of the account that likely are a location already, by location id. Asked before an address is complete, so that an
 * owner links what is there instead of filling in what its template says; only templates that no link holds.
 */
export async function proposeTemplates(
  { store, clock }: Pick<Services, "store" | "clock">,
  { connection, origins }: { connection: ConnectionRecord | null; origins: OriginRecords[] },
): Promise<Map<string, ProposalView[]>> {
  const unlinked = origins.filter(({ link }) => !link);
  if (!connection || unlinked.length === 0) return new Map();
  const { id: connectionId, shop, environment } = connection;
  const unheld = await rememberReading(
    { store, shop, of: ["links", "templates"], what: "unheld", which: connectionId },
    async () => {
      const own = new Set((await store.links.list({ shop, environment })).map(({ templateId }) => templateId));
      return (await knownTemplates(store, connection)).filter(({ templateId }) => !own.has(templateId));
    },
  );
  // Another shop's links change without a word to this one.
  const elsewhere = {
    environment,
    shop: { not: shop },
    templateId: { in: unheld.map(({ templateId }) => templateId) },
  };
  const taken = new Set((await store.links.list(elsewhere)).map(({ templateId }) => templateId));
  const free = unheld.filter(({ templateId }) => !taken.has(templateId)).map(({ template }) => template);
  if (free.length === 0) return new Map();
  const living = (await knownLocations(store, shop)).filter(({ deletedAtMs }) => deletedAtMs === null);
  const otherMarkers = new Set(living.map(({ locationId }) => markerOf(shop, locationId)));
  const index = await indexInTurns(clock, free);
  return new Map(
    await mapInTurns(clock, unlinked, (origin): [string, ProposalView[]] => {
      const draft = knownDraft(origin, connection);
      const found = proposalsFor({ location: origin.location, free: index, otherMarkers }, draft);
      const shown = found.slice(0, PROPOSALS_SHOWN);
      return [origin.location.locationId, shown.map((each) => ({ ...previewOf(origin, each), how: each.how }))];
    }),
  );
}
