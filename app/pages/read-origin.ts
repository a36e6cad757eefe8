import { environmentOf } from "../domain/closed-reason.ts";
import { FORM_CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import { ownReference } from "../domain/plan/adoption.ts";
import { fieldFates } from "../domain/plan/field-fates.ts";
import type { ComposedOrigin } from "../domain/address/address.ts";
import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import { shopifyLines } from "../domain/address/lines.ts";
import { addressText } from "../domain/address/text.ts";
import { SUGGESTED_CARRIERS } from "../domain/verification/carriers.ts";
import { keepsFailing, waitsLong } from "../domain/failing.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { carrierWords, placeWords } from "../domain/verification/field-words.ts";
import type { CarrierWords } from "../domain/verification/field-words.ts";
import { carrierStandings } from "../domain/verification/carrier-standing.ts";
import { moveNews } from "../domain/plan/move-news.ts";
import { meaningOf } from "../domain/verification/verification.ts";
import { canInclude, exclusionOf, isPending, isUnderWay, originState } from "../domain/origin-state.ts";
import { outlookOf, readinessOf } from "../domain/readiness.ts";
import type { ActivityRecord, ShopRecord, WorkItem, VerificationRecord } from "../domain/records.ts";
import { waitsForOther } from "../domain/reason-places.ts";
import type { Services } from "../ports.ts";
import { failureOf } from "../views/failure-of.ts";
import { wordsBeyondFields } from "../views/refusal-words.ts";
import { summaryOfConnection } from "../views/connection-summary.ts";
import { contactForAll } from "../readings/only-origin.ts";
import { previewSync } from "../sync/preview-sync.ts";
import { proposeTemplates } from "../readings/propose-templates.ts";
import type { OriginRecords, ShopOrigins } from "../readings/read-origin-facts.ts";
import { unreadableOf } from "../readings/unreadable-rows.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import { shownAlias } from "./filter-origins.ts";
import type { FailureView } from "../views/failure.ts";
import type { FieldView, HistoryEntry, OriginForm, OriginView } from "../views/origin.ts";
import type { TimelineEntry } from "../views/timeline.ts";
import { verificationKey } from "../domain/verification/verification-key.ts";

/** Lines of history on the page; the activity page has all. */
const HISTORY_SHOWN = 20;

/**
 * One origin whole, from the database. Null when the shop has no such location. `only`: it is the shop's only origin, so that its form
 * holds the shop's contact.
 */
export async function readOrigin(
  services: Services,
  { shop, locationId, only = false }: { shop: string; locationId: string; only?: boolean },
): Promise<OriginView | null> {
  const known = await readOriginFacts(services, { shop, locationId });
  const origin = known?.origins[0];
  if (!known || !origin) return null;
  const { location, details, link, item } = origin;
  const exclusion = exclusionOf(origin);
  const state = originState(origin);
  const standings = carrierStandings(origin);
  const writesFirst = !link && exclusion === null && known.connection?.state === "active";
  const [preview] = writesFirst ? await previewSync(services, { shop, locationIds: [locationId] }) : [];
  const proposals = writesFirst
    ? await proposeTemplates(services, { connection: known.connection, origins: [origin] })
    : null;
  const refused = item?.state === "blocked" && item.reason?.code === "refused_by_service" ? item.reason : null;
  const told = placeWords({ fields: refused?.fields ?? {}, message: refused?.message ?? null });
  return {
    locationId,
    legacyId: legacyIdOf(locationId),
    name: location.name,
    isDefault: known.shop.policies.defaultLocationId === locationId,
    state,
    outlook: outlookOf(origin, state),
    exclusion,
    canInclude: exclusion !== null && canInclude(exclusion),
    inclusion: details?.inclusion ?? "policy",
    paused: details?.paused ?? false,
    confirmed: details !== null && details.confirmedAtMs !== null,
    shopifyLines: [...shopifyLines(location.address), ...(location.address.phone ? [location.address.phone] : [])],
    locationReadAtMs: location.readAtMs,
    isPlaceHeld: (details?.held ?? null) !== null,
    fields: fieldViews(origin, {
      connection: known.connection,
      refused: told.fields,
      said: carrierWords(standings),
    }),
    splitLapsed: origin.composed.splitLapsed,
    form: formOf(origin, { shop: known.shop, only }),
    readiness: readinessOf(origin),
    refusal: refused && {
      message: wordsBeyondFields(told.message, { fields: told.fields, shown: ADDRESS_FIELDS }),
      requestId: refused.requestId,
      atMs: refused.atMs,
    },
    reasonCode: item?.reason?.code ?? null,
    failure: item && isTold(item, known.nowMs) ? failureOf(item) : null,
    verificationFailure: await verificationFailure(services, origin),
    template: link && {
      templateId: link.templateId,
      aliasName: shownAlias(origin),
      how: link.how,
      readAtMs: origin.template?.readAtMs ?? null,
    },
    missingSinceMs: link?.missingSinceMs ?? null,
    unreadable: link && unreadableOf(known.connection, link.templateId),
    differences: link?.differences ?? [],
    standings,
    timeline: timelineOf(origin.verifications, origin.words),
    preview: preview ? { action: preview.action, reason: preview.reason } : null,
    proposals: proposals?.get(locationId) ?? [],
    history: await historyOf(services, { shop, environment: environmentOf(known.connection), locationId }),
    pending: isPending(item) || state === "changing",
    held: isPending(item) && !isUnderWay(origin),
    syncedAtMs: link?.syncedAtMs ?? null,
    checkedAtMs: link?.checkedAtMs ?? null,
    connection: summaryOfConnection(known.connection),
    otherCarriers: SUGGESTED_CARRIERS.filter((carrier) => !standings.some((standing) => standing.carrier === carrier)),
    nowMs: known.nowMs,
    timeZone: known.shop.timeZone,
    move: moveNews({ ...origin, timeZone: known.shop.timeZone }),
  };
}

/** What fails, here or where this waits for it; and what it waits for, should it last. */
function isTold(item: WorkItem, nowMs: number): boolean {
  return waitsForOther(item) || keepsFailing(item, nowMs) || waitsLong(item, nowMs);
}

async function verificationFailure({ store }: Services, { link, nowMs }: OriginRecords): Promise<FailureView | null> {
  if (!link) return null;
  const key = verificationKey(link.connectionId, link.templateId);
  const item = await store.workItems.find({ shop: link.shop, kind: "verification", key });
  return item && keepsFailing(item, nowMs) ? failureOf(item) : null;
}

function fieldViews(
  origin: OriginRecords,
  {
    connection,
    refused,
    said,
  }: Pick<ShopOrigins, "connection"> & { refused: Record<string, string[]>; said: CarrierWords[] },
): FieldView[] {
  const { composed, link, template } = origin;
  const theirs = template?.template ?? link?.answered ?? null;
  const fates = fieldFates({ ...origin, connection, theirs, emptied: template?.emptied ?? null });
  return ADDRESS_FIELDS.map((field) => {
    const { value, source, confidence, offers = [] } = composed.fields[field];
    const problems = composed.problems.filter((problem) => problem.field === field);
    const problem = problems.find(({ severity }) => severity === "error") ?? problems[0] ?? null;
    return {
      field,
      value,
      source,
      confidence,
      offers,
      problem: problem?.code ?? null,
      severity: problem?.severity ?? null,
      serviceMessages: refused[field] ?? [],
      carrierWords: said.filter((one) => one.field === field).map(({ field: _, ...words }) => words),
      there: theirs?.address[field] ?? null,
      fate: fates[field],
    };
  });
}

/** The form shows what a person said, else what we read in the location's text; a guess is there to be checked. */
function formOf(
  { location, details, composed }: OriginRecords,
  { shop, only }: { shop: ShopRecord; only: boolean },
): OriginForm {
  const forAll = only ? contactForAll(location.address) : [];
  const read = (field: (typeof SPLIT_FIELDS)[number]) => composed.fields[field].value ?? "";
  return {
    revision: details?.revision ?? 0,
    readFrom: addressText(location.address),
    forShop: only,
    contact: Object.fromEntries(
      FORM_CONTACT_FIELDS.map((field) => [
        field,
        details?.contact[field] ?? (forAll.includes(field) ? shop.contact[field] : null) ?? "",
      ]),
    ) as OriginForm["contact"],
    defaults: { ...shop.contact, phone: location.address.phone ?? shop.contact.phone },
    split: {
      ...(Object.fromEntries(SPLIT_FIELDS.map((field) => [field, read(field)])) as OriginForm["split"]),
      reference: shownReference({ composed, shop }),
    },
  };
}

/** Empty where the shop's own reference is all there is: it shows as what holds, not as what this location says. */
export function shownReference({ composed, shop }: { composed: ComposedOrigin; shop: ShopRecord }): string {
  return ownReference(composed, shop.contact) ?? "";
}

/** What carriers said of one template, the newest first. */
export function timelineOf(verifications: VerificationRecord[], words: OriginRecords["words"]): TimelineEntry[] {
  return verifications
    .flatMap(({ carrier, timeline }) =>
      timeline.map((entry) => ({ carrier, ...entry, meaning: meaningOf(words, entry.status ?? "") })),
    )
    .sort((a, b) => b.atMs - a.atMs);
}

async function historyOf(
  { store, staffId = null }: Services,
  where: Pick<ActivityRecord, "shop" | "environment"> & { locationId: string },
): Promise<HistoryEntry[]> {
  const lines = await store.activity.list(where, { orderBy: { atMs: "desc" }, limit: HISTORY_SHOWN });
  return lines.map(({ id, atMs, actor, kind, carrier, fields, outcome, detail, requestId, staffId: by }) => ({
    id,
    atMs,
    actor,
    kind,
    carrier,
    fields,
    outcome,
    detail,
    requestId,
    staffId: by,
    isYours: by !== null && by === staffId,
  }));
}
