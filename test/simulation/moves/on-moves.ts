import type { ShippingAccount, Store, Tables } from "../../../app/ports.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { withAccount, withTables } from "../mutants/wrap.ts";

/** Faults of a moving day. */
export const ON_MOVES = {
  "a move passes over twice": {
    store: withTables(({ moves }) => ({
      moves: {
        ...moves,
        update: (where, { state, hour, press, ...patch }) =>
          moves.update(where, state === "passed" ? patch : { state, hour, press, ...patch }),
      },
    })),
  },
  "a move is forgotten at its hour": { store: withTables(hourForgotten) },
  "a move deletes the former template before": { shipping: withAccount(deletingFormer) },
} satisfies Record<string, Mutant>;

/** The run that is to come at the hour comes never. */
function hourForgotten({ workItems }: Tables): Partial<Tables> {
  return {
    workItems: {
      ...workItems,
      async update(where, patch) {
        const { id } = where;
        if (patch.dueAtMs === undefined || typeof id !== "string" || patch.leaseOwner !== null)
          return workItems.update(where, patch);
        const isMove = (await workItems.find({ id }))?.kind === "move";
        const isDone = patch.observedGeneration !== undefined && patch.reason === null;
        return workItems.update(where, isMove && isDone ? { ...patch, dueAtMs: 253_402_300_799_000 } : patch);
      },
    },
  };
}

/** What reads the coming template, on the day or when its carriers are asked, deletes the one that serves. */
function deletingFormer(account: ShippingAccount, store: Store): ShippingAccount {
  const done = async () => undefined;
  return {
    ...account,
    async get(templateId, options) {
      const [move] = await store.moves.list({ templateId, state: "coming" });
      const link = move && (await store.links.find({ shop: move.shop, locationId: move.locationId }));
      if (link) await account.delete(link.templateId, { ...options, beforeSend: done, whenRead: done });
      return account.get(templateId, options);
    },
  };
}
