import type { FormField } from "../domain/address/form-fields.ts";
import type { AddressField, ProblemCode } from "../domain/address/address.ts";
import type { ExclusionReason, OriginState } from "../domain/origin-state.ts";
import type { Attention } from "../domain/readiness.ts";
import type { MoveNews } from "../domain/plan/move-news.ts";
import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { VerificationOutcome } from "../domain/records.ts";
import type { ShopHealth } from "./shell.ts";

/** What the extensions on an order's page and in the list of orders are told of the locations that orders leave from; all from the database. */

export interface OrderCarrierView {
  carrier: string;
  /** As people write it. */
  name: string;
  outcome: VerificationOutcome | "not_asked";
  /** The address changed after this was said. */
  stale: boolean;
  /** What was asked and has no answer yet, beside what the carrier said before; `wanted` is not sent yet. */
  question: "wanted" | "asked" | null;
  /** What the service's own word means by the deployment's table. */
  meaning: CarrierStanding["meaning"];
  /** Among the shop's carriers: only these decide whether the origin is ready. */
  chosen: boolean;
}

/** A field that the origin lacks or that its owner has to look at. */
export interface OrderFormField {
  field: FormField;
  value: string;
  problem: ProblemCode | null;
  required: boolean;
  /** The service's own words about it, from its last refusal. */
  serviceMessages: string[];
  /** What may be chosen instead of typing: what the list of postal codes has for the address's code. */
  choices: string[];
}

export interface OrderForm {
  /** Both go back with the answer, so that nobody's newer word is overwritten. */
  revision: number;
  readFrom: string;
  /** None: everything is sure and only the owner's word is missing. */
  fields: OrderFormField[];
}

export interface OrderOriginView {
  locationId: string;
  legacyId: string;
  name: string;
  /** As it will be sent, or as Shopify has it while something is missing. */
  address: string[];
  state: OriginState;
  /** Whether it waits for its owner, by the rule that counts what is pending in the app. */
  attention: Attention;
  exclusion: ExclusionReason | null;
  /** The service's words of its last refusal, or why the run stopped. */
  reason: { code: string; message: string | null } | null;
  carriers: OrderCarrierView[];
  /** Null: nothing is left that can be mended on the order page. */
  form: OrderForm | null;
  /** What only Shopify's own page of the location mends. */
  inShopify: { field: AddressField; problem: ProblemCode }[];
  canSync: boolean;
  canVerify: boolean;
  /** Something is under way and ends by itself: ask again. */
  moving: boolean;
  /** Where the location moves: the one sentence on it; absent from an app that is older than the extension. */
  move?: MoveNews | null;
  /** When the service was last looked at for it. */
  checkedAtMs: number | null;
}

/**
 * The connection's, of production's account. `test`: that one stands still, because the shop works with its test account; `test_only`: the shop
 * has none for production.
 */
export type OrderHealth = ShopHealth | "test" | "test_only";

export interface OrderOriginsView {
  connection: OrderHealth;
  origins: OrderOriginView[];
  /** Asked for, and not a location of this shop that we know. */
  unknown: string[];
  /** To choose from when verifying: the shop's carriers, then the suggested ones. */
  carriers: { carrier: string; name: string }[];
  nowMs: number;
  /** The shop's, in which the app shows every time; null while the shop is not known. */
  timeZone: string | null;
}

/** What the list of orders is told of the locations that the selected orders leave from. */
export interface OrderListView extends OrderOriginsView {
  /** A bulk action is in progress, so that no other can begin; and what is shown changes until it ends. */
  busy: boolean;
}

export interface OrderListAnswer extends OrderListView {
  /** As in OrderOriginsAnswer. */
  service: string | null;
}

export interface OrderOriginsAnswer extends OrderOriginsView {
  /** The shipping service's name; null where nobody named it, and absent from an app that is older than the extension. */
  service?: string | null;
}
