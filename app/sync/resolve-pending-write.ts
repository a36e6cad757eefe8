import { closedReason } from "../domain/closed-reason.ts";
import type { PendingWrite } from "../domain/records.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { quarantineHolds } from "../runs/quarantine.ts";
import { blocked, commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { dropLink } from "./delete-template.ts";
import { noteMissing } from "./note-missing.ts";
import { keepReading } from "../book/keep-template.ts";
import { readOwnFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { openGate } from "./sync-step.ts";
import type { Step } from "./sync-step.ts";
import { resolveCreate } from "./resolve-create.ts";
import type { Unclear } from "./resolve-create.ts";
import { settleUnclear } from "./settle-unclear.ts";
import { setUnclearAside } from "../account/pass-writes-over.ts";

/**
 * Finds out, once the quarantine is over, what became of a write whose end is unclear. Nothing is written there.
 */
export async function resolvePendingWrite(run: Run, pendingWrite: PendingWrite): Promise<Step> {
  const facts = await readOwnFacts(run);
  // Its owner may still say that this client id opens the account that was written to: the write passes over then, with its link.
  const closed = facts?.connection && closedReason(facts.connection);
  if (closed) return { end: blocked(run, closed) };
  if (facts?.connection?.id !== pendingWrite.connectionId) await doubtBook(run, pendingWrite);
  if (!facts?.connection || !(await mayConcern(run, pendingWrite, facts))) {
    // Another client id is in use, whose account does not hold the template.
    await commit(run, (tables) => setUnclearAside(tables, pendingWrite));
    return { reading: null };
  }
  const gate = await openGate(run, facts);
  if ("end" in gate) return gate;
  if (pendingWrite.operation === "create") return resolveCreate(run, { pendingWrite, facts, account: gate.account });
  return resolveChange(run, { pendingWrite, facts, account: gate.account });
}

/**
 * Another client id may open the account that the write went to. What a create made there is looked for in its book before anything is
 * made; a template that its link names is there for sure.
 */
async function mayConcern(
  { services }: Run,
  pendingWrite: PendingWrite,
  { connection, link }: PlanFacts,
): Promise<boolean> {
  if (connection!.id === pendingWrite.connectionId) return true;
  if (pendingWrite.operation !== "create") return link?.templateId === pendingWrite.templateId;
  const wroteTo = await services.store.connections.find({ id: pendingWrite.connectionId });
  return wroteTo?.environment === connection!.environment;
}

/** The client id is not in use: should it be again, its book is read before anything is made in it. */
async function doubtBook(run: Run, { connectionId }: PendingWrite): Promise<void> {
  await commit(run, (tables) =>
    tables.connections.update({ id: connectionId }, { bookReadAtMs: null, bookConfirmedAtMs: null }),
  );
}

async function resolveChange(run: Run, { pendingWrite, facts, account }: Unclear): Promise<Step> {
  const { link } = facts;
  if (!link || link.templateId !== pendingWrite.templateId) {
    await commit(run, (tables) => tables.pendingWrites.delete({ id: pendingWrite.id }));
    return { reading: null };
  }
  const found = await account.get(link.templateId);
  const putOff = await quarantineHolds(run);
  if (putOff) return { end: putOff };
  const { services } = run;
  const ref = refOf(facts.connection!);
  if (found.kind === "not_found") {
    const { requestId } = found;
    if (pendingWrite.operation === "update") return noteMissing(run, facts, { requestId, unclear: pendingWrite.id });
    const end = await awaitSecondSighting(run, { ref, templateId: link.templateId, requestId });
    if (end) return { end };
    await dropLink(run, facts, { kind: "template_deleted", pendingWriteId: pendingWrite.id, requestId });
    return { reading: null };
  }
  const row = await commit(run, async (tables) => {
    const kept = await keepReading(services, tables, { ref, template: found.value, known: facts.template });
    if (!kept) return null;
    await tables.pendingWrites.delete({ id: pendingWrite.id });
    await settleUnclear(services, tables, { ref, link, row: kept, pendingWrite, policies: facts.shop.policies });
    return kept;
  });
  if (!row) throw superseded("the template was read or written meanwhile");
  return { reading: row.reading };
}
