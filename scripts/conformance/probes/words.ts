import type { AddressField } from "../../../app/domain/address/address.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import type { Asking } from "../asking.ts";
import { LENGTH_FIELDS, LENGTHS, type Length, type LengthField, type TextCase, type TextFate } from "../seen.ts";
import { patchWhole } from "./patches.ts";

/** docs/shipping-interface.md, 2.1 and 2.2: whether text comes back as it was sent, and how long it may be. */

/** One field for each question, so that one request asks all four. */
const TEXTS: readonly { what: TextCase; field: AddressField; sent: string }[] = [
  { what: "accents", field: "name", sent: "José Ñuñez Güereña" },
  { what: "quotes", field: "reference", sent: `Portón "El Águila" & Hijos` },
  { what: "spaces", field: "area_level3", sent: "  Colonia  de   Prueba " },
  { what: "letters", field: "company", sent: "Prueba de LETRAS" },
];

export async function askText(asking: Asking): Promise<void> {
  const { seen, made } = asking;
  if (!made.changed) return;
  const together = await fatesOf(asking, TEXTS);
  if (together.size > 0) return void (seen.text = recordOf(together));
  // Refused together: each alone tells which.
  const alone = new Map<TextCase, TextFate>();
  for (const text of TEXTS) alone.set(text.what, (await fatesOf(asking, [text])).get(text.what) ?? "refused");
  seen.text = recordOf(alone);
}

const recordOf = (fates: Map<TextCase, TextFate>) => Object.fromEntries(fates) as Record<TextCase, TextFate>;

/** Nothing where they are refused. */
async function fatesOf(asking: Asking, texts: typeof TEXTS): Promise<Map<TextCase, TextFate>> {
  const { value } = await patchWhole(asking, Object.fromEntries(texts.map(({ field, sent }) => [field, sent])));
  if (value?.kind !== "written") return new Map();
  const { address } = value.value;
  return new Map(texts.map((text) => [text.what, fateOf(text, address[text.field])]));
}

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "");
const folded = (text: string) => text.trim().replace(/\s+/g, " ");
const lower = (text: string) => text.toLowerCase();

/** Each case looks at one thing only, whatever else the service does to text. */
function fateOf({ what, sent }: { what: TextCase; sent: string }, kept: string | null): TextFate {
  if (kept === null || kept === "") return "empty";
  const isSame = (alike: (text: string) => string) => alike(kept) === alike(sent);
  switch (what) {
    case "accents":
      if (isSame((text) => lower(folded(text)))) return "same";
      return isSame((text) => plain(lower(folded(text)))) ? "plain_letters" : "other";
    case "quotes":
      return isSame((text) => plain(lower(folded(text)))) ? "same" : "other";
    case "spaces":
      if (isSame((text) => plain(lower(text)))) return "same";
      return isSame((text) => plain(lower(folded(text)))) ? "trimmed" : "other";
    case "letters":
      if (isSame((text) => plain(folded(text)))) return "same";
      return folded(plain(kept)) === plain(sent).toUpperCase() ? "capitals" : "other";
  }
}

/** Each length in one request over all fields; where it is refused, without the fields that the refusal names, or one by one. */
export async function askLengths(asking: Asking): Promise<void> {
  const { seen, made } = asking;
  if (!made.changed) return;
  const lengths = new Map<LengthField, Length>();
  let fields: LengthField[] = [...LENGTH_FIELDS];
  for (const length of LENGTHS) {
    const fates = await askLength(asking, { fields, length });
    for (const [field, fate] of fates) {
      const known = lengths.get(field) ?? { longest: 0, over: "kept", cutTo: null };
      lengths.set(field, fate === "kept" ? { ...known, longest: length } : { ...known, ...fate });
    }
    fields = fields.filter((field) => fates.get(field) === "kept");
  }
  seen.lengths = Object.fromEntries(lengths);
}

type Fate = "kept" | Pick<Length, "over" | "cutTo">;
const REFUSED: Fate = { over: "refused", cutTo: null };

async function askLength(
  asking: Asking,
  { fields, length }: { fields: LengthField[]; length: number },
): Promise<Map<LengthField, Fate>> {
  if (fields.length === 0) return new Map();
  const { name } = asking.made.changed!;
  const texts = new Map(fields.map((field) => [field, textOf({ field, length, name })]));
  const { alias_name: alias, ...address } = Object.fromEntries(texts) as Partial<Record<LengthField, string>>;
  const { value } = await patchWhole(asking, address, alias);
  if (value?.kind === "written")
    return new Map([...texts].map(([field, sent]) => [field, lengthFate(sent, keptIn(value.value, field))]));
  if (value?.kind !== "refused") return new Map();
  const named = fields.filter((field) => field in value.problem.fields);
  if (fields.length === 1) return new Map([[fields[0]!, REFUSED]]);
  const rest = fields.filter((field) => !named.includes(field));
  if (named.length > 0)
    return new Map([
      ...named.map((field) => [field, REFUSED] as const),
      ...(await askLength(asking, { fields: rest, length })),
    ]);
  const fates = new Map<LengthField, Fate>();
  for (const field of fields)
    for (const [one, fate] of await askLength(asking, { fields: [field], length })) fates.set(one, fate);
  return fates;
}

/** The alias and the reference keep the run's own name at their beginning, by which the template is found. */
function textOf({ field, length, name }: { field: LengthField; length: number; name: string }): string {
  const begin = field === "alias_name" || field === "reference" ? name : "Prueba";
  return begin.padEnd(length, "abcdefghij");
}

function keptIn(template: AddressTemplate, field: LengthField): string {
  return (field === "alias_name" ? template.alias_name : template.address[field]) ?? "";
}

/** Capitals and accents are another question's. */
function lengthFate(sent: string, kept: string): Fate {
  const same = [...kept].length >= [...sent].length;
  return same ? "kept" : { over: "cut", cutTo: [...kept].length };
}
