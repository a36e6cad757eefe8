import { fold } from "../address/fold.ts";
import { holds, mayBeMadeFrom } from "./plan.ts";
import type { AddressTemplate, TemplateDraft, TemplatePatch } from "../records.ts";
import { differs } from "./three-way.ts";

/**
 * How well a template fits a create that may have made it: 3 when it holds all values of the create, 2 when it has the same name, 1 when
 * its name may be a shortened form of that name, 0 when the create cannot have made it. The service may store a value in another spelling,
 * so an equal name weighs more than a shortened one.
 */
export function fitOf(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): 0 | 1 | 2 | 3 {
  if (!mayBeMadeFrom(template, payload)) return 0;
  if (holds(template, payload)) return 3;
  return differs("alias_name", fold(template.alias_name), fold(payload.alias_name ?? "")) ? 1 : 2;
}
