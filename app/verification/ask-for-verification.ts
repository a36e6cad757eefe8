import { canonicalAddress } from "../domain/address/compare.ts";
import { isAppError } from "../domain/errors.ts";
import type { ServiceProblem } from "../domain/errors.ts";
import { isYoung } from "../domain/moment.ts";
import type { AddressTemplate, VerificationRecord } from "../domain/records.ts";
import {
  asked,
  entriesFor,
  isUnclear,
  MOST_SENDINGS,
  notAsked,
  notSent,
  saysNotOffered,
  sending,
} from "../domain/verification/verification.ts";
import { afterLastSending } from "../domain/verification/poll-result.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { commit, commitFenced } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { failLostWrite } from "../book/believe-absence.ts";
import { keepReading } from "../book/keep-template.ts";
import { requestMoved } from "./request-moved.ts";
import { recordActivity } from "../activity/record-activity.ts";

/**
 * An answer that shows another address than the template's own GET just before it may tell of somebody's change in between. Of a question
 * that follows another one so soon it tells of none: where a service shows its answers otherwise for good, the carriers would be asked
 * again and again, for the address would never be the one that they were asked about.
 */
const ANSWERED_OTHERWISE_MS = 3_600_000;

/** One template that carriers are asked to verify, and its account. */
export interface Followed {
  ref: ConnectionRef;
  account: ReadableAccount;
  templateId: string;
}

/**
 * Asks several carriers in one call. If the service refuses that, asks one by one, so that a carrier that does not verify holds up no
 * other. After an unclear end it may be repeated once the template was read, which may show that it was asked.
 */
export async function askForVerification(run: Run, followed: Followed, carriers: string[]): Promise<void> {
  const { templateId, ref } = followed;
  const meant = await commit(run, (tables) => noteSending(tables, followed, carriers));
  const known = await run.services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  const readKey = known && canonicalAddress(known.template.address);
  const answer = await send(run, followed, carriers);
  switch (answer.kind) {
    case "not_found":
      await commit(run, (tables) => noteNotSent(tables, followed, carriers));
      return failLostWrite(run, { ...answer, ref, templateId, operation: "verify_by_carriers" });
    case "written":
      await commit(run, async (tables) => {
        const { value: template, requestId } = answer;
        await markAsked(run, tables, { followed, carriers, template, readKey, meant, requestId });
        if (!template) return;
        // The location's own run may have written the template meanwhile, and has the newer reading.
        const read = { ref, template };
        if (await keepReading(run.services, tables, { ...read, known, answers: { to: "question" } }))
          await requestMoved(run.services, tables, read);
      });
      return;
    case "refused":
      if (carriers.length === 1) {
        await commit(run, (tables) => keepRefused(run, tables, { followed, carriers, problem: answer.problem }));
        return;
      }
      await commit(run, (tables) => noteNotSent(tables, followed, carriers));
  }
  for (const carrier of carriers) await askForVerification(run, followed, [carrier]);
}

/** Sends the question once. What surely did not arrive is as if it had not been sent. */
async function send(run: Run, followed: Followed, carriers: string[]) {
  try {
    return await followed.account.verifyByCarriers(followed.templateId, carriers);
  } catch (error) {
    if (isAppError(error) && error.effect === "none")
      await commitFenced(run, (tables) => noteNotSent(tables, followed, carriers));
    throw error;
  }
}

/** Written down before the question goes, with what the template shows now. Gives the addresses that were meant to be asked about. */
async function noteSending(
  tables: Tables,
  followed: Followed,
  carriers: string[],
): Promise<ReadonlyMap<string, string | null>> {
  const { ref, templateId } = followed;
  const known = await tables.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  const addressKey = known && canonicalAddress(known.template.address);
  const wanted = await wantedOf(tables, followed, carriers);
  for (const record of wanted) {
    const entries = known ? entriesFor(known.template, record.carrier) : [];
    await tables.verifications.update(keyOf(record), sending(record, { entries, addressKey }));
  }
  return new Map(wanted.map(({ carrier, questionKey }) => [carrier, questionKey]));
}

async function noteNotSent(tables: Tables, followed: Followed, carriers: string[]): Promise<void> {
  for (const record of await wantedOf(tables, followed, carriers))
    await tables.verifications.update(keyOf(record), notSent(record));
}

/** Ends questions that were sent as often as they may be, always with an unclear end: their owner is told, and can have them sent again. */
export async function endUnclear(run: Run, followed: Followed, carriers: string[]): Promise<void> {
  const nowMs = run.services.clock.nowMs();
  await commit(run, async (tables) => {
    for (const record of await wantedOf(tables, followed, carriers)) {
      if (record.polls < MOST_SENDINGS) continue;
      await tables.verifications.update(keyOf(record), afterLastSending(record, nowMs));
      const { requestId = null, message = null } = run.item.reason ?? {};
      const said = { requestId, detail: message };
      await note(run, tables, { record, kind: "verification_no_answer", outcome: "noted", ...said });
    }
  });
}

async function markAsked(
  run: Run,
  tables: Tables,
  given: {
    followed: Followed;
    carriers: string[];
    /** As the answer shows it; null where it does not. */
    template: AddressTemplate | null;
    readKey: string | null;
    meant: ReadonlyMap<string, string | null>;
    requestId: string;
  },
): Promise<void> {
  const { followed, carriers, template, readKey, meant, requestId } = given;
  // The question is about the address that the template has at this moment, not the one it had when the verification was wanted.
  const questionKey = template && canonicalAddress(template.address);
  const { clock, settings } = run.services;
  const nowMs = clock.nowMs();
  const words = settings.verificationWords;
  const shown = (carrier: string) => (template ? entriesFor(template, carrier) : []);
  for (const record of await wantedOf(tables, followed, carriers)) {
    const wasJustAsked = record.askedAtMs !== null && isYoung(clock, record.askedAtMs, ANSWERED_OTHERWISE_MS);
    // Wanted anew while the question was on its way.
    if (questionKey === null && !isUnclear(record)) continue;
    const meantKey = isUnclear(record) ? meant.get(record.carrier) : record.questionKey;
    const about = wasJustAsked && meantKey === readKey ? readKey : (questionKey ?? record.questionKey);
    await tables.verifications.update(
      keyOf(record),
      asked({ ...record, questionKey: about }, nowMs, { shown: shown(record.carrier), words }),
    );
    await note(run, tables, { record, kind: "verification_asked", outcome: "waiting", requestId });
  }
}

async function keepRefused(
  run: Run,
  tables: Tables,
  { followed, carriers, problem }: { followed: Followed; carriers: string[]; problem: ServiceProblem },
): Promise<void> {
  const nowMs = run.services.clock.nowMs();
  const outcome = saysNotOffered(problem) ? "not_offered" : "unknown";
  const status = problem.code ?? problem.serviceMessage ?? `HTTP ${problem.status}`;
  for (const record of await wantedOf(tables, followed, carriers)) {
    await tables.verifications.update(keyOf(record), notAsked(record, { outcome, status, nowMs }));
    await note(run, tables, {
      record,
      kind: `verification_${outcome}`,
      outcome: "noted",
      requestId: problem.requestId,
      detail: status,
    });
  }
}

function wantedOf(tables: Tables, { ref, templateId }: Followed, carriers: string[]): Promise<VerificationRecord[]> {
  return tables.verifications.list({
    shop: ref.shop,
    connectionId: ref.id,
    templateId,
    carrier: { in: carriers },
    question: "wanted",
  });
}

function keyOf({ shop, connectionId, templateId, carrier }: VerificationRecord) {
  return { shop, connectionId, templateId, carrier };
}

async function note(
  run: Run,
  tables: Tables,
  {
    record,
    ...entry
  }: {
    record: VerificationRecord;
    kind: string;
    outcome: "waiting" | "noted";
    requestId: string | null;
    detail?: string | null;
  },
): Promise<void> {
  const { shop, connectionId, templateId, carrier } = record;
  const link = await tables.links.find({ shop, connectionId, templateId });
  await recordActivity(run.services, tables, {
    shop,
    actor: "sync",
    templateId,
    carrier,
    locationId: link?.locationId ?? null,
    ...entry,
  });
}
