import { SUGGESTED_CARRIERS } from "../domain/verification/carriers.ts";
import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import { putBack } from "../domain/plan/emptied.ts";
import { keepsFailing, longestFailing, waitsLong } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { withoutMarker } from "../domain/marker.ts";
import type { WorkItem } from "../domain/records.ts";
import { isWaitReason } from "../domain/reason-places.ts";
import type { Services } from "../ports.ts";
import { failureOf } from "../views/failure-of.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { knownShop } from "../readings/known-shop.ts";
import { readOwnership, standingsOf } from "./read-address-book.ts";
import { timelineOf } from "./read-origin.ts";
import { unreadableOf } from "../readings/unreadable-rows.ts";
import type { TemplateView } from "../views/address-book.ts";

/** One template of the account as last seen. Null when the shop's account has no such template. */
export async function readTemplate(
  services: Services,
  { shop, templateId }: { shop: string; templateId: string },
): Promise<TemplateView | null> {
  const { store, clock, settings } = services;
  const place = await knownShop(services, { shop });
  if (!place?.connection) return null;
  const { shop: record, connection } = place;
  const known = await store.templates.find({ shop, connectionId: connection.id, templateId });
  if (!known) return null;
  // What a write of ours emptied goes with the next one: nobody need type it again.
  const shown = putBack(known.template, known.emptied);
  const { ownership, location } = await readOwnership(services, { connection, template: known });
  const verifications = await store.verifications.list({ shop, connectionId: connection.id, templateId });
  const standings = standingsOf(known, {
    verifications,
    policies: record.policies,
    words: settings.verificationWords,
    connection,
  });
  return {
    templateId,
    alias: withoutMarker(known.template.alias_name),
    base: shown,
    address: shown.address,
    emptied: ADDRESS_FIELDS.filter((field) => known.emptied?.[field] !== undefined),
    ownership,
    location: location && { legacyId: legacyIdOf(location.locationId), name: location.name },
    standings,
    timeline: timelineOf(verifications, settings.verificationWords),
    otherCarriers: SUGGESTED_CARRIERS.filter((carrier) => !standings.some((standing) => standing.carrier === carrier)),
    readAtMs: known.readAtMs,
    unreadable: unreadableOf(connection, templateId),
    ...(await changesOf(services, { shop, connectionId: connection.id, templateId })),
    connection: summaryOfConnection(connection),
    nowMs: clock.nowMs(),
  };
}

/** Whether somebody of the shop deleted it in the app's own pages, of which is known for as long as drafts are kept. */
export async function wasDeletedByHand(
  { store }: Pick<Services, "store">,
  { shop, templateId }: { shop: string; templateId: string },
): Promise<boolean> {
  const deletions = await store.drafts.list({ shop, templateId, operation: "delete", endedAtMs: { gt: 0 } });
  return deletions.some(({ outcome }) => outcome?.kind === "done" || outcome?.kind === "gone");
}

/** Whether a change by hand is under way; and of several that fail, or wait for something, the one that has failed longest. */
async function changesOf(
  { store, clock }: Pick<Services, "store" | "clock">,
  { shop, connectionId, templateId }: { shop: string; connectionId: string; templateId: string },
): Promise<Pick<TemplateView, "change" | "underWay">> {
  const drafts = await store.drafts.list({ shop, connectionId, templateId, endedAtMs: null });
  if (drafts.length === 0) return { change: null, underWay: false };
  const keys = drafts.map(({ id }) => id);
  const workItems = await store.workItems.list({ shop, kind: "template", key: { in: keys } });
  const nowMs = clock.nowMs();
  const isTold = (item: WorkItem) =>
    isWaitReason(item.reason?.code) || keepsFailing(item, nowMs) || waitsLong(item, nowMs);
  const told = workItems.filter(isTold);
  return { change: told.length > 0 ? failureOf(longestFailing(told)) : null, underWay: true };
}
