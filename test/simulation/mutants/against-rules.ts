import type { Network } from "../../../app/adapters/shipping/network.ts";
import { AppError } from "../../../app/domain/errors.ts";
import type { AddressTemplate, ShopifyLocation, WorkItem } from "../../../app/domain/records.ts";
import type { CallOptions, ShippingAccount, ShopifyAdmin, Tables } from "../../../app/ports.ts";
import type { VirtualMachine } from "../../fakes/machine.ts";
import { REFUSED_WORDS } from "../story/stuck.ts";
import { believingTheList } from "./list-believed.ts";
import type { Mutant } from "./mutant.ts";
import { withAccount, withTables } from "./wrap.ts";

/** One deliberate fault for each rule about what goes wrong. Most are faults that the app once had, made again at its ports. */
export const AGAINST_RULES = {
  "no answer to a probe is believed": {
    shipping: withAccount((account) => ({ ...account, probe: async () => Promise.reject(fault("server_error")) })),
  },
  "a work item's own failures are not counted": {
    store: withTables(({ workItems }) => ({
      workItems: { ...workItems, update: (where, patch) => workItems.update(where, uncounted(patch)) },
    })),
  },
  "failures of a write are not counted": { store: withTables(writesUncounted) },
  "a DELETE goes without reading Shopify again": { shopify: rememberingWhoLeft },
  "an answer of Shopify's that is behind is believed": { shopify: neverOlder },
  "any 401 of the token endpoint closes a connection": { network: (network) => answering(network, asRefusal) },
  "one 404 is believed, and a listing that is read once": {
    // Some time must lie between the two listings: otherwise a run that waits for the second one would repeat at once, for ever.
    settings: { absenceBelievedAfterMs: 0, listingsApartMs: 1_000 },
  },
  "one malformed row fails the listing": { shipping: withAccount(wholeOrNothing) },
  "a cancel that stops nothing says that it did": { store: withTables(stoppingNothing) },
  "time is told by the wall clock": { machine: byTheWall },
  "a call that fails is dropped, and its run never ends": { shipping: withAccount(dropping) },
  "what a caller that has left asked for fails unheard": { shipping: withAccount(unheard) },
  "what was there before a create by hand may be what it made": {
    store: withTables(({ pendingWrites }) => ({
      pendingWrites: {
        ...pendingWrites,
        insert: (pendingWrite) => pendingWrites.insert({ ...pendingWrite, alike: [] }),
      },
    })),
  },
  "what a list leaves out is believed to be gone": { shipping: believingTheList },
  "two forms may be told of one template": {
    store: withTables(({ drafts }) => ({
      drafts: {
        ...drafts,
        list: (where, options) => (where.operation ? Promise.resolve([]) : drafts.list(where, options)),
      },
    })),
  },
  "a change by hand that was made is told to be refused": { store: withTables(madeButRefused) },
  "a link ends an unclear create without a look at the book": { store: withTables(linkEndsCreate) },
  "a template's address_type is not compared": { shipping: withAccount(untyped) },
  "asking again forgets the verdict": {
    store: withTables(({ verifications }) => ({
      verifications: {
        ...verifications,
        update: (where, patch) =>
          verifications.update(where, patch.question === "wanted" ? { ...patch, outcome: "wanted" } : patch),
      },
    })),
  },
  "a byte-order mark makes an answer unreadable": {
    network: (network) =>
      answering(network, (answer) => (answer.body.startsWith("\uFEFF") ? { ...answer, body: "\uFEFF{" } : answer)),
  },
} satisfies Record<string, Mutant>;

function fault(kind: "server_error" | "unreadable"): AppError {
  return new AppError({ kind, message: "a mutant's", effect: "none" });
}

export function uncounted(patch: Partial<WorkItem>): Partial<WorkItem> {
  return (patch.failures ?? 0) > 0 ? { ...patch, failures: 0, failingSinceMs: null } : patch;
}

function writesUncounted({ workItems, pendingWrites }: Tables): Partial<Tables> {
  return {
    workItems: {
      ...workItems,
      async update(where, patch) {
        const isWrite = typeof where.id === "string" && (await pendingWrites.count({ workItemId: where.id })) > 0;
        return workItems.update(where, isWrite ? uncounted(patch) : patch);
      },
    },
  };
}

/** Takes each answer for as new as any. */
function neverOlder(shopify: ShopifyAdmin): ShopifyAdmin {
  const asNew = <T extends ShopifyLocation | null>(found: T): T => found && { ...found, shopifyAtMs: LATER_MS };
  return {
    ...shopify,
    locations: async (shop) => (await shopify.locations(shop)).map(asNew),
    location: async (shop, locationId) => asNew(await shopify.location(shop, locationId)),
  };
}

/** Later than every story. */
const LATER_MS = Date.UTC(2100);

/** Remembers that a location has left, in place of reading Shopify again. */
function rememberingWhoLeft(shopify: ShopifyAdmin): ShopifyAdmin {
  const left = new Map<string, ShopifyLocation | null>();
  return {
    ...shopify,
    async location(shop, locationId) {
      const key = `${shop} ${locationId}`;
      if (left.has(key)) return left.get(key)!;
      const found = await shopify.location(shop, locationId);
      if (!found?.isActive) left.set(key, found);
      return found;
    },
  };
}

function madeButRefused({ drafts }: Tables): Partial<Tables> {
  return {
    drafts: {
      ...drafts,
      update: (where, patch) =>
        drafts.update(where, patch.outcome?.kind === "done" ? { ...patch, outcome: REFUSED } : patch),
    },
  };
}

const REFUSED = { kind: "refused", message: REFUSED_WORDS, fields: null } as const;

type Answer = Awaited<ReturnType<Network["exchange"]>["answer"]>;

export function answering(network: Network, change: (answer: Answer, path: string) => Answer): Network {
  return {
    ...network,
    exchange(exchange) {
      const underWay = network.exchange(exchange);
      return { ...underWay, answer: underWay.answer.then((answer) => change(answer, exchange.request.path)) };
    },
  };
}

function asRefusal(answer: Answer, path: string): Answer {
  if (!path.includes("oauth/token") || answer.status !== 401) return answer;
  const body = JSON.stringify({ error: "invalid_client", error_description: "No." });
  return { ...answer, headers: { ...answer.headers, "content-type": "application/json" }, body };
}

function wholeOrNothing(account: ShippingAccount): ShippingAccount {
  return {
    ...account,
    async listAll(options) {
      const listing = await account.listAll(options);
      if (listing.unreadable.length > 0) throw fault("unreadable");
      return listing;
    },
  };
}

/** Makes a cancel miss. A cancel stops a work item by the generation that no run has begun. */
function stoppingNothing({ workItems, details }: Tables): Partial<Tables> {
  return {
    details: {
      ...details,
      update: async (where, patch) =>
        patch.confirmedAtMs === null ? details.count(where) : details.update(where, patch),
    },
    workItems: {
      ...workItems,
      update: async (where, patch) =>
        where.leaseOwner === null && where.generation !== undefined && where.observedGeneration !== undefined
          ? workItems.count(where)
          : workItems.update(where, patch),
    },
  };
}

function byTheWall(machine: VirtualMachine): VirtualMachine {
  return { ...machine, monotonicMs: () => machine.machineMs() };
}

function dropping(account: ShippingAccount): ShippingAccount {
  const never = () => new Promise<never>(() => undefined);
  return { ...account, get: (templateId, options) => account.get(templateId, options).catch(never) };
}

function untyped(account: ShippingAccount): ShippingAccount {
  const from = (template: AddressTemplate): AddressTemplate => ({ ...template, address_type: "from" });
  return {
    ...account,
    async get(templateId, options) {
      const found = await account.get(templateId, options);
      return found.kind === "found" ? { ...found, value: from(found.value) } : found;
    },
    async listAll(options) {
      const listing = await account.listAll(options);
      return { ...listing, templates: listing.templates.map(from) };
    },
    async update(templateId, patch, options) {
      const written = await account.update(templateId, patch, options);
      return written.kind === "written" ? { ...written, value: from(written.value) } : written;
    },
  };
}

/** Makes a link end an unclear create: when the owner links another template, nobody looks for the one that the create may have made. */
function linkEndsCreate({ links, pendingWrites }: Tables): Partial<Tables> {
  return {
    links: {
      ...links,
      async insert(link) {
        const inserted = await links.insert(link);
        const { shop, locationId, connectionId } = link;
        if (inserted && link.how === "chosen")
          await pendingWrites.delete({ shop, locationId, connectionId, operation: "create" });
        return inserted;
      },
    },
  };
}

/** Makes a failure go unheard: after its caller has left, the work goes on and rejects with nobody to handle it. */
function unheard(account: ShippingAccount): ShippingAccount {
  const dropped = <O extends CallOptions, T>({ signal, ...rest }: O, call: (options: O) => Promise<T>): Promise<T> => {
    const work = call(rest as O);
    if (!signal) return work;
    return new Promise<T>((resolve, reject) => {
      const leave = () => reject(new AppError({ kind: "cancelled", message: "a mutant's", effect: "none" }));
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave, { once: true });
      void work.then(resolve, (error: unknown) => {
        if (signal.aborted) throw error;
        reject(error as Error);
      });
    });
  };
  return {
    ...account,
    get: (templateId, options) => dropped(options, (given) => account.get(templateId, given)),
    listAll: (options) => dropped(options, (given) => account.listAll(given)),
    probe: (what, options) => dropped(options, (given) => account.probe(what, given)),
    verifyByCarriers: (templateId, carriers, options) =>
      dropped(options, (given) => account.verifyByCarriers(templateId, carriers, given)),
  };
}
