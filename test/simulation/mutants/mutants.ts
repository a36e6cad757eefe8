import type { Mutant } from "./mutant.ts";
import { AppError, isAppError } from "../../../app/domain/errors.ts";
import type { AddressTemplate, TargetRecord } from "../../../app/domain/records.ts";
import { templateWith, valuesOfDraft } from "../../../app/domain/three-way.ts";
import type { ShippingAccount, ShippingService, Store, Table, Tables } from "../../../app/ports.ts";

import type { HomeView } from "../../../app/use-cases/views/home.ts";
import type { JobView } from "../../../app/use-cases/views/job.ts";
import type { OriginsView } from "../../../app/use-cases/views/origins.ts";
import type { Pages } from "../story/pages.ts";

export type MutantName = keyof typeof MUTANTS;

export const MUTANTS = {
  "no intent is written before a write": {
    store: withTables((tables) => ({ intents: { ...tables.intents, insert: async () => true } })),
  },
  "no quarantine after an unclear end": { settings: { quarantineMs: 0 } },
  "no fence on a run's writes": {
    store: withTables((tables) => ({
      targets: { ...tables.targets, update: (where, patch) => tables.targets.update(withoutFence(where), patch) },
    })),
  },
  "an unclear end counts as a refusal": { shipping: withAccount((account) => mapErrors(account, certain)) },
  "an unclear update counts as done, its payload trusted": { shipping: withAccount(trusting) },
  "a PATCH without a GET before it": { shipping: withAccount(blind) },
  "what they had before is not compared": {
    store: withTables((tables) => ({ links: reading(tables.links, (link) => ({ ...link, answered: null })) })),
  },
  "a change during a run is taken for seen": {
    store: withTables((tables) => ({ targets: { ...tables.targets, update: seeingAll(tables.targets) } })),
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
  "Home does not say what fails": {
    pages: (pages) => ({ ...pages, home: onHome(pages, { needs: [], troubles: [] }) }),
  },
  "every origin that has a template is called ready": {
    pages: (pages) => ({ ...pages, origins: async (shop) => allReady(await pages.origins(shop)) }),
  },
  "a job is called done when it begins": {
    pages: (pages) => ({ ...pages, job: async (shop, jobId) => calledDone(await pages.job(shop, jobId)) }),
  },
} satisfies Record<string, Mutant>;

/** Home, with something else on it. */
function onHome({ home }: Pages, other: Partial<HomeView>): Pages["home"] {
  return async (shop) => {
    const view = await home(shop);
    return view && { ...view, ...other };
  };
}

function allReady(view: OriginsView | null): OriginsView | null {
  const rows = view?.rows.map((row) => (row.syncedAtMs === null ? row : { ...row, state: "ready" as const }));
  return view && { ...view, rows: rows! };
}

function calledDone(view: JobView | null): JobView | null {
  return view && { ...view, state: "done" };
}

function withTables(change: (tables: Tables) => Partial<Tables>): (store: Store) => Store {
  return (store) => ({
    ...store,
    ...change(store),
    transaction: (work) => store.transaction((tables) => work({ ...tables, ...change(tables) })),
  });
}

function withAccount(change: (account: ShippingAccount, store: Store) => ShippingAccount) {
  return (shipping: ShippingService, store: Store): ShippingService => ({
    ...shipping,
    account: (connection) => change(shipping.account(connection), store),
  });
}

function reading<R>(table: Table<R>, change: (record: R) => R): Table<R> {
  return {
    ...table,
    find: async (where) => {
      const found = await table.find(where);
      return found && change(found);
    },
    list: async (where, options) => (await table.list(where, options)).map(change),
  };
}

function withoutFence(where: Parameters<Tables["targets"]["update"]>[0]) {
  if (where.fence === undefined) return where;
  const { fence: _fence, leaseOwner: _owner, leaseUntilMs: _until, ...rest } = where;
  return rest;
}

function seeingAll(targets: Tables["targets"]): Tables["targets"]["update"] {
  return async (where, patch) => {
    if (patch.seen === undefined) return targets.update(where, patch);
    const current: TargetRecord | null = await targets.find(where);
    if (!current || patch.seen < (current.seen ?? 0) + 1) return targets.update(where, patch);
    return targets.update(where, { ...patch, seen: current.wanted, dueAtMs: 253_402_300_799_000 });
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
