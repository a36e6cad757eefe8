import { saySame } from "../../../app/domain/plan/three-way.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";

/** The templates of an account in the order they were made, and the book as it was a while ago, because a service's lists may lag. */
export interface FakeBook {
  readonly templates: ReadonlyMap<string, AddressTemplate>;
  put(id: string, template: AddressTemplate): void;
  remove(id: string): boolean;
  asOf(atMs: number): AddressTemplate[];
  /** Afterwards nothing is known of what the book was before. */
  forgetBefore(atMs: number): void;
  /** When a template was last made, deleted or changed. */
  changedAtMs(id: string): number;
}

interface Before {
  atMs: number;
  id: string;
  template: AddressTemplate | null;
}

export function createBook(nowMs: () => number): FakeBook {
  const templates = new Map<string, AddressTemplate>();
  const history: Before[] = [];
  /** Every id that ever existed. */
  const order: string[] = [];

  const changed = new Map<string, number>();
  const remember = (id: string, after: AddressTemplate | null) => {
    const before = templates.get(id) ?? null;
    history.push({ atMs: nowMs(), id, template: before });
    if (!before || !after || !saySame(before, after)) changed.set(id, nowMs());
    return before;
  };

  return {
    templates,
    put(id, template) {
      if (remember(id, template) === null && !order.includes(id)) order.push(id);
      templates.set(id, template);
    },
    remove(id) {
      if (!templates.has(id)) return false;
      remember(id, null);
      return templates.delete(id);
    },
    asOf(atMs) {
      if ((history.at(-1)?.atMs ?? 0) <= atMs) return [...templates.values()];
      const then = new Map<string, AddressTemplate | null>(templates);
      for (let at = history.length - 1; at >= 0 && history[at]!.atMs > atMs; at -= 1)
        then.set(history[at]!.id, history[at]!.template);
      return order.flatMap((id) => then.get(id) ?? []);
    },
    forgetBefore(atMs) {
      const kept = history.findIndex((each) => each.atMs >= atMs);
      history.splice(0, kept === -1 ? history.length : kept);
    },
    changedAtMs: (id) => changed.get(id) ?? 0,
  };
}
