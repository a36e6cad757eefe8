import { differsForThem } from "./address-compare.ts";
import { NEVER_NULL } from "./address-validate.ts";
import { ADDRESS_FIELDS } from "./address.ts";
import type { AddressAttributes, AddressField } from "./address.ts";
import type { AddressTemplate, Difference, LinkRecord, TemplateDraft, TemplatePatch } from "./records.ts";

/**
 * Three ways are compared, field by field: what the service answered to our last write (`base`), what it has now (`theirs`),
 * what we want (`ours`), beside what we last meant (`sent`). Nobody's words are overwritten unseen.
 */

export type Field = Difference["field"];
/** A field that is absent is not spoken of. */
export type Values = Partial<Record<Field, string | null>>;

const FIELDS: readonly Field[] = ["alias_name", "default", ...ADDRESS_FIELDS];

export function valuesOfTemplate(template: AddressTemplate): Values {
  const values: Values = { alias_name: template.alias_name, default: String(template.default ?? false) };
  for (const field of ADDRESS_FIELDS) values[field] = template.address[field];
  return values;
}

export function valuesOfDraft(draft: TemplateDraft | TemplatePatch): Values {
  const values: Values = { ...draft.address_attributes };
  if (draft.alias_name !== undefined) values.alias_name = draft.alias_name;
  if (draft.default !== undefined) values.default = String(draft.default);
  return values;
}

/** Whether two values of a field say different things to a reader. */
export function differs(field: Field, a: string | null | undefined, b: string | null | undefined): boolean {
  if (field === "default") return (a ?? "false") !== (b ?? "false");
  const one = field === "alias_name" ? "street1" : field;
  return differsForThem(one, a ?? null, b ?? null);
}

export interface Sides {
  ours: Values;
  theirs: Values;
  link: Pick<LinkRecord, "choices" | "accepted" | "differences"> & { sent: Values | null; base: Values };
  nowMs: number;
}

export interface Comparison {
  /** What only we changed, or what the owner chose of ours. */
  send: Field[];
  differences: Difference[];
  /** What the link remembers once the fields to send have gone: without them, it is what holds now. */
  sent: Values;
  base: Values;
  accepted: LinkRecord["accepted"];
}

type Verdict = "same" | "send" | "drift" | "conflict" | "unkept" | "accept";

/** Section by section of DESIGN 6: only ours goes; only theirs is drift; both is a conflict and waits; the others go. */
export function compare(sides: Sides): Comparison {
  const { ours, theirs, link } = sides;
  const result: Comparison = {
    send: [],
    differences: [],
    sent: { ...link.sent },
    base: { ...link.base },
    accepted: link.accepted.filter((held) => stillHolds(held, sides)),
  };
  for (const field of FIELDS) {
    if (ours[field] === undefined) continue;
    const verdict = verdictOn(field, sides);
    if (verdict === "send") result.send.push(field);
    if (verdict === "drift" || verdict === "conflict" || verdict === "unkept") {
      result.differences.push(noted({ field, kind: verdict, sides }));
    }
    if (verdict === "same" || verdict === "accept") settle(result, field, sides);
    if (verdict === "accept" && !result.accepted.some((held) => held.field === field)) {
      result.accepted.push({ field, ours: ours[field] ?? null, theirs: theirs[field] ?? null });
    }
  }
  return result;
}

function verdictOn(field: Field, { ours, theirs, link }: Sides): Verdict {
  const equal = !differs(field, ours[field], theirs[field]);
  const choice = link.choices.find((made) => made.field === field && !differs(field, made.theirs, theirs[field]));
  if (choice?.choice === "theirs") return "accept";
  if (equal) return "same";
  if (choice?.choice === "ours") return "send";
  const theyChanged = differs(field, theirs[field], link.base[field]);
  if (link.sent === null) return verdictOnAdopted({ field, ours, theyChanged });
  const weChanged = (ours[field] ?? null) !== (link.sent[field] ?? null);
  if (weChanged) return theyChanged ? "conflict" : "send";
  if (theyChanged) return "drift";
  return link.accepted.some((held) => held.field === field) ? "same" : "unkept";
}

/** A template linked by hand: where we have nothing to say its words stay; else ours go, unless somebody was faster. */
function verdictOnAdopted({ field, ours, theyChanged }: { field: Field; ours: Values; theyChanged: boolean }): Verdict {
  if ((ours[field] ?? "") === "") return "accept";
  return theyChanged ? "conflict" : "send";
}

function settle(result: Comparison, field: Field, { ours, theirs }: Sides): void {
  result.sent[field] = ours[field] ?? null;
  result.base[field] = theirs[field] ?? null;
}

function stillHolds(held: LinkRecord["accepted"][number], { ours, theirs }: Sides): boolean {
  if (ours[held.field] === undefined) return true;
  return (ours[held.field] ?? null) === held.ours && !differs(held.field, theirs[held.field], held.theirs);
}

function noted({ field, kind, sides }: { field: Field; kind: Difference["kind"]; sides: Sides }): Difference {
  const [ours, theirs, base] = [sides.ours, sides.theirs, sides.link.base].map((side) => side[field] ?? null);
  const known = sides.link.differences.find((old) => old.field === field && old.kind === kind && old.theirs === theirs);
  return { field, kind, ours: ours!, theirs: theirs!, base: base!, noticedAtMs: known?.noticedAtMs ?? sides.nowMs };
}

/**
 * The fields to send, as the service takes them. `whole` names every address field: theirs where ours does not go, or, where
 * theirs was emptied, what `disputed` remembers that they had said.
 */
export function patchOf(input: {
  ours: Values;
  theirs: Values;
  send: Field[];
  whole: boolean;
  disputed?: { field: Field; theirs: string | null }[];
}): TemplatePatch {
  const { ours, theirs, send, whole, disputed = [] } = input;
  const patch: TemplatePatch = {};
  if (send.includes("alias_name")) patch.alias_name = ours.alias_name ?? "";
  if (send.includes("default")) patch.default = ours.default === "true";
  const changed = send.filter((field): field is AddressField => field !== "alias_name" && field !== "default");
  if (changed.length === 0) return patch;
  const kept = (field: AddressField) =>
    theirs[field] || (disputed.find((each) => each.field === field)?.theirs ?? theirs[field]);
  const attributes: Partial<AddressAttributes> = {};
  for (const field of whole ? ADDRESS_FIELDS : changed) {
    attributes[field] = (changed.includes(field) ? ours[field] : kept(field)) ?? null;
  }
  patch.address_attributes = attributes;
  return patch;
}

/** Address fields that a partial update emptied though it did not name them: the service wants the whole. */
export function emptiedBy(patch: TemplatePatch, before: AddressTemplate, after: AddressTemplate): AddressField[] {
  const said = patch.address_attributes;
  return said ? emptied(before, after).filter((field) => said[field] === undefined) : [];
}

/** The same, where it is not known whether the update took effect: only if a field that is never null was emptied, which no person does. */
export function emptiedMeanwhile(before: AddressTemplate, after: AddressTemplate): AddressField[] {
  const fields = emptied(before, after);
  return fields.some((field) => NEVER_NULL.includes(field)) ? fields : [];
}

function emptied(before: AddressTemplate, after: AddressTemplate): AddressField[] {
  return ADDRESS_FIELDS.filter((field) => (before.address[field] ?? "") !== "" && (after.address[field] ?? "") === "");
}

/** `Values` as a link keeps them in `sent`. */
export function draftOfValues(values: Values, addressType: string): TemplateDraft {
  const { alias_name, default: isDefault, ...address } = values;
  const draft: TemplateDraft = { alias_name: alias_name ?? "", address_type: addressType, address_attributes: address };
  if (isDefault !== undefined) draft.default = isDefault === "true";
  return draft;
}

/** A template with some of its values replaced: a link's base where fields were settled at different times. */
export function templateWith(template: AddressTemplate, values: Values): AddressTemplate {
  const { alias_name, default: isDefault, ...address } = values;
  return {
    ...template,
    alias_name: alias_name === undefined ? template.alias_name : (alias_name ?? ""),
    default: isDefault === undefined ? template.default : isDefault === "true",
    address: { ...template.address, ...address },
  };
}
