import { AppError } from "../domain/errors.ts";
import { markerIn } from "../domain/marker.ts";
import { mayAnswer } from "../domain/plan/create-fit.ts";
import type { AddressTemplate, TemplateDraft } from "../domain/records.ts";
import type { ConnectionRef, Tables, Written } from "../ports.ts";
import { sentWithin } from "../runs/known-made.ts";

interface Said {
  ref: ConnectionRef;
  payload: TemplateDraft;
  /** What was known before to have the create's words; null where that was not asked, because its marker tells. */
  alike: readonly string[] | null;
  /** The location that it was made for; null for a create by hand. */
  locationId: string | null;
}

/**
 * The end of a create, whose answer counts only if it may show what was made. A cache or a race may answer with another template: that one
 * would be linked, and the next change would be written over somebody's words.
 *
 * @throws unreadable, with an effect that nobody knows, where it shows another template.
 */
export async function believeMade(
  tables: Pick<Tables, "connections" | "links" | "templates">,
  said: Said,
  written: Written<AddressTemplate>,
): Promise<Written<AddressTemplate>> {
  if (written.kind !== "written") return written;
  const { value: template, requestId } = written;
  if (mayAnswer(template, said.payload) && !(await wasThere(tables, said, template.id))) return written;
  const message = "create: the service answered with another template";
  throw new AppError({ kind: "unreadable", message, requestId, effect: "unknown" });
}

/**
 * Whether the template was there before. A list may have shown what was made before the create's answer came: what carries its marker is
 * that, and without one what has its name and was not known when it was sent.
 */
async function wasThere(
  tables: Pick<Tables, "connections" | "links" | "templates">,
  { ref, payload, alike, locationId }: Said,
  templateId: string,
): Promise<boolean> {
  const { shop, environment } = ref;
  if (alike?.includes(templateId)) return true;
  const links = await tables.links.list({ environment, templateId });
  if (links.some((link) => link.shop !== shop || link.locationId !== locationId)) return true;
  const known = await sentWithin(tables, { environment, sent: await tables.templates.list({ shop, templateId }) });
  const marker = markerIn(payload.alias_name);
  const isOurs = (template: AddressTemplate) =>
    (marker !== null && markerIn(template.alias_name.toUpperCase()) === marker) ||
    (alike !== null && mayAnswer(template, payload));
  return known.some(({ template }) => !isOurs(template));
}
