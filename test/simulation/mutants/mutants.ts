import type { Mutant } from "./mutant.ts";
import { AppError, isAppError } from "../../../app/domain/errors.ts";
import type { AddressTemplate, WorkItem } from "../../../app/domain/records.ts";
import { templateWith, valuesOfDraft } from "../../../app/domain/plan/three-way.ts";
import type { ShippingAccount, Store, Tables } from "../../../app/ports.ts";
import { AGAINST_RULES } from "./against-rules.ts";
import { ON_ERASING } from "./on-erasing.ts";
import { ON_MOVES } from "../moves/on-moves.ts";
import { ON_PAGES } from "./on-pages.ts";
import { ON_PARTS } from "./on-parts.ts";
import { reading, withAccount, withTables } from "./wrap.ts";

/** Faults in the protocol that keeps a write from happening twice, or unseen. */
const IN_PROTOCOL = {
  "no pending write is kept before a write": {
    store: withTables((tables) => ({ pendingWrites: { ...tables.pendingWrites, insert: async () => true } })),
  },
  "no quarantine after an unclear end": { settings: { quarantineMs: 0 } },
  "no fence on a run's writes": {
    store: withTables((tables) => ({
      workItems: { ...tables.workItems, update: (where, patch) => tables.workItems.update(withoutFence(where), patch) },
    })),
  },
  "an unclear end counts as a refusal": { shipping: withAccount((account) => mapErrors(account, certain)) },
  "an unclear update counts as done, its payload trusted": { shipping: withAccount(trusting) },
  "a PATCH without a GET before it": { shipping: withAccount(blind) },
  "what they had before is not compared": {
    store: withTables((tables) => ({ links: reading(tables.links, (link) => ({ ...link, answered: null })) })),
  },
  "a change during a run is taken for seen": {
    store: withTables((tables) => ({ workItems: { ...tables.workItems, update: seeingAll(tables.workItems) } })),
  },
  "an unclear create is repeated without looking": {
    shipping: withAccount((account) => ({ ...account, listAll: async () => ({ templates: [], unreadable: [] }) })),
  },
  "only the first page is looked at": {
    shipping: withAccount((account) => ({
      ...account,
      listAll: (options) => account.listPage({ ...options, page: 1 }),
    })),
  },
  "a new process sends at once": { budget: { openAtOnce: true } },
  "a slot without an answer is free after a second": { budget: { graceMs: 0 } },
} satisfies Record<string, Mutant>;

export const MUTANTS = {
  ...IN_PROTOCOL,
  ...AGAINST_RULES,
  ...ON_ERASING,
  ...ON_PARTS,
  ...ON_PAGES,
  ...ON_MOVES,
} satisfies Record<string, Mutant>;

export type MutantName = keyof typeof MUTANTS;

/** Home with a changed part. */
function withoutFence(where: Parameters<Tables["workItems"]["update"]>[0]) {
  if (where.fence === undefined) return where;
  const { fence: _fence, leaseOwner: _owner, leaseUntilMs: _until, ...rest } = where;
  return rest;
}

function seeingAll(workItems: Tables["workItems"]): Tables["workItems"]["update"] {
  return async (where, patch) => {
    if (patch.observedGeneration === undefined) return workItems.update(where, patch);
    const current: WorkItem | null = await workItems.find(where);
    if (!current || patch.observedGeneration < (current.observedGeneration ?? 0) + 1)
      return workItems.update(where, patch);
    return workItems.update(where, { ...patch, observedGeneration: current.generation, dueAtMs: 253_402_300_799_000 });
  };
}

function mapErrors(account: ShippingAccount, change: (error: AppError) => AppError): ShippingAccount {
  const mapped = <T>(call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => Promise.reject(isAppError(error) ? change(error) : (error as Error)));
  return {
    ...account,
    create: (draft, options) => mapped(account.create(draft, options)),
    update: (templateId, patch, options) => mapped(account.update(templateId, patch, options)),
    delete: (templateId, options) => mapped(account.delete(templateId, options)),
  };
}

function certain({ kind, message, requestId, status }: AppError): AppError {
  return new AppError({ kind, message, requestId, status, effect: "none" });
}

function trusting(account: ShippingAccount, store: Store): ShippingAccount {
  return {
    ...account,
    update: (templateId, patch, options) =>
      account.update(templateId, patch, options).catch(async (error: unknown) => {
        const known = await store.templates.find({ templateId });
        if (!isAppError(error) || error.effect === "none" || !known) throw error;
        const value: AddressTemplate = templateWith(known.template, valuesOfDraft(patch));
        return { kind: "written", value, requestId: "trusted" };
      }),
  };
}

function blind(account: ShippingAccount, store: Store): ShippingAccount {
  return {
    ...account,
    get: async (templateId, options) => {
      const known = await store.templates.find({ templateId });
      return known ? { kind: "found", value: known.template, requestId: "blind" } : account.get(templateId, options);
    },
  };
}
