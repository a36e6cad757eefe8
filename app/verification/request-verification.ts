import { canonicalAddress } from "../domain/address/compare.ts";
import { verificationKey } from "../domain/verification/verification-key.ts";
import type { TemplateRecord, VerificationRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { belongsToAnotherShop } from "../book/belongs-to-another-shop.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { requestWork } from "../runs/request-work.ts";
import { isToBeWritten } from "./is-to-be-written.ts";
import { askCarriers, keyToAsk } from "./want-verification.ts";

const JUST_ASKED_MS = 60_000;
const PATIENCE_MS = 3_600_000;

/**
 * Requests, for a person, that carriers verify a template. Ten presses are one request: a carrier is not asked again while it is about to be
 * asked, was asked a moment ago for this address, or works on an answer. One that gave no yes and no no is asked again at once. The work item
 * is due at once only if there is a carrier to ask.
 */
export function requestVerification(services: Services, request: VerificationRequest): Promise<VerificationRequested> {
  return services.store.transaction(request.shop, async (tables) => {
    const requested = await wantCarriers(services, tables, request);
    await noteWanted(services, tables, { ...request, carriers: requested.wanted });
    return requested;
  });
}

/** The verification's own run asks the carriers, and its lines tell so. Who had it ask them is told here. */
async function noteWanted(services: Services, tables: Tables, request: VerificationRequest): Promise<void> {
  const { shop, templateId, carriers } = request;
  if (carriers.length === 0) return;
  const connection = await tables.connections.find({ shop, current: true });
  const link = connection && (await tables.links.find({ shop, connectionId: connection.id, templateId }));
  const locationId = link?.locationId ?? null;
  const noted = { actor: "owner", kind: "verification_wanted", outcome: "noted" } as const;
  for (const carrier of carriers)
    await recordActivity(services, tables, { shop, templateId, locationId, carrier, ...noted });
}

export interface VerificationRequested {
  workItemId: string;
  generation: number;
  /** The generation was made by this request; else the caller waits for an earlier request. */
  isOwn: boolean;
  /** Nobody is asked by this request: all of them were asked lately. When the first of them may be asked again; else null. */
  againAtMs: number | null;
  /** The carriers that are to be asked by this request. */
  wanted: string[];
}

export interface VerificationRequest {
  shop: string;
  templateId: string;
  carriers: string[];
}

/** The same in the caller's transaction. */
export async function wantCarriers(
  services: Services,
  tables: Tables,
  { shop, templateId, carriers }: VerificationRequest,
): Promise<VerificationRequested> {
  const connection = await tables.connections.find({ shop, current: true });
  const ref = { shop, id: connection?.id ?? "" };
  const anothers = connection !== null && (await belongsToAnotherShop(tables, connection, templateId));
  const row = anothers ? null : await tables.templates.find({ shop, connectionId: ref.id, templateId });
  const known = await tables.verifications.list({ shop, connectionId: ref.id, templateId });
  const nowMs = services.clock.nowMs();
  const now = row && { nowMs, key: keyToAsk(row), keyThere: await keyThere(tables, row) };
  const askedLately = (carrier: string) => {
    const record = known.find((one) => one.carrier === carrier);
    return record && now ? mayAskAtMs(record, now) : null;
  };
  const idle = row ? carriers.filter((carrier) => askedLately(carrier) === null) : [];
  if (row && idle.length > 0)
    return {
      ...(await askCarriers(services, tables, { ref, row, carriers: idle, known })),
      isOwn: true,
      againAtMs: null,
      wanted: idle,
    };
  const rests = carriers.map((carrier) => askedLately(carrier) ?? BEING_ASKED);
  const againAtMs = rests.includes(BEING_ASKED) ? null : Math.min(...rests);
  // No carrier to ask: the caller waits for what is under way, or for a run that finds nothing to do.
  const key = { shop, kind: "verification" as const, key: verificationKey(ref.id, templateId) };
  const item = await tables.workItems.find(key);
  if (item) return { workItemId: item.id, generation: item.generation, isOwn: false, againAtMs, wanted: [] };
  return { ...(await requestWork(services, tables, { ...key })), isOwn: true, againAtMs, wanted: [] };
}

/** What a carrier that is asked now is asked about: what a write has emptied counts as gone where nobody is to put it back. */
async function keyThere(tables: Tables, row: TemplateRecord): Promise<string> {
  const isLeft = row.emptied !== null && !(await isToBeWritten(tables, row));
  return isLeft ? canonicalAddress(row.template.address) : keyToAsk(row);
}

/** The question is on its way: it waits for no time of day. */
const BEING_ASKED = Infinity;

/** From when on a carrier may be asked about this address once more; null when it may now. */
function mayAskAtMs(
  record: VerificationRecord,
  { nowMs, key, keyThere }: { nowMs: number; key: string; keyThere: string },
): number | null {
  const { question, questionKey, addressKey, askedAtMs, outcome } = record;
  if (question === "wanted") return questionKey === key ? BEING_ASKED : null;
  if (askedAtMs === null || (question === null ? addressKey : questionKey) !== keyThere) return null;
  // Nothing comes of waiting where it answered without a yes or a no. Asked once more it is awaited again, so that presses stay one.
  if (outcome === "unknown" || outcome === "no_answer") return null;
  const atMs = askedAtMs + (question === "asked" ? PATIENCE_MS : JUST_ASKED_MS);
  return nowMs < atMs ? atMs : null;
}
