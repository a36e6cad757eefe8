import type { Store, Transaction } from "../../ports.ts";
import { currentTraceparent } from "./spans.ts";

/**
 * The same store, in which a work item keeps in whose trace it was asked for last. A request raises the generation, and nothing else does, so
 * neither whoever asks nor `runs/request-work.ts` knows of traces.
 */
export function tracedStore<S extends Store>(store: S): S {
  const { together } = store;
  return {
    ...store,
    transaction: (shop, work) => store.transaction(shop, (inside) => work(noting(inside))),
    ...(together && {
      together: (shop, { rows, work }) => together(shop, { rows, work: (inside) => work(noting(inside)) }),
    }),
  } satisfies S as S;
}

function noting(inside: Transaction): Transaction {
  const { workItems } = inside;
  const insert: typeof workItems.insert = (record) =>
    workItems.insert({ ...record, traceparent: currentTraceparent() });
  const update: typeof workItems.update = (where, patch) =>
    workItems.update(where, "generation" in patch ? { ...patch, traceparent: currentTraceparent() } : patch);
  return { ...inside, workItems: { ...workItems, insert, update } };
}
