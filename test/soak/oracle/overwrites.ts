import { valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Field, Values } from "../../../app/domain/plan/three-way.ts";
import type { TemplateContent, WriteEntry } from "../../sandbox/shipping/write-log.ts";
import type { SoakWorld } from "../world.ts";

/**
 * Our writes that replaced a person's value which no owner had seen. Values that came between our last reading and the write do not count:
 * the service has no precondition on a write, so nobody could see them. Nor does a value that Shopify came to say itself after the person:
 * from then on both sides agreed, and the location's next change replaces its own value.
 */
export function overwritesOf(
  { service, seenByOwner, announced, saidInShopify }: SoakWorld,
  locationOf: ReadonlyMap<string, string>,
): { overwritten: { templateId: string; text: string }[]; unseeable: number } {
  const said = new Map<string, { value: string | null; sequence: number; atMs: number }>();
  const overwritten: { templateId: string; text: string }[] = [];
  let unseeable = 0;
  for (const entry of service.log()) {
    const { source, sequence, templateId, readAt, atMs } = entry;
    const { before, after } = valuesAround(entry);
    if (!after) continue;
    for (const field of Object.keys(after) as Field[]) {
      const key = `${templateId} ${field}`;
      const [old, value] = [before?.[field] ?? null, after[field] ?? null];
      if ((old ?? "") === (value ?? "")) continue;
      // The service takes this word back itself when another template becomes the default.
      if (source === "service" && field === "default") said.delete(key);
      const words = said.get(key);
      if (source === "person" || announced.has(`${key} ${value}`)) said.set(key, { value, sequence, atMs });
      if (source === "person" || source === "service" || !words || (words.value ?? "") !== (old ?? "")) continue;
      if (announced.has(`${key} ${value}`) && seenByOwner.has(`${key} ${old}`)) continue;
      if (seenByOwner.has(`${key} ${old}`)) continue;
      if ((saidInShopify.get(`${locationOf.get(templateId)} ${field} ${old}`) ?? 0) > words.atMs) continue;
      if (readAt !== null && words.sequence > readAt) unseeable += 1;
      else overwritten.push({ templateId, text: `${field}: "${old}" became "${value}" (write ${sequence})` });
    }
  }
  return { overwritten, unseeable };
}

/** Who last wrote each field, by `templateId field`; `client` is the app. */
export function lastWriters(service: SoakWorld["service"]): Map<string, WriteEntry["source"]> {
  const writers = new Map<string, WriteEntry["source"]>();
  for (const entry of service.log()) {
    const { before, after } = valuesAround(entry);
    for (const field of Object.keys(after ?? {}) as Field[])
      if ((before?.[field] ?? "") !== (after?.[field] ?? "")) writers.set(`${entry.templateId} ${field}`, entry.source);
  }
  return writers;
}

/** Who deleted each template that is gone, and when. */
export function lastDeletions(service: SoakWorld["service"]): Map<string, Pick<WriteEntry, "source" | "atMs">> {
  const deletions = service.log().filter(({ operation, after }) => operation === "delete" && after === null);
  return new Map(deletions.map(({ templateId, source, atMs }) => [templateId, { source, atMs }]));
}

function valuesAround({ before, after }: WriteEntry): { before: Values | null; after: Values | null } {
  return { before: before && valuesOf(before), after: after && valuesOf(after) };
}

function valuesOf(content: TemplateContent): Values {
  return valuesOfTemplate(content as never);
}
