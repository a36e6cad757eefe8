import type { ConnectionRecord, MoveRecord, WorkItem } from "../../../app/domain/records.ts";
import type { Clock, Services } from "../../../app/ports.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { FakeShopify } from "../../fakes/shopify.ts";
import type { FakeTokens } from "../../fakes/shipping/tokens.ts";
import type { ShopifyServer } from "../../fakes/shopify-server.ts";
import type { MemoryDatabase } from "../../fakes/memory-store.ts";
import type { Accounts } from "../story/accounts.ts";
import type { Post } from "../story/post.ts";
import type { Scenery } from "../story/scenery.ts";
import type { Sessions } from "../story/sessions.ts";
import type { Tally } from "../story/tally.ts";
import type { Timeline } from "../story/timeline.ts";

/** Where people act, and what the oracle must know of their actions. */
export interface Stage {
  random: SeededRandom;
  scenery: Scenery;
  shopify: FakeShopify;
  server: ShopifyServer;
  sessions: Sessions;
  accounts: Accounts;
  tokens: FakeTokens;
  database: MemoryDatabase;
  /** Templates that answers show malformed at present. */
  malformed: ReadonlySet<string>;
  post: Post;
  tally: Tally;
  timeline: Timeline;
  nowMs: () => number;
  after: Clock["after"];
  /** The services of a live process; null while there is none. */
  visit: () => Services | null;
  known: Known;
}

/** Actions of people that the oracle cannot see in the world. */
export interface Known {
  /** `templateId field value`: a person's value that the owner saw and decided about, so replacing it is no overwrite. */
  allowed: Set<string>;
  /** What was asked for by hand in the address book's pages, by draft id. */
  drafts: Map<string, HandDraft>;
  /** Templates that the book held before the story, with the values that a form will send. */
  older: Set<string>;
  /** Shops that left and are not connected again yet. */
  away: Set<string>;
  /** Shops whose owner disconnected, until they connect again. */
  disconnected: Set<string>;
  /** Secrets that the service does not take any more. */
  revoked: Set<string>;
  /** Items of jobs that were cancelled before anything had begun. */
  cancelled: CancelledItem[];
  /** Jobs whose owner pressed Cancel and was not answered: where the process died, the next one ends the cancelling. */
  cancelling: Set<string>;
  /** Moves that were planned for an hour and not called off, by the marker of the coming template, with that hour by the true time. */
  movesAtMs: Map<string, number>;
}

/** What a person asked for by hand in the address book's pages. */
export type HandDraft = { shop: string } &
  /** `stood`: templates with that name that the app already knew. */
  (
    | { operation: "create"; alias: string; stood: readonly string[] }
    | {
        operation: "update";
        templateId: string;
        field: "reference" | "name" | "email" | "address_type";
        value: string;
      }
    | { operation: "delete"; templateId: string }
  );

/** An item of a job that was cancelled, with the answer given, before any run had begun it. The job must send nothing for it. */
export interface CancelledItem {
  shop: string;
  locationId: string;
  workItemId: string;
  /** The work item's generation at that moment; whoever requests it again adds one. */
  generation: number;
}

export interface At {
  shop: string;
  locationId: string;
}

/** False when there was nothing on which to do it. */
export type Action = (stage: Stage, at: At) => boolean | Promise<boolean>;

/** The connection a shop works with. */
export function connectionOf({ database }: Pick<Stage, "database">, shop: string): Readonly<ConnectionRecord> | null {
  for (const row of database.rows("connections")) if (row.shop === shop && row.current) return row;
  return null;
}

/** The account that the connection opens; null without one. */
export function accountOf(stage: Pick<Stage, "database" | "accounts">, shop: string): FakeAccount | null {
  const connection = connectionOf(stage, shop);
  return connection && stage.accounts.of(connection.clientId, connection.environment);
}

/** The template linked to a location on the shop's connection, or else the existing one that was made for it. */
export function templateOf(stage: Pick<Stage, "database" | "accounts">, { shop, locationId }: At): string | null {
  const connection = connectionOf(stage, shop);
  for (const row of stage.database.rows("links"))
    if (row.connectionId === connection?.id && row.locationId === locationId) return row.templateId;
  return null;
}

/** The location's move, coming or passed. */
export function moveOf({ database }: Pick<Stage, "database">, at: At): Readonly<MoveRecord> | null {
  for (const row of database.rows("moves")) if (row.shop === at.shop && row.locationId === at.locationId) return row;
  return null;
}

export function webhook({ shopify, post }: Stage, { shop, locationId }: At, topic: string): void {
  // Of a shop that has uninstalled the app, Shopify tells only that.
  if (!shopify.isInstalled(shop)) return;
  const id = Number(locationId.split("/").at(-1));
  const known = topic === "locations/delete" ? null : shopify.known(shop, locationId);
  const dated = known && { updated_at: new Date(known.shopifyAtMs).toISOString() };
  post.send({ shop, topic, payload: { id, ...dated } });
}

/** What a work item is about. */
export type Named = Pick<Readonly<WorkItem>, "kind" | "shop" | "key">;

/** The template that a work item is about; null where there is none. */
export function templateOfWorkItem(stage: Stage, { kind, shop, key }: Named): string | null {
  if (kind === "location") return templateOf(stage, { shop, locationId: key });
  if (kind === "move") return moveOf(stage, { shop, locationId: key })?.templateId ?? null;
  return kind === "verification" ? key.slice(key.indexOf(":") + 1) : draftTemplate(stage, key);
}

/** Whether it is not in the account that the shop's connection opens. It may be in one that the shop had before. */
export function isMissing(stage: Stage, workItem: Readonly<WorkItem>): boolean {
  const templateId = templateOfWorkItem(stage, workItem);
  return templateId !== null && accountOf(stage, workItem.shop)?.templates.has(templateId) !== true;
}

export function draftTemplate(stage: Stage, draftId: string): string | null {
  for (const draft of stage.database.rows("drafts")) if (draft.id === draftId) return draft.templateId;
  return null;
}
