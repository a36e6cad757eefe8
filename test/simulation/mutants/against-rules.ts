import type { Network } from "../../../app/adapters/shipping/network.ts";
import { AppError } from "../../../app/domain/errors.ts";
import type { AddressTemplate, ShopifyLocation, TargetRecord } from "../../../app/domain/records.ts";
import type { ShippingAccount, ShopifyAdmin, Store, Tables } from "../../../app/ports.ts";
import type { VirtualMachine } from "../../fakes/machine.ts";
import type { Mutant } from "./mutant.ts";
import { withAccount, withTables } from "./wrap.ts";

/** One fault for each rule of a week that goes badly: what the app once did, made again at its ports. */
export const AGAINST_RULES = {
  "a passing 4xx of Shopify is taken for an uninstall": { shopify: leavingOnAnyRefusal },
  "no answer to a probe is believed": {
    shipping: withAccount((account) => ({ ...account, probe: async () => Promise.reject(fault("server_error")) })),
  },
  "a target's own failures are not counted": {
    store: withTables(({ targets }) => ({
      targets: { ...targets, update: (where, patch) => targets.update(where, uncounted(patch)) },
    })),
  },
  "failures of a write are not counted": { store: withTables(writesUncounted) },
  "a DELETE goes without reading Shopify again": { shopify: rememberingWhoLeft },
  "shop/redact erases at once": { store: withTables(erasing) },
  "any 401 of the token endpoint closes a connection": { network: (network) => answering(network, asRefusal) },
  "one 404 is believed, and a listing that is read once": {
    // Without any time between them a run that waits for the second would come again at once, for ever.
    settings: { absenceBelievedAfterMs: 0, listingsApartMs: 1_000 },
  },
  "one malformed row fails the listing": { shipping: withAccount(wholeOrNothing) },
  "a cancel that stops nothing says that it did": { store: withTables(stoppingNothing) },
  "time is told by the wall clock": { machine: byTheWall },
  "a call that fails is dropped, and its run never ends": { shipping: withAccount(dropping) },
  "what was there before a create by hand may be what it made": {
    store: withTables(({ intents }) => ({
      intents: { ...intents, insert: (intent) => intents.insert({ ...intent, alike: [] }) },
    })),
  },
  "an extra template is not in the address book": {
    pages: (pages) => ({
      ...pages,
      book: async (shop) => {
        const view = await pages.book(shop);
        return view && { ...view, rows: view.rows.filter(({ ownership }) => ownership !== "orphan") };
      },
    }),
  },
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
  "a disconnect keeps the secrets of connections set aside": { store: withTables(keepingSecrets) },
  "a byte-order mark makes an answer unreadable": {
    network: (network) =>
      answering(network, (answer) => (answer.body.startsWith("\uFEFF") ? { ...answer, body: "\uFEFF{" } : answer)),
  },
} satisfies Record<string, Mutant>;

function fault(kind: "server_error" | "unreadable"): AppError {
  return new AppError({ kind, message: "a mutant's", effect: "none" });
}

function leavingOnAnyRefusal(shopify: ShopifyAdmin, store: Store): ShopifyAdmin {
  return {
    ...shopify,
    async standing(shop) {
      const answer = await shopify.standing(shop);
      const left = { state: "disconnected", clientSecret: null, accessToken: null, refreshToken: null } as const;
      if (answer.kind !== "installed") await store.connections.update({ shop, current: true }, left);
      return answer;
    },
  };
}

function uncounted(patch: Partial<TargetRecord>): Partial<TargetRecord> {
  return (patch.failures ?? 0) > 0 ? { ...patch, failures: 0, failingSinceMs: null } : patch;
}

function writesUncounted({ targets, intents }: Tables): Partial<Tables> {
  return {
    targets: {
      ...targets,
      async update(where, patch) {
        const isWrite = typeof where.id === "string" && (await intents.count({ targetId: where.id })) > 0;
        return targets.update(where, isWrite ? uncounted(patch) : patch);
      },
    },
  };
}

/** That it left was read once, and is remembered. */
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

function erasing({ shops }: Tables): Partial<Tables> {
  return {
    shops: {
      ...shops,
      update: (where, patch) => (patch.redactToldAtMs ? shops.delete(where) : shops.update(where, patch)),
    },
  };
}

type Answer = Awaited<ReturnType<Network["exchange"]>["answer"]>;

function answering(network: Network, change: (answer: Answer, path: string) => Answer): Network {
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

/** A cancel stops a target by the generation that nobody has begun. */
function stoppingNothing({ targets }: Tables): Partial<Tables> {
  return {
    targets: {
      ...targets,
      update: async (where, patch) =>
        where.failures === 0 && where.leaseOwner === null && where.wanted !== undefined
          ? targets.count(where)
          : targets.update(where, patch),
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

function keepingSecrets({ connections }: Tables): Partial<Tables> {
  return {
    connections: {
      ...connections,
      async update(where, patch) {
        if (patch.clientSecret !== null) return connections.update(where, patch);
        await connections.update({ ...where, current: false }, without(patch));
        return connections.update({ ...where, current: true }, patch);
      },
    },
  };
}

function without<R extends { clientSecret?: unknown }>({ clientSecret: _secret, ...rest }: R): Omit<R, "clientSecret"> {
  return rest;
}
