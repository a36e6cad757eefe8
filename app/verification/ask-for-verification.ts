import { canonicalAddress } from "../domain/address/compare.ts";
import type { ServiceProblem } from "../domain/errors.ts";
import { isYoung } from "../domain/moment.ts";
import type { VerificationRecord } from "../domain/records.ts";
import {
  asked,
  baselineOf,
  entriesFor,
  lastWords,
  notAsked,
  saysNotOffered,
} from "../domain/verification/verification.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { commit } from "../runs/run.ts";
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
 * other. May be repeated after a lost answer.
 */
export async function askForVerification(run: Run, followed: Followed, carriers: string[]): Promise<void> {
  const { account, templateId, ref } = followed;
  await commit(run, (tables) => takeBaselines(tables, followed, carriers));
  const known = await run.services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  const answer = await account.verifyByCarriers(templateId, carriers);
  switch (answer.kind) {
    case "not_found":
      return failLostWrite(run, { ...answer, ref, templateId, operation: "verify_by_carriers" });
    case "written":
      await commit(run, async (tables) => {
        // The question is about the address that the template has at this moment, not the one it had when the verification was wanted.
        const questionKey = canonicalAddress(answer.value.address);
        const readKey = known && canonicalAddress(known.template.address);
        await markAsked(run, tables, { followed, carriers, questionKey, readKey, requestId: answer.requestId });
        // The location's own run may have written the template meanwhile, and has the newer reading.
        const read = { ref, template: answer.value };
        if (await keepReading(run.services, tables, { ...read, known })) await requestMoved(run.services, tables, read);
      });
      return;
    case "refused":
      if (carriers.length === 1) {
        await commit(run, (tables) => keepRefused(run, tables, { followed, carriers, problem: answer.problem }));
        return;
      }
  }
  for (const carrier of carriers) await askForVerification(run, followed, [carrier]);
}

/**
 * The baseline is the carriers' entries now: only an entry that differs from it is an answer. Of a carrier that the template does not show
 * at all it is the carrier's last words: should they show again, they are no news.
 */
async function takeBaselines(tables: Tables, followed: Followed, carriers: string[]): Promise<void> {
  const { ref, templateId } = followed;
  const known = await tables.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  for (const record of await wantedOf(tables, followed, carriers)) {
    const baseline = known ? baselineOf(entriesFor(known.template, record.carrier)) : [];
    await tables.verifications.update(keyOf(record), { baseline: baseline.length > 0 ? baseline : lastWords(record) });
  }
}

async function markAsked(
  run: Run,
  tables: Tables,
  given: { followed: Followed; carriers: string[]; questionKey: string; readKey: string | null; requestId: string },
): Promise<void> {
  const { followed, carriers, questionKey, readKey, requestId } = given;
  const { clock } = run.services;
  const nowMs = clock.nowMs();
  for (const record of await wantedOf(tables, followed, carriers)) {
    const wasJustAsked = record.askedAtMs !== null && isYoung(clock, record.askedAtMs, ANSWERED_OTHERWISE_MS);
    const about = wasJustAsked && record.questionKey === readKey ? readKey : questionKey;
    await tables.verifications.update(keyOf(record), asked({ ...record, questionKey: about }, nowMs));
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
    requestId: string;
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
