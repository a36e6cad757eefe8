import type { FieldProblem } from "../domain/address/address.ts";
import { addressText } from "../domain/address/text.ts";
import type { DetailsRecord, StatedDetails } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { detailsChanges, judgeDetails } from "./judge-details.ts";
import { keepContact } from "../shop/keep-contact.ts";
import { contactForAll, onlyOriginOf } from "../readings/only-origin.ts";
import { requestWork } from "../runs/request-work.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { RunProgress } from "../runs/run-now.ts";
import { runNow } from "../runs/run-now.ts";

export type SaveOutcome = { kind: "done"; progress: RunProgress } | DetailsRefusal;

export type DetailsRefusal =
  | { kind: "invalid"; problems: FieldProblem[] }
  /** Somebody saved this origin since it was shown. */
  | { kind: "stale" }
  /** Shopify's text of the location changed since it was shown. */
  | { kind: "moved" }
  | { kind: "not_found" };

/** Stores what the owner said, which confirms the origin, and runs its sync at once. */
export async function saveOriginDetails(
  services: Services,
  input: { shop: string; stated: StatedDetails },
): Promise<SaveOutcome> {
  const { shop, stated } = input;
  const known = await readOriginFacts(services, { shop });
  const only = known !== null && onlyOriginOf(known.origins) === stated.locationId;
  const stored = await services.store.transaction(shop, async (tables) => {
    const refusal = await storeDetails(services, tables, { ...input, only });
    if (refusal) return refusal;
    return requestWork(services, tables, {
      shop,
      kind: "location",
      key: stated.locationId,
    });
  });
  if ("kind" in stored) return stored;
  return { kind: "done", progress: await runNow(services, { shop, ...stored }) };
}

/**
 * The writing half, in the caller's transaction: null when it is stored. Checks before it writes. Of the `only` origin the contact is
 * kept for the whole shop: it is all that its owner has said so far of whom to call.
 */
export async function storeDetails(
  services: Services,
  tables: Tables,
  { shop, stated, only = false }: { shop: string; stated: StatedDetails; only?: boolean },
): Promise<DetailsRefusal | null> {
  const { locationId, revision, readFrom } = stated;
  const location = await tables.locations.find({ shop, locationId });
  const record = await tables.shops.find({ shop });
  if (!location || !record) return { kind: "not_found" };
  const nowMs = services.clock.nowMs();
  const before = await ensureDetails(tables, { shop, locationId });
  if (before.revision !== revision) return { kind: "stale" };
  if (addressText(location.address) !== readFrom) return { kind: "moved" };
  const forAll = only ? contactForAll(location.address) : [];
  const judging = { location, shopContact: record.contact, before, stated, forAll };
  const judged = judgeDetails(judging);
  if (judged.problems.length > 0) return { kind: "invalid", problems: judged.problems };
  const { contact, place, shared } = judged;
  const after: Partial<DetailsRecord> = {
    contact,
    ...place,
    confirmedAtMs: before.confirmedAtMs ?? nowMs,
    revision: revision + 1,
  };
  const changed = await tables.details.update({ shop, locationId, revision }, after);
  if (changed === 0) return { kind: "stale" };
  // What its coming address lacked may be there now.
  if (await tables.moves.find({ shop, locationId }))
    await requestWork(services, tables, { shop, kind: "move", key: locationId });
  await keepContact(services, tables, { shop, contact: shared, revision: record.revision });
  await recordActivity(services, tables, {
    shop,
    actor: "owner",
    kind: before.confirmedAtMs === null ? "origin_confirmed" : "details_saved",
    outcome: "done",
    locationId,
    locationName: location.name,
    fields: detailsChanges(judging, judged),
  });
  return null;
}
