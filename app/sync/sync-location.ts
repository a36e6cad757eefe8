import { planOrigin } from "../domain/plan/plan.ts";
import { AppError } from "../domain/errors.ts";
import type { TemplateDraft, UnreadableRow } from "../domain/records.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { heldTemplate } from "../runs/held-template.ts";
import { quarantineHolds } from "../runs/quarantine.ts";
import { blocked, commit, superseded } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { awaitDeletion } from "./await-deletion.ts";
import { adoptTemplate } from "./adopt-template.ts";
import { awaitBook, awaitConfirmedBook, refuseUnreadable } from "../book/await-book.ts";
import { refuseCreate } from "../book/read-book-since.ts";
import { createTemplate } from "./create-template.ts";
import { deleteTemplate, unlinkTemplate } from "./delete-template.ts";
import { leaveLocation } from "./leave-location.ts";
import { unreadableRow } from "../book/hidden-create.ts";
import { keepReading } from "../book/keep-template.ts";
import { readLocation } from "./read-location.ts";
import { readOwnFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { readDisputed, readTemplate } from "./read-template.ts";
import { resolvePendingWrite } from "./resolve-pending-write.ts";
import { recordComparison } from "./record-comparison.ts";
import { askedInVain, lookLater } from "./look-later.ts";
import { openGate } from "./sync-step.ts";
import type { Step } from "./sync-step.ts";
import { takeOverLink } from "./take-over-link.ts";
import { updateTemplate } from "./update-template.ts";

/** Read, plan, act; then plan again from what that showed. More rounds than this mean that the plan does not converge. */
const MOST_ROUNDS = 8;

/** Keeps one location's template true: the location is read anew, compared three ways, and at most one write goes. */
export async function syncLocation(run: Run): Promise<RunEnd> {
  const end = await syncOnce(run).catch(async (error: unknown) => {
    const inVain = await askedInVain(run, error);
    if (inVain) return inVain;
    throw error;
  });
  return lookLater(run, end);
}

async function syncOnce(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const pendingWrite = await services.store.pendingWrites.find({ workItemId: item.id });
  const held = await quarantineHolds(run);
  if (held) return (await readDisputed(run, await readOwnFacts(run))) ?? held;
  const unconfirmed = await readLocation(run, item.key);
  if (unconfirmed) return (await readDisputed(run, await readOwnFacts(run))) ?? unconfirmed;
  let reading: number | null = null;
  if (pendingWrite) {
    const resolved = await resolvePendingWrite(run, pendingWrite);
    if ("end" in resolved) return resolved.end;
    reading = resolved.reading;
  }
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const known = await readOwnFacts(run);
    if (!known) return { kind: "done" };
    // Should another run have read or written it since, that is not what this run was shown: it reads anew before it writes.
    const fresh = reading !== null && known.template?.reading === reading;
    const step = await takeStep(run, { ...known, fresh });
    if ("end" in step) return step.end;
    reading = step.reading;
  }
  throw new AppError({ kind: "internal", message: "the plan of a location does not converge" });
}

async function takeStep(run: Run, facts: PlanFacts): Promise<Step> {
  const plan = planOrigin(facts);
  switch (plan.step) {
    case "leave":
      return { end: leaveLocation(run, facts) };
    case "blocked":
      return { end: blocked(run, plan.reason) };
    case "unlink":
      await unlinkTemplate(run, facts, plan);
      return { end: { kind: "done" } };
    case "take_over":
      await takeOverLink(run, facts, plan.kept);
      return { reading: null };
    case "record":
      return (
        (await awaitDeletion(run, facts)) ?? {
          end: await recordComparison(run, { facts, comparison: plan.comparison }),
        }
      );
    case "read_book":
      return { end: await awaitBook(run) };
    case "create": {
      const unreadable = await refuseUnreadable(run);
      if (unreadable) return { end: unreadable };
      if (facts.connection?.bookConfirmedAtMs === null) return { end: await awaitConfirmedBook(run) };
    }
  }
  const held = facts.link && (await heldTemplate(run, facts.link));
  if (held) return { end: (await readDisputed(run, facts)) ?? held };
  const gate = await openGate(run, facts);
  if ("end" in gate) return gate;
  switch (plan.step) {
    case "read_template":
      return readTemplate(run, { facts, account: gate.account, templateId: plan.templateId });
    case "read_row":
      return readRow(run, { facts, account: gate.account, row: plan.row });
    case "create":
      return createAnew(run, { facts, account: gate.account, draft: plan.draft });
    case "adopt":
      return adoptTemplate(run, { facts, account: gate.account, templateId: plan.template.id, draft: plan.draft });
    case "update":
      return updateTemplate(run, { facts, plan });
    case "delete":
      return deleteTemplate(run, { facts, templateId: plan.templateId });
  }
}

/** After a create whose end nobody followed, only what a book shows that was read since may say that it made nothing. */
async function createAnew(
  run: Run,
  { facts, account, draft }: { facts: PlanFacts; account: ReadableAccount; draft: TemplateDraft },
): Promise<Step> {
  const ref = refOf(facts.connection!);
  if (!facts.details?.inVain.some(({ leftOver }) => leftOver === ref.id)) return createTemplate(run, { facts, draft });
  const end = await refuseCreate(run, { ref, account });
  if (end) return { end };
  const since = await readOwnFacts(run);
  if (since?.connection?.id !== ref.id || since.connection.version !== ref.version)
    throw superseded("the connection has changed");
  const plan = planOrigin(since);
  return plan.step === "create" ? createTemplate(run, { facts: since, draft: plan.draft }) : { reading: null };
}

/**
 * What cannot be read may be this location's template: nothing is made beside it. One that is not found by itself may be gone, which a
 * list tells that is newer than that; one is enough, for a service may go on to list what it does not find.
 */
async function readRow(
  run: Run,
  { facts, account, row }: { facts: PlanFacts; account: ReadableAccount; row: UnreadableRow },
): Promise<Step> {
  const ref = refOf(facts.connection!);
  const key = row.id === null ? null : { shop: ref.shop, connectionId: ref.id, templateId: row.id };
  const known = key && (await run.services.store.templates.find(key));
  const found = row.id === null ? null : await account.get(row.id);
  const { failingSinceMs } = run.item;
  const isListedSince = failingSinceMs === null || (facts.connection!.bookReadAtMs ?? 0) > failingSinceMs;
  if (found?.kind === "not_found" && !isListedSince) return { end: await awaitBook(run) };
  if (found?.kind !== "found") throw unreadableRow(row);
  const kept = await commit(run, (tables) => keepReading(run.services, tables, { ref, template: found.value, known }));
  if (!kept) throw superseded("the template was read or written meanwhile");
  return { reading: kept.reading };
}
