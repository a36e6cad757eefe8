import { welcomeShop } from "../../../app/shop/welcome-shop.ts";
import { connect } from "./connections.ts";
import { connectionOf } from "./stage.ts";
import type { Action, Stage } from "./stage.ts";

/** A shop leaves and comes back. Shopify's request to erase it comes at the right time, too late, or twice. */

const LEAST_AWAY_MS = 5_000;
const LONGEST_AWAY_MS = 150_000;
/** The time from installing the app to its first page. */
const SIGNS_IN_AFTER_MS = 3_000;
const TRIES_AGAIN_MS = 20_000;

/** Uninstalls the app, and installs it again. If the app did not notice, the shop is still connected. */
export const uninstall: Action = (stage, { shop }) => {
  const { random, server, post, after, known } = stage;
  if (known.away.has(shop) || known.disconnected.has(shop)) return false;
  known.away.add(shop);
  server.uninstall(shop);
  post.send({ shop, topic: "app/uninstalled", payload: { myshopify_domain: shop } });
  if (random.chance(0.2)) lateUninstalled(stage, shop);
  if (random.chance(0.4)) askToErase(stage, shop);
  const tryToComeBack = () => {
    void comeBack(stage, shop).catch(() => undefined);
    after(TRIES_AGAIN_MS, () => {
      if (known.away.has(shop)) tryToComeBack();
    });
  };
  after(random.pick([random.between(LEAST_AWAY_MS, 40_000), random.between(70_000, LONGEST_AWAY_MS)]), () => {
    server.install(shop);
    stage.tally.count("act: reinstall");
    stage.timeline.tell("owner", () => `installs the app again in ${shop}`);
    after(SIGNS_IN_AFTER_MS, tryToComeBack);
  });
  return true;
};

function lateUninstalled({ post, random, tally }: Stage, shop: string): void {
  tally.count("webhook: uninstalled late");
  const payload = { myshopify_domain: shop };
  post.send({ shop, topic: "app/uninstalled", payload, afterMs: random.between(20_000, 160_000) });
}

function askToErase({ post, random, tally }: Stage, shop: string): void {
  const payload = { shop_domain: shop, shop_id: 1 };
  const times = random.chance(0.4) ? 2 : 1;
  for (let nth = 0; nth < times; nth += 1) {
    const late = random.chance(0.5);
    tally.count(nth > 0 ? "webhook: redact twice" : late ? "webhook: redact late" : "webhook: redact early");
    const afterMs = late ? random.between(60_000, 200_000) : random.between(100, 20_000);
    post.send({ shop, topic: "shop/redact", payload, afterMs });
  }
}

/** Somebody resends another shop's signed request under this shop's name. */
export const forgeRedact: Action = ({ post }, { shop }) => {
  const payload = { shop_domain: "another.myshopify.com", shop_id: 2 };
  post.send({ shop, topic: "shop/redact", payload, afterMs: 100 });
  return true;
};

/** Shopify's session is lost or does not decrypt, by nobody's fault; the owner's next page brings another. */
export const loseSession: Action = (stage, { shop }) => {
  const { sessions, after, random, known } = stage;
  if (!sessions.has(shop) || known.away.has(shop)) return false;
  sessions.drop(shop);
  after(random.between(5_000, 90_000), () => openPage(stage, shop));
  return true;
};

/**
 * The app took a shop for gone that is installed again: Shopify refused its new session for a minute, and a webhook of before came late. The
 * owner had come back already, and the next page brings a session.
 */
export function takenForGone(stage: Stage, shop: string): void {
  if (stage.shopify.isInstalled(shop)) stage.after(TRIES_AGAIN_MS, () => openPage(stage, shop));
}

/** Opens a page, which stores a new session and prepares the shop. While no process answers, the owner tries again. */
function openPage(stage: Stage, shop: string): void {
  const { sessions, server, after, known, visit } = stage;
  if (known.away.has(shop)) return;
  const services = visit();
  if (!services) return void after(TRIES_AGAIN_MS, () => openPage(stage, shop));
  sessions.keep(server.signIn(shop));
  void welcomeShop(services, { shop }).catch(() => undefined);
}

async function comeBack(stage: Stage, shop: string): Promise<void> {
  const { visit, known, shopify, server, sessions, scenery } = stage;
  const services = visit();
  if (!services) return;
  if (shopify.isInstalled(shop)) sessions.keep(server.signIn(shop));
  await welcomeShop(services, { shop });
  const isOpen = () => connectionOf(stage, shop)?.state === "active";
  const { clientId } = scenery.shops.find((each) => each.shop === shop)!;
  const before = connectionOf(stage, shop);
  const client = before ?? ({ environment: "production", clientId } as const);
  if (!isOpen()) await connect(stage, services, { shop, client });
  // A slow page may come after the shop has left once more. Or an erasure under way took the session that the page had brought, and the
  // owner's next page brings another.
  if (
    sessions.has(shop) &&
    connectionOf(stage, shop) !== null &&
    !["disconnected"].includes(connectionOf(stage, shop)!.state) &&
    shopify.isInstalled(shop)
  )
    known.away.delete(shop);
}
