import type { Services, Store, Tables } from "../ports.ts";
import { ORIGIN_TABLES } from "../readings/read-origin-facts.ts";

/** Every table of which a page shows something. */
const SHOWN: readonly (keyof Tables)[] = [...ORIGIN_TABLES, "drafts", "activity"];

/** Where one process counts its writes, the count begins anew with each start. */
const starts = new WeakMap<Store, string>();

/**
 * A word that changes whenever something that a page shows of the shop may have changed. An open page asks for it every few seconds, so it
 * reads no row. Null where the store counts no writes.
 */
export async function readRevision(
  { store, random }: Pick<Services, "store" | "random">,
  { shop }: { shop: string },
): Promise<string | null> {
  const revision = await store.revision?.(shop, SHOWN);
  if (typeof revision !== "number") return revision ?? null;
  const start = starts.get(store) ?? random.id();
  starts.set(store, start);
  return `${start} ${revision}`;
}
