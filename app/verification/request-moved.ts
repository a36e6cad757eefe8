import type { AddressTemplate, LinkRecord } from "../domain/records.ts";
import { differs, valuesOfTemplate } from "../domain/plan/three-way.ts";
import type { Field } from "../domain/plan/three-way.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";

/**
 * Requests the linked location's run when a reading, for whatever purpose, shows a template otherwise than we left it. Decides nothing
 * itself. The caller wakes the worker.
 */
export async function requestMoved(
  services: Services,
  tables: Tables,
  { ref, template }: { ref: ConnectionRef; template: AddressTemplate },
): Promise<void> {
  const { id: connectionId, shop } = ref;
  const link = await tables.links.find({ shop, connectionId, templateId: template.id });
  if (!link || isAsLeft(link, template)) return;
  await requestWork(services, tables, { shop, kind: "location", key: link.locationId });
}

/** Whether a template is as our last write left it, except for differences that are shown already. */
function isAsLeft(link: LinkRecord, template: AddressTemplate): boolean {
  const base = link.answered ? valuesOfTemplate(link.answered) : {};
  const noted = new Map(link.differences.map(({ field, theirs }) => [field, theirs]));
  return Object.entries(valuesOfTemplate(template)).every(([field, theirs]) => {
    const known = noted.has(field as Field) ? noted.get(field as Field) : base[field as Field];
    return !differs(field as Field, known, theirs);
  });
}
