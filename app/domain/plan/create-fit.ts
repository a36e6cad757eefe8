import type { AddressAttributes } from "../address/address.ts";
import { fold, foldedWords } from "../address/fold.ts";
import { markerIn, shortenedTo } from "../marker.ts";
import type { AddressTemplate, TemplateDraft, TemplatePatch } from "../records.ts";
import { emptiedFields } from "./emptied.ts";
import { holds, notHeld } from "./plan.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Field } from "./three-way.ts";

/**
 * How well a template fits a create that may have made it: 4 when it holds all values of the create, 3 when it has the same name and most
 * of them, 2 when its name may be a shortened form of that name, 1 when it has the name alone or the address under another name, 0 when the
 * create cannot have made it. The service may store a value in another spelling, so an equal name weighs more than a shortened one. A name
 * alone, or an address alone, is enough to ask the owner: where a create stays unclear for long, people may have said the other anew.
 */
export function fitOf(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): 0 | 1 | 2 | 3 | 4 {
  const isNamedSo = !differs("alias_name", fold(template.alias_name), fold(payload.alias_name ?? ""));
  if (!mayBeMadeFrom(template, payload)) return isNamedSo || isAddressOf(template, payload) ? 1 : 0;
  if (holds(template, payload)) return 4;
  return isNamedSo ? 3 : 2;
}

/**
 * Which of several creates of one location made a template that carries its marker: the one of whose values it lacks the fewest; of equal ones
 * the first.
 */
export function makerOf(
  template: AddressTemplate,
  drafts: readonly [TemplateDraft, ...TemplateDraft[]],
): TemplateDraft {
  const lacking = drafts.map((draft) => notHeld(template, draft).length);
  return drafts[lacking.indexOf(Math.min(...lacking))]!;
}

/** How many fields another person may have changed in the minutes since a create; more are rarely touched. */
const MOST_SAID_SINCE = 2;

/** The shortest beginning of a name by which a template may be recognised. */
const FEWEST_KEPT = 10;

/**
 * Whether a template is so like a create that a location may take it for its own, although the template's marker does not tell. Its name must be the create's, or a shortened
 * form of it. A few of its other values may differ, because somebody may have changed them since; their case may always. A field that a
 * write has emptied since tells nothing.
 */
export function mayBeMadeFrom(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): boolean {
  // The name goes first, because it is cheap to compare and a book may hold thousands.
  return mayBeNamed(template.alias_name, payload.alias_name ?? "") && saysMostOf(template, payload);
}

/** The street, the number and the postal code as one text; null where one of them is missing. */
function houseOf({ street1, street_number: number, postal_code: code }: Partial<AddressAttributes>): string | null {
  return street1 && number && code ? [street1, number, code].map(fold).join("\n") : null;
}

/** Whether a template without a location's marker says the create's address under another name. */
function isAddressOf(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): boolean {
  // The place goes first, because it is cheap to compare.
  const place = houseOf(payload.address_attributes ?? {});
  if (place === null || houseOf(template.address) !== place) return false;
  const isMarked = markerIn(template.alias_name) !== null || markerIn(payload.alias_name ?? "") !== null;
  return !isMarked && saysMostOf(template, payload);
}

function saysMostOf(template: AddressTemplate, payload: TemplateDraft | TemplatePatch): boolean {
  const [theirs, said] = [valuesOfTemplate(template), valuesOfDraft(payload)];
  const silent: readonly Field[] = ["alias_name", ...emptiedFields(template)];
  const others = notHeld(template, payload).filter((field) => !silent.includes(field));
  return others.filter((field) => fold(theirs[field]) !== fold(said[field])).length <= MOST_SAID_SINCE;
}

/** Whether `kept` may be what the service stored of the name `said`. */
export function mayBeNamed(kept: string, said: string): boolean {
  return !differs("alias_name", fold(kept), fold(said)) || (shortenedTo(said, kept) ?? 0) >= FEWEST_KEPT;
}

/** How much shorter or longer the service may make a name by leaving letters out or putting some in. */
const MOST_OF_A_NAME = 0.7;

/**
 * Whether an answer to a create that said `payload` may show what it made. Its name must carry the create's marker and no other one, or be
 * the create's name in other spelling, or its beginning. A name that has lost or gained letters will do where all else that was said is there.
 */
export function mayAnswer(template: AddressTemplate, payload: TemplateDraft): boolean {
  const [kept, said] = [template.alias_name, payload.alias_name];
  const marker = markerIn(kept.toUpperCase());
  if (marker !== null) return marker === markerIn(said);
  const [theirs, ours] = [foldedWords(kept).join(""), foldedWords(said).join("")];
  if ((theirs === ours && ours !== "") || mayBeNamed(kept, said)) return true;
  const isAltered = ours.startsWith(theirs) || asciiOf(kept) === asciiOf(said) || hasMostOf(theirs, ours);
  return isAltered && saysMostOf(template, payload);
}

/** What another encoding leaves of a name. */
function asciiOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function hasMostOf(theirs: string, ours: string): boolean {
  const [short, long] = theirs.length < ours.length ? [theirs, ours] : [ours, theirs];
  if (short.length < long.length * MOST_OF_A_NAME) return false;
  let found = 0;
  for (const letter of long) if (letter === short[found]) found += 1;
  return found === short.length;
}
