import type { ContactDetails } from "../domain/address/address.ts";
import type { PostalEdition } from "../domain/mexico/postal-codes.ts";
import type { ConnectionState, Environment, Language, Policies } from "../domain/records.ts";
import type { FaultView } from "./shell.ts";

/** All that a browser may know of a connection: no secret, no token, and of the client id its ends. */
export interface ConnectionView {
  /** What an answer about this account names. */
  id: string;
  environment: Environment;
  state: ConnectionState;
  /** No key opens the stored client secret. */
  unreadable: boolean;
  maskedClientId: string;
  scope: string | null;
  redirectUri: string | null;
  token: { scope: string | null; obtainedAtMs: number; expiresAtMs: number } | null;
  lastSuccessAtMs: number | null;
  /** The last fault since the last success. */
  fault: FaultView | null;
  /** Links kept of another client id of the same environment: what "is this the same account" is about. */
  linksKept: number;
}

/** The account of the other environment, which is kept while nothing is saved in it. */
export interface FrozenView {
  id: string;
  environment: Environment;
  maskedClientId: string;
  lastSuccessAtMs: number | null;
  /** How many locations are linked to its addresses. */
  links: number;
}

/** What the settings' form holds. */
export interface ShopSettings {
  language: Language | null;
  policies: Policies;
  contact: ContactDetails;
}

export interface SettingsView {
  revision: number;
  settings: ShopSettings;
  connection: ConnectionView | null;
  /** Null while no account of the other environment is kept. */
  frozen: FrozenView | null;
  /** Suggestions, and those already seen in this account. */
  carriers: string[];
  /** Active locations, for the choice of the default origin. */
  locations: { locationId: string; name: string }[];
  /** The list of postal codes in use; null when there is none. */
  postalCodes: PostalEdition | null;
}
