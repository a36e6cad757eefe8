import type { PrismaClient } from "@prisma/client";
import { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { PrismaSessionStorage } from "@shopify/shopify-app-session-storage-prisma";
import { revealed, Secret } from "../../domain/secret.ts";
import { encrypt, type Keyring } from "./encryption.ts";
import { SESSION_SECRETS } from "./secret-columns.ts";
import { openSecret, type Unreadable } from "./unreadable.ts";

export interface OwnSessionStorage extends SessionStorage {
  /** Stores `fresh` if the token of `old` is still the one that is stored, in one step. Resolves to whether it was. */
  replaceSession(old: Session, fresh: Session): Promise<boolean>;
  /** To be called when sessions were written past this storage. */
  forget(): void;
}

interface SessionCodec {
  keyring: Keyring;
  unreadable: Unreadable;
}

/**
 * Shopify's own storage of sessions, with their tokens encrypted on the way in and decrypted on the way out. Every request loads its
 * shop's session: what was loaded is kept, encrypted as it stands in the database, until a session is written, which one does an hour.
 * `client` throws when the database must not be used now.
 */
export function createSessionStorage(client: () => PrismaClient, codec: SessionCodec): OwnSessionStorage {
  const { keyring } = codec;
  let storage: PrismaSessionStorage<PrismaClient> | null = null;
  // At its construction it looks for its table at once, in the background; so it is made when there is something to ask.
  const use = () => {
    const prisma = client();
    return (storage ??= new PrismaSessionStorage(prisma));
  };
  // Replaced as a whole: what was being loaded meanwhile is kept by nobody.
  let loaded = new Map<string, Session>();
  const forget = () => void (loaded = new Map());
  const writing = async <T>(write: (storage: SessionStorage) => Promise<T>): Promise<T> => {
    forget();
    return await write(use()).finally(forget);
  };
  const seal = (session: Session) => eachToken(session, (token, place) => encrypt(keyring, new Secret(token), place));
  /** One that does not decrypt is as good as none: the owner's next visit brings another. */
  const open = (session: Session): Session | undefined => {
    let readable = true;
    const opened = eachToken(session, (token, place) => {
      const secret = openSecret(codec, token, place);
      readable &&= secret.readable;
      return revealed(secret) ?? "";
    });
    return readable ? opened : undefined;
  };
  return {
    storeSession: (session) => writing((own) => own.storeSession(seal(session))),
    async loadSession(id) {
      const own = use();
      const into = loaded;
      const session = into.get(id) ?? (await own.loadSession(id));
      if (session) into.set(id, session);
      return session && open(session);
    },
    replaceSession: (old, fresh) =>
      writing(async (own) => {
        const stored = await own.loadSession(old.id);
        const opened = stored && open(stored);
        if (!stored?.accessToken || opened?.accessToken !== old.accessToken) return false;
        const { accessToken = "", refreshToken = null, ...sealed } = seal(fresh);
        const { expires = null, refreshTokenExpires = null, scope = null } = sealed;
        // The stored token is encrypted anew by every write, so whoever wrote since the row was read has changed it.
        const { count } = await client().session.updateMany({
          where: { id: old.id, accessToken: stored.accessToken },
          data: { accessToken, refreshToken, expires, refreshTokenExpires, scope },
        });
        return count > 0;
      }),
    deleteSession: (id) => writing((own) => own.deleteSession(id)),
    deleteSessions: (ids) => writing((own) => own.deleteSessions(ids)),
    findSessionsByShop: async (shop) =>
      (await use().findSessionsByShop(shop)).flatMap((session) => open(session) ?? []),
    forget,
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
