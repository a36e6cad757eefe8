import type { PrismaClient } from "@prisma/client";
import { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { PrismaSessionStorage } from "@shopify/shopify-app-session-storage-prisma";
import { revealed, Secret } from "../../domain/secret.ts";
import type { SharedWork } from "../../ports.ts";
import { encrypt, type Keyring } from "./encryption.ts";
import { SESSION_SECRETS } from "./secret-columns.ts";
import { openSecret, type Unreadable } from "./unreadable.ts";

export interface OwnSessionStorage extends SessionStorage {
  /** Stores `fresh` in one step, if the stored token is still that of `old`. Resolves to whether it did. */
  replaceSession(old: Session, fresh: Session): Promise<boolean>;
  /**
   * Runs the work, a session's renewal, if no other process is at it; null when one is. One that died in the middle of it is waited for no
   * longer than `withinMs`.
   */
  alone<T>(id: string, withinMs: number, work: () => Promise<T>): Promise<{ done: T } | null>;
  /** To be called when sessions were written without this storage. */
  forget(): void;
}

/** The number was not asked before the reading, for only what was read told the shop. */
const UNKNOWN = "unknown";

interface SessionCodec {
  keyring: Keyring;
  unreadable: Unreadable;
  /** Tells processes apart where several work; null where one does. */
  chores: Pick<SharedWork, "begin"> | null;
  /** Changes with each write of the shop's sessions, where other processes write them too. */
  numberOf: ((shop: string) => Promise<string>) | null;
}

/** A session as it is stored, and the shop's number when it was read. */
interface Loaded {
  session: Session;
  number: string | null;
}

/**
 * Shopify's own storage of sessions, which encrypts their tokens on writing and decrypts them on reading. Every request loads its shop's
 * session. So a loaded session is kept, encrypted as in the database, until one is written, which happens about once an hour. Where other
 * processes write too, each use asks whether the shop's sessions were written. `client` throws when the database must not be used now.
 */
export function createSessionStorage(client: () => PrismaClient, codec: SessionCodec): OwnSessionStorage {
  const { keyring, numberOf, chores } = codec;
  let storage: PrismaSessionStorage<PrismaClient> | null = null;
  // The storage looks for its table as soon as it is constructed, in the background, so it is constructed at its first use.
  const use = () => {
    const prisma = client();
    return (storage ??= new PrismaSessionStorage(prisma));
  };
  // Replaced as a whole, so that a loading under way fills the old map, which nobody reads.
  let loaded = new Map<string, Loaded>();
  const forget = () => void (loaded = new Map());
  const writing = async <T>(write: (storage: SessionStorage) => Promise<T>): Promise<T> => {
    forget();
    return await write(use()).finally(forget);
  };
  const seal = (session: Session) => eachToken(session, (token, place) => encrypt(keyring, new Secret(token), place));
  /** A session that does not decrypt counts as missing: the owner's next visit brings another. */
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
      const known = into.get(id);
      const number = known && numberOf ? await numberOf(known.session.shop) : null;
      if (known?.number === number) return open(known.session);
      const session = await own.loadSession(id);
      if (session) into.set(id, { session, number: numberOf ? (number ?? UNKNOWN) : null });
      return session && open(session);
    },
    replaceSession: (old, fresh) =>
      writing(async (own) => {
        const stored = await own.loadSession(old.id);
        const opened = stored && open(stored);
        if (!stored?.accessToken || opened?.accessToken !== old.accessToken) return false;
        const { accessToken = "", refreshToken = null, ...sealed } = seal(fresh);
        const { expires = null, refreshTokenExpires = null, scope = null } = sealed;
        // Every write encrypts the token anew, so an unchanged ciphertext proves that nobody wrote since the row was read.
        const { count } = await client().session.updateMany({
          where: { id: old.id, accessToken: stored.accessToken },
          data: { accessToken, refreshToken, expires, refreshTokenExpires, scope },
        });
        return count > 0;
      }),
    async alone(id, withinMs, work) {
      if (!chores) return { done: await work() };
      const chore = await chores.begin(`renewing ${id}`, withinMs);
      if (!chore) return null;
      // Should this fail, the next renewal waits until the time is over.
      return { done: await work().finally(() => chore.over().catch(() => undefined)) };
    },
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
