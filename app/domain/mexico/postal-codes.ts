/**
 * What a list of postal codes says: facts of a published file that an operator has imported (docs/postal-codes.md). Public lists lack
 * thousands of settlements, so what is not on the list is unknown, never wrong.
 */

/** A colonia, fraccionamiento, ejido … of a postal code. */
export interface Settlement {
  name: string;
  /** Its kind, in the words of the file; null where the file tells none. */
  kind: string | null;
}

/** What the list says of one postal code. */
export interface PostalFacts {
  /** Five digits. */
  code: string;
  /** Null where the file names several for one code. */
  state: string | null;
  municipality: string | null;
  /** The city that people write instead of the municipality: Cancún for Benito Juárez. Null where the file names none or several. */
  city: string | null;
  settlements: readonly Settlement[];
}

/** Whose file it was; people are shown the attribution that each asks for. */
export type PostalSource = "post_office" | "tax_authority" | "geonames" | "table" | "by_hand";

/** The list in use. */
export interface PostalEdition {
  /** Rises with each import. */
  number: number;
  source: PostalSource;
  importedAtMs: number;
  codes: number;
  settlements: number;
}

/** Between a settlement's kind and its name, and between settlements; no file has them inside of a name. */
const [WITHIN, BETWEEN] = ["\t", "\n"];

const tidied = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Settlements as one text: a line each, the name and then its kind. */
export function packSettlements(settlements: readonly Settlement[]): string {
  return settlements.map(({ name, kind }) => tidied(name) + (kind === null ? "" : WITHIN + tidied(kind))).join(BETWEEN);
}

/** What `packSettlements` made of them. */
export function unpackSettlements(packed: string): Settlement[] {
  if (packed === "") return [];
  return packed.split(BETWEEN).map((line) => {
    const [name = "", kind = null] = line.split(WITHIN);
    return { name, kind };
  });
}
