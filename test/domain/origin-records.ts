import type { AddressAttributes, ComposedOrigin, ContactDetails } from "../../app/domain/address.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address.ts";
import type {
  AddressTemplate,
  ConnectionRecord,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  ShopRecord,
  TargetRecord,
  TemplateRecord,
  VerificationRecord,
} from "../../app/domain/records.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";

/** Records as a shop with one good origin has them; each test changes what it speaks of. */

export const SHOP = "taller-norte.myshopify.com";
export const NOW_MS = Date.UTC(2026, 10, 20, 18);
export const LOCATION_ID = "gid://shopify/Location/101";
export const CONNECTION_ID = "connection-1";
export const TEMPLATE_ID = "template-1";

export const CONTACT: ContactDetails = {
  name: "Lucía Ortega",
  company: "Taller Norte",
  email: "envios@taller-norte.example",
  phone: "5555536266",
  reference: "Portón verde",
  rfc: null,
};

export const ATTRIBUTES: AddressAttributes = {
  name: "Lucía Ortega",
  company: "Taller Norte",
  street1: "Av. Insurgentes Sur",
  street_number: "1234",
  apartment_number: null,
  postal_code: "03100",
  area_level1: "Ciudad de México",
  area_level2: "Benito Juárez",
  area_level3: "Del Valle",
  country_code: "MX",
  phone: "5555536266",
  email: "envios@taller-norte.example",
  reference: "Portón verde",
  rfc: null,
};

export function shopRecord(changes: Partial<ShopRecord> = {}): ShopRecord {
  return {
    shop: SHOP,
    displayName: "Taller Norte",
    timeZone: "America/Mexico_City",
    language: null,
    policies: { ...DEFAULT_POLICIES, carriers: ["fedex", "dhl"] },
    contact: CONTACT,
    revision: 1,
    guideDismissedAtMs: null,
    reconciledAtMs: NOW_MS - 60_000,
    installedAtMs: NOW_MS - 86_400_000,
    uninstalledAtMs: null,
    ...changes,
  };
}

export function connectionRecord(changes: Partial<ConnectionRecord> = {}): ConnectionRecord {
  return {
    id: CONNECTION_ID,
    shop: SHOP,
    environment: "test",
    clientId: "client-1",
    clientSecret: "canary-client-secret",
    scope: null,
    redirectUri: null,
    version: 1,
    state: "active",
    current: true,
    accessToken: "canary-access-token",
    refreshToken: null,
    tokenScope: null,
    tokenObtainedAtMs: NOW_MS - 1_000,
    tokenExpiresAtMs: NOW_MS + 7_000_000,
    failures: 0,
    backoffUntilMs: null,
    lastFaultKind: null,
    lastFaultAtMs: null,
    lastFaultMessage: null,
    lastSuccessAtMs: NOW_MS - 1_000,
    bookReadAtMs: NOW_MS - 60_000,
    createdAtMs: NOW_MS - 86_400_000,
    ...changes,
  };
}

export function locationRecord(changes: Partial<LocationRecord> = {}): LocationRecord {
  return {
    shop: SHOP,
    locationId: LOCATION_ID,
    name: "Matriz Insurgentes",
    isActive: true,
    isFulfillmentService: false,
    fulfillsOnlineOrders: true,
    address: {
      address1: "Av. Insurgentes Sur 1234",
      address2: "Col. Del Valle",
      city: "Benito Juárez",
      province: "Ciudad de México",
      provinceCode: "DF",
      countryCode: "MX",
      zip: "03100",
      phone: "+525555536266",
    },
    deletedAtMs: null,
    readAtMs: NOW_MS - 60_000,
    ...changes,
  };
}

export function detailsRecord(changes: Partial<DetailsRecord> = {}): DetailsRecord {
  return {
    shop: SHOP,
    locationId: LOCATION_ID,
    contact: { name: null, company: null, email: null, phone: null, reference: null, rfc: null },
    split: null,
    inclusion: "policy",
    paused: false,
    adoption: "ask",
    confirmedAtMs: NOW_MS - 3_600_000,
    revision: 1,
    updatedAtMs: NOW_MS - 3_600_000,
    ...changes,
  };
}

export function addressTemplate(changes: Partial<AddressTemplate> = {}): AddressTemplate {
  return {
    id: TEMPLATE_ID,
    alias_name: "Matriz Insurgentes [ab12]",
    address_type: "from",
    default: false,
    address: { ...ATTRIBUTES, tax_id_number: null, tax_id_type: null },
    verified_carriers: [],
    ...changes,
  };
}

export function templateRecord(changes: Partial<TemplateRecord> = {}): TemplateRecord {
  return {
    shop: SHOP,
    connectionId: CONNECTION_ID,
    templateId: changes.template?.id ?? TEMPLATE_ID,
    template: addressTemplate(),
    readAtMs: NOW_MS - 60_000,
    ...changes,
  };
}

export function linkRecord(changes: Partial<LinkRecord> = {}): LinkRecord {
  return {
    id: "link-1",
    shop: SHOP,
    connectionId: CONNECTION_ID,
    environment: "test",
    locationId: LOCATION_ID,
    templateId: TEMPLATE_ID,
    how: "created",
    sent: null,
    answered: addressTemplate(),
    differences: [],
    choices: [],
    accepted: [],
    sendWhole: false,
    missingSinceMs: null,
    syncedAtMs: NOW_MS - 60_000,
    checkedAtMs: NOW_MS - 60_000,
    ...changes,
  };
}

export function targetRecord(changes: Partial<TargetRecord> = {}): TargetRecord {
  return {
    id: "target-1",
    shop: SHOP,
    kind: "location",
    key: LOCATION_ID,
    wanted: 1,
    seen: 1,
    dueAtMs: NOW_MS - 60_000,
    leaseOwner: null,
    leaseUntilMs: null,
    fence: 1,
    failures: 0,
    state: "active",
    reason: null,
    createdAtMs: NOW_MS - 3_600_000,
    updatedAtMs: NOW_MS - 60_000,
    ...changes,
  };
}

export function verificationRecord(changes: Partial<VerificationRecord> = {}): VerificationRecord {
  return {
    shop: SHOP,
    connectionId: CONNECTION_ID,
    templateId: TEMPLATE_ID,
    carrier: "fedex",
    outcome: "accepted",
    status: "approved",
    updateState: null,
    verificationId: "v-1",
    baseline: null,
    askedAtMs: NOW_MS - 60_000,
    changedAtMs: NOW_MS - 30_000,
    checkedAtMs: NOW_MS - 30_000,
    polls: 1,
    nextPollAtMs: null,
    addressKey: "here",
    timeline: [],
    ...changes,
  };
}

export function composedOrigin(changes: Partial<ComposedOrigin> = {}): ComposedOrigin {
  const fields = Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, { value: ATTRIBUTES[field], source: "shopify", confidence: "sure" }]),
  ) as ComposedOrigin["fields"];
  return { fields, attributes: ATTRIBUTES, problems: [], splitLapsed: false, ...changes };
}
