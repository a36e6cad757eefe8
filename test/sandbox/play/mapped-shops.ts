// Several shops at once, each set up as by its owner: connected, its contact filled in, every location confirmed in Review and mapped.
import type { ReviewRowView } from "../../../app/views/review.ts";
import type { ShopState } from "../admin/state.ts";
import * as pages from "./pages.ts";
import { until } from "./until.ts";
import type { Visitor } from "./visitor.ts";

export interface PlayedShop {
  name: string;
  state: ShopState;
  visitor: Visitor;
  clientId: string;
  clientSecret: string;
  scope: string | null;
  /** Carriers to ask after each change and when a button is pressed. Without any, the fewest calls are needed. */
  carriers: string[];
  verifyAfterChange: boolean;
}

const PATIENCE_MS = 240_000;

/** Resolves when each location of each shop has its template. @throws with what is missing. */
export async function mapShops(shops: readonly PlayedShop[]): Promise<void> {
  for (const shop of shops) {
    const opened = await shop.visitor.open("/app");
    if (opened.status !== 200) throw new Error(`${shop.name}: the frame answered ${opened.status}`);
    await connect(shop);
    await sayContact(shop);
  }
  for (const shop of shops) {
    await until({
      what: `The locations of ${shop.name}`,
      read: async () => (await pages.review(shop)).rows.length,
      holds: (rows) => rows >= shop.state.locations.size,
      withinMs: PATIENCE_MS,
    });
    await confirmReviewed(shop);
  }
  for (const shop of shops)
    await until({
      what: `The templates of ${shop.name}`,
      read: async () => (await pages.originRows(shop)).filter(({ syncedAtMs }) => syncedAtMs !== null).length,
      holds: (synced) => synced >= shop.state.locations.size,
      withinMs: PATIENCE_MS,
    });
}

/** Confirms in Review every waiting row as it is shown, or those that `chosen` names. Returns the locations. */
export async function confirmReviewed(
  shop: { visitor: Visitor },
  chosen: (row: ReviewRowView) => boolean = () => true,
): Promise<string[]> {
  const { rows: all, contact, contactRevision } = await pages.review(shop);
  const rows = all.filter(chosen);
  if (rows.length === 0) return [];
  const answer = await pages.askReview(shop, {
    intent: "confirm",
    contact,
    contactRevision,
    rows: rows.map(({ locationId, revision, readFrom, cells }) => ({
      locationId,
      revision,
      readFrom,
      templateId: "create",
      templateVersion: null,
      values: Object.fromEntries(Object.entries(cells).map(([field, { value }]) => [field, value])) as never,
    })),
  });
  if (answer.kind !== "confirmed") throw new Error(`Review answered ${JSON.stringify(answer)}`);
  return rows.map(({ locationId }) => locationId);
}

/**
 * After a restore or a fail-over: the confirmation of one location was lost with what the copy lacks, and is given again. Resolves when
 * both locations of the shop are in its account.
 */
export async function confirmAgain(shop: PlayedShop): Promise<void> {
  await until({
    what: "The location that is new again",
    read: () => pages.review(shop).catch(() => null),
    holds: (review) => review?.rows.length === 1,
    withinMs: PATIENCE_MS,
  });
  await confirmReviewed(shop);
  await until({
    what: "Both origins",
    read: () => pages.originRows(shop).catch(() => null),
    holds: (rows) => rows?.filter(({ syncedAtMs }) => syncedAtMs !== null).length === 2,
    withinMs: PATIENCE_MS,
  });
}

/** Connects a store to its account. @throws when the service refuses. */
export async function connect(shop: PlayedShop): Promise<void> {
  const { clientId, clientSecret, scope } = shop;
  const stated = { environment: "production" as const, clientId, clientSecret, scope, redirectUri: null };
  const { outcome } = await pages.askSettings(shop, { intent: "connect", ...stated });
  if (outcome.kind !== "connected") throw new Error(`${shop.name} was not connected: ${JSON.stringify(outcome)}`);
}

/** Fills in the whole shop's contact and its carriers. */
export async function sayContact(shop: PlayedShop): Promise<void> {
  const { revision, settings } = await pages.settings(shop);
  const contact = {
    ...settings.contact,
    name: "Marisol Cervantes",
    company: shop.name,
    email: "envios@bodegas.example",
    phone: null,
    reference: "Portón de madera",
    rfc: null,
  };
  const { carriers, verifyAfterChange } = shop;
  const policies = { ...settings.policies, carriers, verifyAfterChange };
  const request = { intent: "save" as const, revision, settings: { ...settings, contact, policies } };
  const { outcome } = await pages.askSettings(shop, request);
  if (outcome.kind !== "saved") throw new Error(`${shop.name}: ${JSON.stringify(outcome)}`);
}
