import { differsForThem } from "../address/compare.ts";
import { NEVER_NULL } from "../address/validate.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import type { AddressAttributes, AddressField } from "../address/address.ts";
import { COMPARED_FIELDS, mayBeTheirs, OWN_FIELDS } from "./compared-fields.ts";
import type {
  AddressTemplate,
  Difference,
  LinkRecord,
  OwnField,
  TemplateDraft,
  TemplatePatch,
  TemplateRecord,
} from "../records.ts";

/**
 * A three-way merge, field by field: what the service answered to our last write (`base`), what it holds now (`theirs`), what we want
 * (`ours`). `sent` is what we last meant, to tell whether we have changed a field since. No change of another person is overwritten unseen.
 */

export type Field = Difference["field"];
/** Field values. A field that is absent is not compared and not sent. */
export type Values = Partial<Record<Field, string | null>>;

/** How a field beside the address is converted to text, sent and compared. */
interface OwnFieldKind {
  /** `undefined` where the template or update does not hold the field. */
  read: (said: Partial<Pick<AddressTemplate, OwnField>>) => string | undefined;
  write: (text: string) => Pick<TemplatePatch, OwnField>;
  differs: (a: string, b: string) => boolean;
}

/** A field of a template or an update that is missing here does not compile. */
const OWN: Record<OwnField | Exclude<keyof TemplatePatch, "address_attributes">, OwnFieldKind> = {
  alias_name: {
    read: ({ alias_name }) => alias_name,
    write: (alias_name) => ({ alias_name }),
    differs: (a, b) => differsForThem("street1", a, b),
  },
  address_type: {
    // An answer without an address type says nothing about it.
    read: ({ address_type }) => address_type || undefined,
    write: (address_type) => ({ address_type }),
    differs: (a, b) => a.trim() !== b.trim(),
  },
  default: {
    read: (said) => (said.default === undefined ? undefined : String(said.default ?? false)),
    write: (text) => ({ default: text === "true" }),
    differs: (a, b) => (a || "false") !== (b || "false"),
  },
};

function isOwn(field: string): field is OwnField {
  return Object.hasOwn(OWN, field);
}

export function valuesOfTemplate(template: AddressTemplate): Values {
  const values = ownValues(template);
  for (const field of ADDRESS_FIELDS) values[field] = template.address[field];
  return values;
}

export function valuesOfDraft(draft: TemplateDraft | TemplatePatch): Values {
  return { ...draft.address_attributes, ...ownValues(draft) };
}

function ownValues(said: Partial<Pick<AddressTemplate, OwnField>>): Values {
  const values: Values = {};
  for (const field of OWN_FIELDS) {
    const text = OWN[field].read(said);
    if (text !== undefined) values[field] = text;
  }
  return values;
}

/** The fields beside the address, as a template or an update holds them; absent fields are left out. */
function ownFieldsOf(values: Values): Pick<TemplatePatch, OwnField> {
  const spoken = OWN_FIELDS.filter((field) => values[field] !== undefined);
  return Object.assign({}, ...spoken.map((field) => OWN[field].write(values[field] ?? ""))) as TemplatePatch;
}

function addressOf(values: Values): Partial<AddressAttributes> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !isOwn(field)));
}

/** Whether two values of a field differ for a reader. */
export function differs(field: Field, a: string | null | undefined, b: string | null | undefined): boolean {
  return isOwn(field) ? OWN[field].differs(a ?? "", b ?? "") : differsForThem(field, a ?? null, b ?? null);
}

/** Whether two readings of a template are the same for a reader. */
export function saySame(a: AddressTemplate, b: AddressTemplate): boolean {
  const [one, other] = [valuesOfTemplate(a), valuesOfTemplate(b)];
  return (Object.keys(one) as Field[]).every((field) => !differs(field, one[field], other[field]));
}

export interface Sides {
  ours: Values;
  theirs: Values;
  link: Pick<LinkRecord, "choices" | "accepted" | "differences"> & { sent: Values | null; base: Values };
  /** Whether the service empties what an update does not name. */
  wipes: boolean;
  nowMs: number;
}

export interface Comparison {
  /** Fields that only we have changed, and fields where the owner chose our value. */
  send: Field[];
  differences: Difference[];
  /** What the link stores once the fields of `send` were sent. Without those fields it is what holds now. */
  sent: Values;
  base: Values;
  accepted: LinkRecord["accepted"];
}

type Verdict = "same" | "send" | "drift" | "conflict" | "unkept" | "accept";

/**
 * Compares field by field (docs/design/README.md, rule 6). A field that only we changed is sent. A field that only somebody else changed is
 * drift. A field that both changed is a conflict and waits for the owner. A drift or conflict in one field holds back no other field.
 */
export function compare(sides: Sides): Comparison {
  const { ours, theirs, link } = sides;
  const result: Comparison = {
    send: [],
    differences: [],
    sent: { ...link.sent },
    base: { ...link.base },
    accepted: link.accepted.filter((held) => mayBeTheirs(held.field) && stillHolds(held, sides)),
  };
  for (const field of COMPARED_FIELDS) {
    if (ours[field] === undefined || sides.theirs[field] === undefined) continue;
    const verdict = verdictOn(field, sides);
    if (verdict === "send") result.send.push(field);
    if (verdict === "drift" || verdict === "conflict" || verdict === "unkept") {
      result.differences.push(noted({ field, kind: verdict, sides }));
    }
    if (verdict === "same" || verdict === "accept") mergeField(result, field, sides);
    if (verdict === "accept" && !result.accepted.some((held) => held.field === field)) {
      result.accepted.push({ field, ours: ours[field] ?? null, theirs: theirs[field] ?? null });
    }
  }
  return result;
}

function verdictOn(field: Field, { ours, theirs, link, wipes }: Sides): Verdict {
  const equal = !differs(field, ours[field], theirs[field]);
  const choice = link.choices.find((made) => made.field === field && !differs(field, made.theirs, theirs[field]));
  if (choice?.choice === "theirs" && mayBeTheirs(field)) return "accept";
  if (equal) return "same";
  if (choice?.choice === "ours") return "send";
  const theyChanged = differs(field, theirs[field], link.base[field]) || emptiedByUs(field, { theirs, link, wipes });
  if (link.sent === null) return verdictOnAdopted({ field, ours, theyChanged });
  const weChanged = (ours[field] ?? null) !== (link.sent[field] ?? null);
  if (weChanged) return theyChanged ? "conflict" : "send";
  if (theyChanged) return "drift";
  if (!link.accepted.some((held) => held.field === field)) return "unkept";
  return mayBeTheirs(field) ? "same" : "drift";
}

/**
 * Another person's value, which is shown as a difference, may have been emptied by a write of ours: some services empty what an update does
 * not name. So an empty field does not mean that the other person took the value back.
 */
function emptiedByUs(field: Field, { theirs, link, wipes }: Pick<Sides, "theirs" | "link" | "wipes">): boolean {
  if (!wipes || (theirs[field] ?? "") !== "") return false;
  return link.differences.some((known) => known.field === field && (known.theirs ?? "") !== "");
}

/**
 * The verdict on a field of a template that was linked by hand. Where we have no value, the template's stays. Where we have one, it is
 * sent, unless somebody changed the field since the linking.
 */
function verdictOnAdopted({ field, ours, theyChanged }: { field: Field; ours: Values; theyChanged: boolean }): Verdict {
  if ((ours[field] ?? "") === "") return "accept";
  return theyChanged ? "conflict" : "send";
}

function mergeField(result: Comparison, field: Field, { ours, theirs }: Sides): void {
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
 * The fields to send, as the service takes them. `whole` names every address field, with the service's value where ours is not sent. Where
 * the service's value was emptied, it is the value that `disputed` remembers, else the one that `emptied` does; an empty one in dispute does
 * not count beside it. `emptied` is put back even when nothing else is sent. A whole address leaves out a never-null field for which nobody
 * has a value, because the service refuses an empty one.
 */
export function patchOf(input: {
  ours: Values;
  theirs: Values;
  send: Field[];
  whole: boolean;
  disputed?: { field: Field; theirs: string | null }[];
  emptied?: TemplateRecord["emptied"];
}): TemplatePatch {
  const { ours, theirs, send, disputed = [], emptied = null } = input;
  const whole = input.whole || emptied !== null;
  const own = send.filter(isOwn).map((field) => [field, ours[field] ?? null] as const);
  const patch: TemplatePatch = ownFieldsOf(Object.fromEntries(own));
  const changed = send.filter((field): field is AddressField => !isOwn(field));
  if (changed.length === 0 && emptied === null) return patch;
  const kept = (field: AddressField) =>
    theirs[field] || disputed.find((each) => each.field === field)?.theirs || (emptied?.[field] ?? theirs[field]);
  const attributes: Partial<AddressAttributes> = {};
  for (const field of whole ? ADDRESS_FIELDS : changed) {
    if (changed.includes(field)) attributes[field] = ours[field] ?? null;
    else if (kept(field) || !NEVER_NULL.includes(field)) attributes[field] = kept(field) ?? null;
  }
  patch.address_attributes = attributes;
  return patch;
}

/** The values as a link stores them in `sent`; `addressType` is used where they hold none. */
export function draftOfValues(values: Values, addressType: string): TemplateDraft {
  return { alias_name: "", address_type: addressType, ...ownFieldsOf(values), address_attributes: addressOf(values) };
}

/** A template with some of its values replaced. It gives a link a base whose fields were compared at different times. */
export function templateWith(template: AddressTemplate, values: Values): AddressTemplate {
  return { ...template, ...ownFieldsOf(values), address: { ...template.address, ...addressOf(values) } };
}
