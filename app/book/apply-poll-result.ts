import { putBack } from "../domain/plan/emptied.ts";
import type { LinkRecord, TemplateRecord, VerificationRecord } from "../domain/records.ts";
import { canonicalAddress } from "../domain/address/compare.ts";
import { afterPollResult } from "../domain/verification/poll-result.ts";
import { entriesFor, isFollowed, newVerification } from "../domain/verification/verification.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { dateIsAgreed } from "../runs/date-is-sure.ts";
import { makeRoom } from "./make-room.ts";
import { noteOrigins } from "../triggers/note-origins.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * What was read of templates, applied to what is known of their verification: a shared page serves everyone who waits. `listed`: it
 * was read from a list, which may be behind. `answersQuestion`: it was the answer to a question to carriers.
 */
export async function applyPollResult(
  services: Services,
  tables: Tables,
  {
    ref,
    read,
    listed,
    answersQuestion = false,
  }: {
    ref: ConnectionRef;
    read: Pick<TemplateRecord, "template" | "emptied">[];
    listed: boolean;
    answersQuestion?: boolean;
  },
): Promise<void> {
  const key = { shop: ref.shop, connectionId: ref.id };
  const templateId = { in: read.map(({ template }) => template.id) };
  const known = await tables.verifications.list({ ...key, templateId });
  const records = Map.groupBy(known, (record) => record.templateId);
  const when = {
    words: services.settings.verificationWords,
    nowMs: services.clock.nowMs(),
    sureOfDate: dateIsAgreed(services),
    listed,
    answersQuestion,
  };
  const moved = new Set<string>();
  for (const { template, emptied } of read) {
    const look = {
      ...when,
      addressKey: () => canonicalAddress(putBack(template, emptied).address),
      shownKey: () => canonicalAddress(template.address),
    };
    const ofTemplate = records.get(template.id) ?? [];
    for (const record of ofTemplate) {
      const after = afterPollResult(record, entriesFor(template, record.carrier), look);
      if (sayTheSame(record, after)) continue;
      const link = await keep(services, tables, { before: record, after });
      if (link) moved.add(link.locationId);
    }
    const shown = new Set(template.verified_carriers.map((entry) => entry.carrier_name));
    const isKept = (carrier: string) => ofTemplate.some((record) => record.carrier === carrier);
    const news = [...shown].filter((carrier) => !isKept(carrier));
    await makeRoom(tables, { known: ofTemplate.filter(({ carrier }) => !shown.has(carrier)), adding: shown.size });
    for (const carrier of news) {
      const seen = newVerification({ ...key, templateId: template.id, carrier }, "seen", look.nowMs);
      await tables.verifications.insert(afterPollResult(seen, entriesFor(template, carrier), look));
    }
  }
  await noteOrigins(services, tables, { shop: ref.shop, locationIds: [...moved] });
}

/** A look that found nothing new at a template nobody follows need not be written down. */
function sayTheSame(before: VerificationRecord, after: VerificationRecord): boolean {
  if (isFollowed(before) || before.question !== after.question) return false;
  return (
    before.outcome === after.outcome &&
    before.status === after.status &&
    before.updateState === after.updateState &&
    before.verificationId === after.verificationId
  );
}

/** The link of the origin that it is news of; null where it is none, or of no origin. */
async function keep(
  services: Services,
  tables: Tables,
  { before, after }: { before: VerificationRecord; after: VerificationRecord },
): Promise<LinkRecord | null> {
  const { shop, connectionId, templateId, carrier } = before;
  const { outcome, question } = before;
  await tables.verifications.update({ shop, connectionId, templateId, carrier, outcome, question }, after);
  if (before.outcome === after.outcome && before.status === after.status) return null;
  const link = await tables.links.find({ shop, connectionId, templateId });
  await recordActivity(services, tables, {
    shop,
    actor: "service",
    kind: `verification_${after.outcome}`,
    outcome: after.outcome === "refused" ? "failed" : after.outcome === "pending" ? "waiting" : "noted",
    locationId: link?.locationId ?? null,
    templateId,
    carrier,
    detail: after.status,
  });
  return link;
}
