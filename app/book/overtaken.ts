import type { AddressTemplate, TemplateRecord } from "../domain/records.ts";
import { saySame } from "../domain/plan/three-way.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { nextReading } from "./number-readings.ts";

/** Answers that another reading or a write overtook while they were on their way. */

/** Whether the template was read or written since `known` stood in the book. */
export async function isOvertaken(
  tables: Pick<Tables, "templates">,
  { ref, templateId, known }: { ref: ConnectionRef; templateId: string; known: TemplateRecord | null },
): Promise<boolean> {
  const now = await tables.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  return now?.reading !== known?.reading;
}

/**
 * An answer that another one overtook is not kept, and nobody knows which of the two is the newer one. Where they differ, whoever has
 * planned on the other one reads again. In the caller's transaction.
 */
export async function noteOvertaken(
  tables: Pick<Tables, "templates" | "connections">,
  { ref, template }: { ref: ConnectionRef; template: AddressTemplate },
): Promise<void> {
  const key = { shop: ref.shop, connectionId: ref.id, templateId: template.id };
  const row = await tables.templates.find(key);
  if (!row || saySame(row.template, template)) return;
  await tables.templates.update(key, { reading: await nextReading(tables, ref) });
}
