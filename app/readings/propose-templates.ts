import { proposalsFor } from "../domain/plan/proposals.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import { withoutTemplates } from "../domain/template-index.ts";
import type { Services } from "../ports.ts";
import { mapInTurns } from "../runs/in-turns.ts";
import { knownDraft, previewOf } from "./link-preview.ts";
import { knownBook, knownLinkedIds, knownMarkers } from "./known-rows.ts";
import type { OriginRecords } from "./read-origin-facts.ts";
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
  const { shop, environment } = connection;
  const book = await knownBook({ store, clock }, connection);
  if (book.rows.size === 0) return new Map();
  const free = withoutTemplates(book.index, await knownLinkedIds(store, connection));
  const otherMarkers = await knownMarkers(store, shop);
  const found = await mapInTurns(clock, unlinked, (origin) => {
    const draft = knownDraft(origin, connection);
    return { origin, proposals: proposalsFor({ ...origin, free, otherMarkers }, draft) };
  });
  // Another shop's links change without a word to this one, so they are asked for now, of what was found alone.
  const templateIds = [...new Set(found.flatMap(({ proposals }) => proposals.map(({ template }) => template.id)))];
  const elsewhere = { environment, shop: { not: shop }, templateId: { in: templateIds } };
  const links = templateIds.length > 0 ? await store.links.list(elsewhere) : [];
  const taken = new Set(links.map(({ templateId }) => templateId));
  return new Map(
    await mapInTurns(clock, found, ({ origin, proposals }): [string, ProposalView[]] => {
      const shown = proposals.filter(({ template }) => !taken.has(template.id)).slice(0, PROPOSALS_SHOWN);
      return [origin.location.locationId, shown.map((each) => ({ ...previewOf(origin, each), how: each.how }))];
    }),
  );
}
