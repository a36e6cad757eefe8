import type { MemoryDatabase, StoredChange } from "../../fakes/memory-store.ts";
import type { ShopifyAnswer, ShopifyCall } from "../../fakes/shopify-server.ts";
import type { Known } from "../people/stage.ts";
import type { Posted } from "../story/post.ts";

/** Finds secrets, sessions and shops that were erased although nobody disconnected and no uninstall was confirmed. */
export interface CredentialsWatch {
  sent(webhook: Posted): void;
  answered(call: ShopifyCall, answer: ShopifyAnswer): void;
  /** The objections to what one transaction committed. */
  committed(changes: readonly StoredChange[]): string[];
  forgot(shop: string): string | null;
}

/** How far apart two refusals must be. The app's clock and the oracle's may differ by the time that an answer takes. */
const CONFIRMED_APART_MS = 59_000;

interface Evidence {
  uninstalledSentAtMs: number | null;
  redactSentAtMs: number | null;
  /** Refusals since Shopify last took a token: a 401, and `invalid_grant` when it was asked to renew the token. */
  refusals: { atMs: number; lookedAtMs: number }[];
  /** When Shopify last took a token of this installation. */
  unauthorizedAtMs: number | null;
}

export function createCredentialsWatch({ known, nowMs }: { known: Known; nowMs: () => number }): CredentialsWatch {
  const evidence = new Map<string, Evidence>();
  const of = (shop: string): Evidence => {
    const fresh = { uninstalledSentAtMs: null, redactSentAtMs: null, refusals: [], unauthorizedAtMs: null };
    const found = evidence.get(shop) ?? fresh;
    evidence.set(shop, found);
    return found;
  };

  /** The rule: a received webhook and two refusals a minute apart. */
  const isConfirmed = (shop: string): boolean => {
    const { uninstalledSentAtMs, redactSentAtMs, refusals } = of(shop);
    const toldAtMs = Math.min(uninstalledSentAtMs ?? Infinity, redactSentAtMs ?? Infinity);
    const first = refusals.find(({ atMs }) => atMs >= toldAtMs);
    return first !== undefined && refusals.at(-1)!.atMs - first.atMs >= CONFIRMED_APART_MS;
  };

  const mayForget = (shop: string): boolean => known.disconnected.has(shop) || isConfirmed(shop);

  /**
   * Connections that ended while their shop was disconnected or gone. Their secrets may be erased later, even if somebody comes back
   * meanwhile.
   */
  const ended = new Set<string>();

  return {
    sent({ shop, topic, payload }) {
      const { shop_domain: named = shop } = payload as { shop_domain?: string };
      if (topic === "app/uninstalled") of(shop).uninstalledSentAtMs ??= nowMs();
      if (topic === "shop/redact" && named === shop) of(shop).redactSentAtMs ??= nowMs();
    },
    answered({ shop, operation, lookedAtMs }, { status, body }) {
      const found = of(shop);
      if (operation === "refresh") {
        if (body.includes("invalid_grant")) found.refusals.push({ atMs: nowMs(), lookedAtMs });
        return;
      }
      // An answer does not contradict a refusal if Shopify looked before it refused: the owner uninstalled in between.
      if (status === 200) found.refusals = found.refusals.filter((refusal) => refusal.lookedAtMs > lookedAtMs);
    },
    committed(changes) {
      const words: string[] = [];
      const erased = new Set<string>();
      for (const { table, before, after } of changes) {
        if (table !== "shops" || !before || after) continue;
        erased.add(before.shop);
        if (!mayErase(before.shop, before.uninstalledAtMs)) words.push(`${before.shop} is erased, and is installed`);
      }
      for (const { table, before, after } of changes) {
        if (table === "shops" && before && after && before.uninstalledAtMs === null && after.uninstalledAtMs !== null)
          if (!isConfirmed(after.shop)) words.push(`${after.shop} is taken for gone, and nobody confirmed it`);
        if (table !== "connections") continue;
        if (before && before.state !== "disconnected" && after?.state === "disconnected" && mayForget(before.shop))
          ended.add(before.id);
        if (after && after.state !== "disconnected") ended.delete(after.id);
        if (!before?.clientSecret || after?.clientSecret || erased.has(before.shop)) continue;
        if (!ended.has(before.id) && !mayForget(before.shop))
          words.push(`the secret of ${before.clientId} of ${before.shop} is forgotten`);
      }
      return words;
    },
    forgot(shop) {
      return isConfirmed(shop) || of(shop).redactSentAtMs !== null ? null : `the session of ${shop} is forgotten`;
    },
  };

  function mayErase(shop: string, uninstalledAtMs: number | null): boolean {
    if (of(shop).redactSentAtMs === null) return false;
    return uninstalledAtMs !== null || isConfirmed(shop);
  }
}

/** An owner who disconnects is told that the secrets are forgotten, so none may be left, not even of what was set aside before. */
export function keptSecrets(
  changes: readonly StoredChange[],
  { database, known }: { database: Pick<MemoryDatabase, "rows">; known: Pick<Known, "disconnected"> },
): string[] {
  return changes.flatMap(({ table, before, after }) => {
    if (table !== "connections" || !before || !after?.current || !known.disconnected.has(after.shop)) return [];
    if (before.state === "disconnected" || after.state !== "disconnected") return [];
    return [...database.rows("connections")]
      .filter(({ shop, clientSecret }) => shop === after.shop && clientSecret !== null)
      .map(({ shop, clientId }) => `${shop} is disconnected, and the secret of ${clientId} is kept`);
  });
}
