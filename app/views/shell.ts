import type { FaultKind } from "../domain/errors.ts";
import type { Environment, Language } from "../domain/records.ts";
import type { ShutReason } from "../domain/shop-access.ts";

/**
 * Why a page may be still: what the connection needs. `none`: never connected, or disconnected by the owner; `unreadable`: no key opens
 * the stored secret.
 */
export type ConnectionHealth = "none" | "ready" | "failing" | "invalid" | "unreadable" | "unconfirmed";

/** The same of the whole: `shut` while Shopify does not let us in, whatever the connection's health. */
export type ShopHealth = ConnectionHealth | "shut";

/** A fault as a page may show it. */
export interface FaultView {
  kind: FaultKind;
  /** The service's own words; quoted. */
  serviceMessage: string | null;
  requestId: string | null;
}

/** Shopify does not let us into the store, so nothing is sent. */
export interface ShutView {
  why: ShutReason;
  sinceMs: number;
}

/** What every page of the app shows around its own content. */
export interface ShellView {
  /** Settings' choice; null follows the request. */
  language: Language | null;
  timeZone: string;
  nowMs: number;
  /** Origins that wait for their owner's word, as Review lists them. */
  toReview: number;
  connection: {
    health: ConnectionHealth;
    environment: Environment | null;
    lastSuccessAtMs: number | null;
    fault: FaultView | null;
  };
  /** Null while Shopify lets us in. */
  shopify: ShutView | null;
  /** What the page was made of (`readRevision`). */
  revision: string | null;
}
