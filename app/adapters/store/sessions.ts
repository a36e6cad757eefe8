import type { PrismaClient } from "@prisma/client";
import { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { PrismaSessionStorage } from "@shopify/shopify-app-session-storage-prisma";
import { Secret } from "../../domain/secret.ts";
import { decrypt, encrypt, type Keyring } from "./encryption.ts";
import { SESSION_SECRETS } from "./secret-columns.ts";

/**
 * Shopify's own storage of sessions, with their tokens encrypted on the way in and decrypted on the way out. `client` throws when
 * the database must not be used now.
 */
export function createSessionStorage(client: () => PrismaClient, keyring: Keyring): SessionStorage {
  let storage: PrismaSessionStorage<PrismaClient> | null = null;
  // At its construction it looks for its table at once, in the background; so it is made when there is something to ask.
  const use = () => {
    const prisma = client();
    return (storage ??= new PrismaSessionStorage(prisma));
  };
  const seal = (session: Session) => eachToken(session, (token, place) => encrypt(keyring, new Secret(token), place));
  const open = (session: Session) => eachToken(session, (token, place) => decrypt(keyring, token, place).reveal());
  return {
    storeSession: async (session) => use().storeSession(seal(session)),
    async loadSession(id) {
      const session = await use().loadSession(id);
      return session && open(session);
    },
    deleteSession: async (id) => use().deleteSession(id),
    deleteSessions: async (ids) => use().deleteSessions(ids),
    findSessionsByShop: async (shop) => (await use().findSessionsByShop(shop)).map(open),
  };
}

type Place = { model: string; field: string; shop: string; row: string };

function eachToken(session: Session, change: (token: string, place: Place) => string): Session {
  const copy = new Session(session.toObject());
  for (const field of SESSION_SECRETS) {
    const token = session[field];
    if (token) copy[field] = change(token, { model: "Session", field, shop: session.shop, row: session.id });
  }
  return copy;
}
