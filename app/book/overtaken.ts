import type { AddressTemplate, TemplateRecord } from "../domain/records.ts";
import { saySame } from "../domain/plan/three-way.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { nextReading } from "../runs/next-reading.ts";

/** Answers that another reading or a write overtook while they were on their way. */

const DOUBTS = ["absentSinceMs", "unlistedSinceMs", "disputedSinceMs"] as const;

interface Answer {
  ref: ConnectionRef;
  templateId: string;
  /** What stood in the book when it was asked for. */
  known: TemplateRecord | null;
  /** What it shows; null where it found nothing. */
  template: AddressTemplate | null;
}

/**
 * Whether the template was read or written since `known` stood in the book, or something else was said of it: that it is not there, or is
 * otherwise than it was read. Such an answer is not kept, and nobody knows which of the two is the newer one. Where they differ, whoever has planned on the other one reads again. In the caller's transaction, which is not to be
 * undone.
 */
export async function dropIfOvertaken(
  tables: Pick<Tables, "templates" | "connections">,
  { ref, templateId, known, template }: Answer,
): Promise<boolean> {
  const key = { shop: ref.shop, connectionId: ref.id, templateId };
  const now = await tables.templates.find(key);
  if (now?.reading === known?.reading && isDoubtedAlike(now, known)) return false;
  if (now && template && !saySame(now.template, template))
    await tables.templates.update(key, { reading: await nextReading(tables, ref) });
  return true;
}

/** A doubt that came after an answer was asked for is not ended by that answer. */
function isDoubtedAlike(now: TemplateRecord | null, known: TemplateRecord | null): boolean {
  return DOUBTS.every((since) => (now?.[since] ?? null) === (known?.[since] ?? null));
}
