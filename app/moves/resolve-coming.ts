import { isDoubted } from "../domain/doubted.ts";
import { markerIn } from "../domain/marker.ts";
import { mayBeNamed } from "../domain/plan/create-fit.ts";
import { oursAmong } from "../domain/plan/plan.ts";
import type { PendingWrite, TemplateDraft, TemplateRecord } from "../domain/records.ts";
import { refuseHidden } from "../book/hidden-create.ts";
import { refuseLeftOut } from "../book/left-out.ts";
import { lookAgain, readBookSince } from "../book/read-book-since.ts";
import { findShortened } from "../book/short-aliases.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { quarantineEndsMs, quarantineHolds } from "../runs/quarantine.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { keepMade } from "./make-coming.ts";
import type { MoveFacts } from "./move-facts.ts";

interface Unclear {
  facts: MoveFacts;
  pendingWrite: PendingWrite;
  account: ReadableAccount;
}

/**
 * What became of an unclear create of a coming template: what carries the marker is what it made. Where nothing does, in a book that is
 * known whole, it was not made.
 */
export async function resolveComing(
  run: Run,
  unclear: Unclear,
): Promise<{ templateId: string | null } | { end: RunEnd }> {
  const { facts, pendingWrite, account } = unclear;
  const { services } = run;
  const payload = pendingWrite.payload as TemplateDraft;
  const marker = pendingWrite.marker!;
  const ref = refOf(facts.connection);
  const sinceMs = quarantineEndsMs(services, pendingWrite);
  const { templates, failed, incomplete } = await readBookSince(run, { ref, account, sinceMs });
  const putOff = await quarantineHolds(run);
  if (putOff) return { end: putOff };
  const marked = templates.filter(({ template }) => markerIn(template.alias_name) === marker);
  const sure = marked.filter((each) => !isDoubted(each));
  const found =
    oursOf(sure.length > 0 ? sure : marked, { marker, payload }) ??
    (await findShortened(services.store, { ref, pendingWrite, templates }));
  if (found) {
    const looked = await lookAgain(run, { ref, account, row: found, failed });
    if (looked === "gone") return resolveComing(run, unclear);
    if ("end" in looked) return looked;
    const { row } = looked;
    await commit(run, async (tables) => {
      await tables.pendingWrites.delete({ id: pendingWrite.id });
      await keepMade(run, tables, { facts, row, said: payload, requestId: null });
    });
    services.wake();
    return { templateId: row.templateId };
  }
  if (failed) throw failed;
  if (incomplete) return { end: incomplete };
  const isOurs = (name: string) => markerIn(name) === marker || mayBeNamed(name, payload.alias_name);
  await refuseHidden(services.store, { ref, pendingWrite, isOurs });
  await refuseLeftOut(run, { ref, account });
  await commit(run, (tables) => tables.pendingWrites.delete({ id: pendingWrite.id }));
  return { templateId: null };
}

function oursOf(rows: TemplateRecord[], { marker, payload }: { marker: string; payload: TemplateDraft }) {
  const found = oursAmong(
    rows.map(({ template }) => template),
    marker,
    payload,
  );
  return rows.find(({ templateId }) => templateId === found?.id) ?? null;
}
