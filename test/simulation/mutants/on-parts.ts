import type { Network } from "../../../app/adapters/shipping/network.ts";
import type { DetailsRecord } from "../../../app/domain/records.ts";
import type { Listing, ShippingAccount, ShippingService, Store, Tables, Transaction } from "../../../app/ports.ts";
import type { Pages } from "../story/pages.ts";
import type { Mutant } from "./mutant.ts";
import { answering, uncounted } from "./against-rules.ts";
import { withAccount, withTables } from "./wrap.ts";

/** Faults in single parts of rules that have several. */
export const ON_PARTS = {
  "nobody remembers which work item failed before the connection rested": { store: withTables(withoutSuspects) },
  "nothing is synced while the list fails": {
    shipping: withAccount((account) => ({
      ...account,
      async get(templateId, options) {
        await account.listAll(options);
        return account.get(templateId, options);
      },
    })),
  },
  "failures of a verification are not counted": { store: withTables(verificationsUncounted) },
  "a write goes though its location was asked for again": { store: withTables(alwaysNewest) },
  "a DELETE goes though its location is paused": { store: withTables(pausedForgotten) },
  "a refused refresh closes a connection": { network: refusingAfterRefresh },
  "absence of a location is believed at once": { settings: { locationAbsenceBelievedAfterMs: 0 } },
  "a template that is missing once loses its verdicts": { shipping: withAccount(forgettingVerdicts) },
  "what a wrong clock dated stays so": { store: withTables(neverRedated) },
  "a verdict on another address is shown as fresh": {
    pages: (pages) => ({ ...pages, origins: (shop) => pages.origins(shop).then(allFresh) }),
  },
  "what a write emptied is not remembered": { store: withTables(nothingEmptied) },
  "a run without its lease asks for no other look": { store: notLookingAgain },
  "the second listing holds what the first one held": { shipping: listingOnce },
  "a number that is sent as text makes an answer unreadable": {
    network: (network) =>
      answering(network, (answer) => (NUMBER_AS_TEXT.test(answer.body) ? { ...answer, body: "{" } : answer)),
  },
  "an event is forgotten before Flow has taken it": {
    shopify: (shopify) => ({
      ...shopify,
      tellFlow: (shop, event) => shopify.tellFlow(shop, event).catch(() => ({ kind: "taken" }) as const),
    }),
  },
  "a word that an answer left out is news when it shows again": { store: withTables(withoutLastWords) },
  "a 403 to everything is a refusal of each write": {
    network: (network) =>
      answering(network, (answer, path) =>
        answer.status === 403 && !path.includes("oauth") ? { ...answer, status: 422 } : answer,
      ),
  },
} satisfies Record<string, Mutant>;

/** The numbers of a token or a list, in a service that writes numbers as text. */
const NUMBER_AS_TEXT = /"(expires_in|total_count|total_pages|current_page)":\s*"/;

function withoutSuspects({ connections }: Tables): Partial<Tables> {
  return {
    connections: {
      ...connections,
      update: (where, patch) => connections.update(where, patch.suspects ? { ...patch, suspects: [] } : patch),
    },
  };
}

/** Where the template shows nothing of a carrier that is asked, its last word is no part of the baseline. */
function withoutLastWords({ verifications, templates }: Tables): Partial<Tables> {
  return {
    verifications: {
      ...verifications,
      async update(where, patch) {
        const { connectionId, templateId, carrier } = where;
        if (!patch.baseline || typeof templateId !== "string") return verifications.update(where, patch);
        const known = await templates.find({ connectionId, templateId } as Parameters<typeof templates.find>[0]);
        const isShown = known?.template.verified_carriers.some(({ carrier_name }) => carrier_name === carrier);
        return verifications.update(where, isShown ? patch : { ...patch, baseline: [] });
      },
    },
  };
}

function verificationsUncounted({ workItems }: Tables): Partial<Tables> {
  return {
    workItems: {
      ...workItems,
      async update(where, patch) {
        const isVerification = typeof where.id === "string" && (await workItems.find({ id: where.id }))?.kind;
        return workItems.update(where, isVerification === "verification" ? uncounted(patch) : patch);
      },
    },
  };
}

/** Takes the generation for unchanged: the announcement of a write checks whether somebody requested another run since. */
function alwaysNewest({ workItems }: Tables): Partial<Tables> {
  return {
    workItems: {
      ...workItems,
      count: (where) =>
        workItems.count(
          typeof where.generation === "number" ? { ...where, generation: { gte: where.generation } } : where,
        ),
    },
  };
}

/** Forgets, for a location that has closed or gone, that its owner had paused it. */
function pausedForgotten({ details, locations }: Tables): Partial<Tables> {
  const awake = async (row: DetailsRecord): Promise<DetailsRecord> => {
    const location = await locations.find({ shop: row.shop, locationId: row.locationId });
    const isThere = location?.isActive === true && location.deletedAtMs === null;
    return isThere ? row : { ...row, paused: false };
  };
  return {
    details: {
      ...details,
      find: async (where) => {
        const found = await details.find(where);
        return found && awake(found);
      },
      list: async (where, options) => Promise.all((await details.list(where, options)).map(awake)),
    },
  };
}

/** Skips the client's own credentials after a refused refresh. */
function refusingAfterRefresh(network: Network): Network {
  let refused = false;
  return {
    ...network,
    exchange(exchange) {
      const underWay = network.exchange(exchange);
      if (!exchange.request.path.includes("oauth/token")) return underWay;
      const isRefresh = JSON.stringify(exchange.request.body ?? "").includes("refresh_token");
      const answer = underWay.answer.then((heard) => {
        if (isRefresh) {
          refused = heard.status === 400 || heard.status === 401;
          return heard;
        }
        if (!refused) return heard;
        refused = false;
        const body = JSON.stringify({ error: "invalid_client", error_description: "No." });
        return { ...heard, status: 401, headers: { ...heard.headers, "content-type": "application/json" }, body };
      });
      return { ...underWay, answer };
    },
  };
}

function forgettingVerdicts(account: ShippingAccount, store: Store): ShippingAccount {
  return {
    ...account,
    async get(templateId, options) {
      const found = await account.get(templateId, options);
      if (found.kind === "not_found") await store.verifications.delete({ templateId });
      return found;
    },
  };
}

function neverRedated({ workItems }: Tables): Partial<Tables> {
  return {
    workItems: {
      ...workItems,
      update(where, patch) {
        const isRedating = where.leaseUntilMs === null && "dueAtMs" in patch && Object.keys(patch).length === 1;
        const isAhead = typeof where.dueAtMs === "object" && where.dueAtMs !== null && "gt" in where.dueAtMs;
        return isRedating && isAhead ? workItems.count({ ...where, id: "none" }) : workItems.update(where, patch);
      },
    },
  };
}

type Origins = Awaited<ReturnType<Pages["origins"]>>;

function allFresh(view: Origins): Origins {
  const rows = view?.rows.map((row) => ({
    ...row,
    standings: row.standings.map((standing) => ({ ...standing, stale: false })),
  }));
  return view && { ...view, rows: rows! };
}

function nothingEmptied({ templates }: Tables): Partial<Tables> {
  return {
    templates: {
      ...templates,
      insert: (row) => templates.insert({ ...row, emptied: null }),
      update: (where, patch) => templates.update(where, "emptied" in patch ? { ...patch, emptied: null } : patch),
    },
  };
}

/** Forgets, of the first request for a look after a lease was lost, that the template is in doubt. */
function notLookingAgain(store: Store): Store {
  const lost = new Set<string>();
  const watched = (shop: string, tables: Transaction): Transaction => ({
    ...tables,
    templates: {
      ...tables.templates,
      update: async (where, patch) =>
        lost.has(shop) && Object.keys(patch)[0] === "disputedSinceMs"
          ? tables.templates.count({ shop, templateId: "none" })
          : tables.templates.update(where, patch),
    },
    workItems: {
      ...tables.workItems,
      async update(where, patch) {
        const changed = await tables.workItems.update(where, patch);
        if ("fence" in where && "leaseUntilMs" in where && changed === 0) lost.add(shop);
        return changed;
      },
    },
  });
  return {
    ...store,
    transaction: (shop, work) =>
      store.transaction(shop, (tables) => work(shop === null ? tables : watched(shop, tables))),
  };
}

/** Every second listing holds what the one before it held, whatever else is there by then, unless something was made in between. */
function listingOnce(shipping: ShippingService): ShippingService {
  const before = new Map<string, Listing>();
  return {
    ...shipping,
    account(ref) {
      const account = shipping.account(ref);
      return {
        ...account,
        create(draft, options) {
          before.delete(ref.id);
          return account.create(draft, options);
        },
        async listAll(options) {
          const listing = await account.listAll(options);
          const first = before.get(ref.id);
          if (!first) before.set(ref.id, listing);
          else before.delete(ref.id);
          if (!first) return listing;
          const now = new Map(listing.templates.map((template) => [template.id, template]));
          return { ...first, templates: first.templates.map((template) => now.get(template.id) ?? template) };
        },
      };
    },
  };
}
