import type { ContactDetails } from "./address/address.ts";
import type { ConnectionRecord, DetailsRecord, LinkRecord, ShopRecord, TemplateRecord } from "./records.ts";
import { DEFAULT_POLICIES } from "./records.ts";
import { OPEN } from "./shop-access.ts";

/** Records as they begin: every value empty. */

export const NO_CONTACT: ContactDetails = {
  name: null,
  company: null,
  email: null,
  phone: null,
  reference: null,
  rfc: null,
};

/** A shop that has just installed the app. */
export function newShop(
  identity: Pick<ShopRecord, "shop" | "timeZone" | "installedAtMs"> & { email: string | null },
): ShopRecord {
  const { email, ...told } = identity;
  return {
    ...told,
    language: null,
    policies: DEFAULT_POLICIES,
    contact: { ...NO_CONTACT, email },
    revision: 0,
    guideDismissedAtMs: null,
    reconciledAtMs: null,
    uninstalledAtMs: null,
    ...OPEN,
    redactToldAtMs: null,
    redactDecision: null,
    flow: {},
  };
}

/** The breaker of a connection without known failures. */
export const CLOSED_BREAKER = { failures: 0, backoffUntilMs: null, suspects: [] } satisfies Partial<ConnectionRecord>;

/** A connection that has no secret yet; its first change makes it version 1. */
export function newConnection(
  identity: Pick<ConnectionRecord, "id" | "shop" | "environment" | "clientId">,
): ConnectionRecord {
  return {
    ...identity,
    clientSecret: null,
    scope: null,
    redirectUri: null,
    version: 0,
    state: "active",
    current: true,
    accessToken: null,
    refreshToken: null,
    tokenScope: null,
    tokenObtainedAtMs: null,
    tokenExpiresAtMs: null,
    ...CLOSED_BREAKER,
    lastFaultKind: null,
    lastFaultAtMs: null,
    lastFaultMessage: null,
    lastSuccessAtMs: null,
    bookReadAtMs: null,
    bookConfirmedAtMs: null,
    bookUnreadable: [],
    readings: 0,
    unnamed: null,
    aliasLimit: null,
  };
}

/** The details of a location for which nobody has entered any. */
export function newDetails(identity: Pick<DetailsRecord, "shop" | "locationId">): DetailsRecord {
  return {
    ...identity,
    contact: NO_CONTACT,
    split: null,
    held: null,
    marker: null,
    inclusion: "policy",
    paused: false,
    adoption: "ask",
    confirmedAtMs: null,
    revision: 0,
    inVain: [],
    formerTemplates: [],
  };
}

/** A template that was just read, so it exists. */
export function newTemplate(
  known: Pick<TemplateRecord, "shop" | "connectionId" | "template" | "readAtMs" | "reading">,
): TemplateRecord {
  return {
    ...known,
    templateId: known.template.id,
    absentSinceMs: null,
    unlistedSinceMs: null,
    aloneAtMs: null,
    disputedSinceMs: null,
    emptied: null,
    replaced: null,
  };
}

export interface NewLink {
  id: string;
  connection: Pick<ConnectionRecord, "id" | "shop" | "environment">;
  locationId: string;
  templateId: string;
  how: LinkRecord["how"];
}

/** A link over which nothing was sent so far. */
export function newLink({ id, connection, locationId, templateId, how }: NewLink): LinkRecord {
  return {
    id,
    shop: connection.shop,
    connectionId: connection.id,
    environment: connection.environment,
    locationId,
    templateId,
    how,
    sent: null,
    answered: null,
    differences: [],
    choices: [],
    accepted: [],
    unclear: null,
    missingSinceMs: null,
    syncedAtMs: null,
    checkedAtMs: null,
  };
}
