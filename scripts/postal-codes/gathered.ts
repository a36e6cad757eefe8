import { stateOfText } from "../../app/domain/mexico/states.ts";
import type { PostalFacts, Settlement } from "../../app/domain/mexico/postal-codes.ts";
import { Refused } from "./refused.ts";

/** One row of a list, in words. Empty texts say nothing. */
export interface ListedRow {
  code: string;
  state: string;
  municipality: string;
  city: string;
  kind: string;
  settlement: string;
}

/** Several names for one code are none. */
const MANY = Symbol("many");
type Name = string | null | typeof MANY;

interface Gathered {
  state: Name;
  municipality: Name;
  city: Name;
  settlements: Settlement[];
}

/** Puts the rows of a list together by code. */
export class CodesGathered {
  readonly #codes = new Map<string, Gathered>();
  /** A file says the same few thousand names again and again; one string for all of them keeps a list small. */
  readonly #names = new Map<string, string>();

  /** @param where the row's place, for a sentence. @throws Refused on what is no row of such a list. */
  add(row: ListedRow, where: string): void {
    const code = /^\d{4}$/.test(row.code) ? `0${row.code}` : row.code;
    if (!/^\d{5}$/.test(code)) throw new Refused(`${where}: «${row.code}» is no postal code.`);
    const state = row.state === "" ? null : stateOfText(row.state);
    if (row.state !== "" && state === null) throw new Refused(`${where}: «${row.state}» is none of the 32 states.`);
    const known = this.#codes.get(code);
    const of = known ?? { state: null, municipality: null, city: null, settlements: [] };
    of.state = merged(of.state, state?.name ?? "");
    of.municipality = merged(of.municipality, this.#once(row.municipality));
    of.city = merged(of.city, this.#once(row.city));
    if (row.settlement !== "") {
      const kind = row.kind === "" ? null : this.#once(row.kind);
      of.settlements.push({ name: row.settlement, kind });
    }
    if (!known) this.#codes.set(code, of);
  }

  #once(name: string): string {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, name);
    return known ?? name;
  }

  facts(): PostalFacts[] {
    return [...this.#codes].map(([code, { settlements, ...names }]) => ({
      code,
      state: oneName(names.state),
      municipality: oneName(names.municipality),
      city: oneName(names.city),
      settlements: onceEach(settlements),
    }));
  }
}

function onceEach(settlements: Settlement[]): Settlement[] {
  const keyOf = ({ name, kind }: Settlement) => `${name}\t${kind ?? ""}`;
  const keys = new Set(settlements.map(keyOf));
  return keys.size === settlements.length ? settlements : settlements.filter((each) => keys.delete(keyOf(each)));
}

function merged(before: Name, name: string): Name {
  if (name === "") return before;
  return before === null || before === name ? name : MANY;
}

const oneName = (name: Name): string | null => (name === MANY ? null : name);
