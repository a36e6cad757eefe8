import type { AddressTemplate } from "../../app/domain/records.ts";

/** The templates of an account in the order they were made, and what the book said a while ago: a service's lists may be behind. */
export interface FakeBook {
  readonly templates: ReadonlyMap<string, AddressTemplate>;
  put(id: string, template: AddressTemplate): void;
  remove(id: string): boolean;
  asOf(atMs: number): AddressTemplate[];
}

interface Before {
  atMs: number;
  id: string;
  template: AddressTemplate | null;
}

export function createBook(nowMs: () => number): FakeBook {
  const templates = new Map<string, AddressTemplate>();
  const history: Before[] = [];
  /** Every id there ever was. */
  const order: string[] = [];

  const remember = (id: string) => {
    const before = templates.get(id) ?? null;
    history.push({ atMs: nowMs(), id, template: before });
    return before;
  };

  return {
    templates,
    put(id, template) {
      if (remember(id) === null && !order.includes(id)) order.push(id);
      templates.set(id, template);
    },
    remove(id) {
      if (!templates.has(id)) return false;
      remember(id);
      return templates.delete(id);
    },
    asOf(atMs) {
      if ((history.at(-1)?.atMs ?? 0) <= atMs) return [...templates.values()];
      const then = new Map<string, AddressTemplate | null>(templates);
      for (let at = history.length - 1; at >= 0 && history[at]!.atMs > atMs; at -= 1)
        then.set(history[at]!.id, history[at]!.template);
      return order.flatMap((id) => then.get(id) ?? []);
    },
  };
}
