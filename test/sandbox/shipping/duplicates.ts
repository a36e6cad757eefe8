/** Finds templates that were made twice. */

export interface Duplicates {
  /** Creates by clients, each of which made a duplicate of either kind. */
  total: number;
  /** Creates whose payload equals the one that a template then alive in the account was created from. */
  equalPayload: number;
  /** Creates and alias edits by clients that gave a marker which another template then alive in the account had. */
  sameMarker: number;
  /** Markers that more than one template has now, whoever made them. */
  alive: { account: string; marker: string; ids: string[] }[];
}

/** What is counted of a template. */
interface Counted {
  id: string;
  account: string;
  alias_name: unknown;
  createdFrom: string | null;
}

type Account = ReadonlyMap<string, Counted>;

export interface DuplicateCounter {
  created(template: Counted, account: Account): void;
  renamed(template: Counted, aliasBefore: unknown, account: Account): void;
  count(all: Counted[]): Duplicates;
}

export function createDuplicateCounter(markerPattern: RegExp | null): DuplicateCounter {
  const counted = { total: 0, equalPayload: 0, sameMarker: 0 };

  function marker(alias: unknown): string | null {
    const found = typeof alias === "string" ? markerPattern?.exec(alias) : null;
    return found ? (found[1] ?? found[0]) : null;
  }

  function sharesMarker(template: Counted, account: Account): boolean {
    const own = marker(template.alias_name);
    if (own === null) return false;
    for (const other of account.values()) if (other !== template && marker(other.alias_name) === own) return true;
    return false;
  }

  return {
    created(template, account) {
      let equal = false;
      for (const other of account.values()) {
        if (other !== template && other.createdFrom === template.createdFrom) equal = true;
      }
      const shares = sharesMarker(template, account);
      if (equal) counted.equalPayload++;
      if (shares) counted.sameMarker++;
      if (equal || shares) counted.total++;
    },
    renamed(template, aliasBefore, account) {
      if (marker(template.alias_name) !== marker(aliasBefore) && sharesMarker(template, account)) counted.sameMarker++;
    },
    count: (all) => ({ ...counted, alive: markerPattern ? aliveMarkers(all, marker) : [] }),
  };
}

function aliveMarkers(all: Counted[], marker: (alias: unknown) => string | null): Duplicates["alive"] {
  const found = new Map<string, Duplicates["alive"][number]>();
  for (const { account, alias_name: alias, id } of all) {
    const own = marker(alias);
    if (own === null) continue;
    const name = `${account} ${own}`;
    const seen = found.get(name);
    if (seen) seen.ids.push(id);
    else found.set(name, { account, marker: own, ids: [id] });
  }
  return [...found.values()].filter(({ ids }) => ids.length > 1);
}

/** One text for equal payloads, whatever the order of their keys. */
export function canonical(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
