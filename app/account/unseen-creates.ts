import type { DetailsRecord, PendingWrite, TemplateDraft, UnseenCreate } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** What creates said of which nobody knows for sure that they made nothing, remembered with their location. */

/** So many creates that may have made its template are remembered of a location, the newest ones. */
const MOST_REMEMBERED = 8;

/** A create that may have made its location's template after all. In the caller's transaction. */
export async function rememberCreate(
  tables: Pick<Tables, "details">,
  { shop, locationId, payload }: PendingWrite,
  how: Pick<UnseenCreate, "leftOver"> = {},
): Promise<void> {
  if (locationId === null) return;
  const { inVain = [] } = (await tables.details.find({ shop, locationId })) ?? {};
  const said: UnseenCreate = { ...(payload as TemplateDraft), ...how };
  const others = inVain.filter((each) => JSON.stringify(each) !== JSON.stringify(said));
  await tables.details.update({ shop, locationId }, { inVain: [said, ...others].slice(0, MOST_REMEMBERED) });
}

/** What they said, over this connection. */
export function draftsUnseen(details: Pick<DetailsRecord, "inVain"> | null, connectionId: string): TemplateDraft[] {
  return createsUnseen(details, connectionId).map(({ leftOver: _leftOver, ...draft }) => draft);
}

/** Those over this connection. */
export function createsUnseen(details: Pick<DetailsRecord, "inVain"> | null, connectionId: string): UnseenCreate[] {
  return (details?.inVain ?? []).filter(({ leftOver = connectionId }) => leftOver === connectionId);
}
