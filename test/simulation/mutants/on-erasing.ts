import { AppError, isAppError } from "../../../app/domain/errors.ts";
import type { ShopifyAdmin, Store, Tables } from "../../../app/ports.ts";
import type { Mutant } from "./mutant.ts";
import { withTables } from "./wrap.ts";

/** Faults that erase too easily: against rules 1, 5 and 16 of what goes wrong. */
export const ON_ERASING = {
  "a passing 4xx of Shopify is taken for an uninstall": { shopify: leavingOnAny4xx },
  "an uninstall that nobody told is believed": { store: withTables(toldByARefusal) },
  "one refusal confirms an uninstall": { shopify: leavingOnOneRefusal },
  "shop/redact erases at once": { store: withTables(erasing) },
  "a disconnect keeps the secrets of connections set aside": { store: withTables(keepingSecrets) },
} satisfies Record<string, Mutant>;

/** Takes any 4xx except 402, 423 and 429 for a sign that the shop has left, and erases after a second one. */
function leavingOnAny4xx(shopify: ShopifyAdmin, store: Store): ShopifyAdmin {
  const refused = <T>(call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      if (!isAppError(error) || error.kind !== "shopify_unavailable" || !is4xx(error.status)) throw error;
      throw new AppError({ kind: "shopify_refused", message: error.message, effect: "none" });
    });
  return {
    ...shopify,
    location: (shop, locationId) => refused(shopify.location(shop, locationId)),
    locations: (shop) => refused(shopify.locations(shop)),
    async standing(shop) {
      const answer = await shopify.standing(shop);
      if (answer.kind === "unclear" && SAYS_4XX.test(answer.message)) await forgetAll(store, shop);
      return answer;
    },
  };
}

/** A 4xx in the adapter's message: a status, or the token endpoint's words about the app's own credentials. */
const SAYS_4XX = /HTTP 4(?!29)\d\d|own credentials/;

function is4xx(status: number | null | undefined): boolean {
  return typeof status === "number" && status >= 400 && status < 500 && status !== 429;
}

async function forgetAll(store: Store, shop: string): Promise<void> {
  const left = { state: "disconnected", clientSecret: null, accessToken: null, refreshToken: null } as const;
  await store.transaction(shop, async (tables) => {
    await tables.connections.update({ shop }, left);
    await tables.forgetSessions(shop);
  });
}

/** Takes a refusal for an `app/uninstalled`, so that none is needed. */
function toldByARefusal({ shops }: Tables): Partial<Tables> {
  return {
    shops: {
      ...shops,
      update: (where, patch) =>
        shops.update(
          where,
          patch.access === "refused" && patch.uninstallToldAtMs === null
            ? { ...patch, uninstallToldAtMs: patch.refusedAtMs ?? null }
            : patch,
        ),
    },
  };
}

/** Asks Shopify only once after an `app/uninstalled`. */
function leavingOnOneRefusal(shopify: ShopifyAdmin, store: Store): ShopifyAdmin {
  return {
    ...shopify,
    async standing(shop) {
      const answer = await shopify.standing(shop);
      const known = await store.shops.find({ shop });
      if (answer.kind === "refused" && known?.uninstallToldAtMs != null) await forgetAll(store, shop);
      return answer;
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
