import { OPEN } from "../../app/domain/shop-access.ts";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import { placeIn } from "../../app/domain/address/place.ts";
import { NO_CONTACT, newConnection, newDetails, newLink } from "../../app/domain/new-records.ts";
import {
  DEFAULT_POLICIES,
  type ActivityRecord,
  type AddressTemplate,
  type ConnectionRecord,
  type DetailsRecord,
  type DraftRecord,
  type FlowEventRecord,
  type FlowOriginRecord,
  type PendingWrite,
  type JobItemRecord,
  type JobRecord,
  type LinkRecord,
  type LocationRecord,
  type MoveRecord,
  type ReceiptRecord,
  type ShopRecord,
  type WorkItem,
  type TemplateRecord,
  type VerificationOutcome,
  type VerificationRecord,
} from "../../app/domain/records.ts";
import { Secret } from "../../app/domain/secret.ts";

export { NO_CONTACT };

/**
 * Whole records of every kind, for tests that care about a field or two.
 *
 * Long, because it has one function for every kind of record, and tests find them in one place.
 */

export const SHOP = "one.myshopify.com";
export const NOW_MS = 1_800_000_000_000;

export const locationGid = (number: number) => `gid://shopify/Location/${number}`;

export const shopRecord = (over: Partial<ShopRecord> = {}): ShopRecord => ({
  shop: SHOP,
  timeZone: "America/Mexico_City",
  language: null,
  policies: DEFAULT_POLICIES,
  contact: NO_CONTACT,
  revision: 0,
  guideDismissedAtMs: null,
  reconciledAtMs: null,
  installedAtMs: NOW_MS,
  uninstalledAtMs: null,
  ...OPEN,
  redactToldAtMs: null,
  redactDecision: null,
  flow: {},
  ...over,
});

export const connectionRecord = (over: Partial<ConnectionRecord> = {}): ConnectionRecord => ({
  ...newConnection({
    id: "connection-1",
    shop: SHOP,
    environment: "test",
    clientId: "client-1",
  }),
  clientSecret: new Secret("client-secret-1"),
  version: 1,
  ...over,
});

export const locationRecord = (over: Partial<LocationRecord> = {}): LocationRecord => ({
  shop: SHOP,
  locationId: locationGid(1),
  name: "Bodega Norte",
  isActive: true,
  isFulfillmentService: false,
  fulfillsOnlineOrders: true,
  address: {
    address1: "Av. Insurgentes Sur 1234",
    address2: "Col. Del Valle",
    city: "Ciudad de México",
    province: "Ciudad de México",
    provinceCode: "DF",
    countryCode: "MX",
    zip: "03100",
    phone: "+525555555555",
  },
  postal: null,
  deletedAtMs: null,
  absentSinceMs: null,
  shopifyAtMs: null,
  shopifyToldMs: null,
  behindSinceMs: null,
  readAtMs: NOW_MS,
  ...over,
});

export const detailsRecord = (over: Partial<DetailsRecord> = {}): DetailsRecord => ({
  ...newDetails({ shop: SHOP, locationId: locationGid(1) }),
  ...over,
});

export const addressTemplate = (over: Partial<AddressTemplate> = {}): AddressTemplate => ({
  id: "template-1",
  alias_name: "Bodega Norte [OR-1a2b3c]",
  address_type: "pickup",
  default: false,
  address: {
    ...NO_ADDRESS,
    name: "Ana Pérez",
    company: "Café Ñandú",
    street1: "Av. Insurgentes Sur",
    street_number: "1234",
    apartment_number: null,
    postal_code: "03100",
    area_level1: "Ciudad de México",
    area_level2: "Benito Juárez",
    area_level3: "Del Valle",
    country_code: "MX",
    phone: "5555555555",
    email: "ana@example.com",
    reference: null,
    rfc: null,
    tax_id_number: null,
    tax_id_type: null,
  },
  verified_carriers: [],
  ...over,
});

export const linkRecord = (over: Partial<LinkRecord> = {}): LinkRecord => ({
  ...newLink({
    id: "link-1",
    connection: { id: "connection-1", shop: SHOP, environment: "test" },
    locationId: locationGid(1),
    templateId: "template-1",
    how: "created",
  }),
  ...over,
});

export const templateRecord = (over: Partial<TemplateRecord> = {}): TemplateRecord => ({
  shop: SHOP,
  connectionId: "connection-1",
  templateId: "template-1",
  template: addressTemplate(),
  readAtMs: NOW_MS,
  reading: 1,
  absentSinceMs: null,
  unlistedSinceMs: null,
  aloneAtMs: null,
  disputedSinceMs: null,
  emptied: null,
  replaced: null,
  ...over,
});

/** What an outcome without an answer asks. */
const QUESTION: Partial<Record<VerificationOutcome, "wanted" | "asked">> = { wanted: "wanted", pending: "asked" };

export const verificationRecord = (over: Partial<VerificationRecord> = {}): VerificationRecord => ({
  shop: SHOP,
  connectionId: "connection-1",
  templateId: "template-1",
  carrier: "fedex",
  outcome: "pending",
  status: null,
  updateState: null,
  verificationId: null,
  baseline: [],
  askedAtMs: NOW_MS,
  changedAtMs: NOW_MS,
  checkedAtMs: null,
  polls: 0,
  nextPollAtMs: NOW_MS + 5_000,
  addressKey: null,
  timeline: [],
  question: QUESTION[over.outcome ?? "pending"] ?? null,
  questionKey: over.addressKey ?? null,
  movedAtMs: null,
  ...over,
});

export const workItemRecord = (over: Partial<WorkItem> = {}): WorkItem => ({
  id: "target-1",
  shop: SHOP,
  kind: "location",
  key: locationGid(1),
  generation: 1,
  observedGeneration: 0,
  dueAtMs: NOW_MS,
  leaseOwner: null,
  leaseUntilMs: null,
  fence: 0,
  failures: 0,
  failingSinceMs: null,
  pendingSinceMs: null,
  traceparent: null,
  state: "active",
  reason: null,
  updatedAtMs: NOW_MS,
  ...over,
});

export const pendingWriteRecord = (over: Partial<PendingWrite> = {}): PendingWrite => ({
  id: "intent-1",
  shop: SHOP,
  connectionId: "connection-1",
  workItemId: "target-1",
  operation: "create",
  templateId: null,
  locationId: locationGid(1),
  marker: "OR-1a2b3c",
  payload: null,
  alike: [],
  committedAtMs: NOW_MS,
  quarantineUntilMs: NOW_MS + 90_000,
  notedAtMs: null,
  ...over,
});

export const receiptRecord = (over: Partial<ReceiptRecord> = {}): ReceiptRecord => ({
  shop: SHOP,
  webhookId: "webhook-1",
  receivedAtMs: NOW_MS,
  ...over,
});

export const draftRecord = (over: Partial<DraftRecord> = {}): DraftRecord => ({
  id: "draft-1",
  shop: SHOP,
  connectionId: "connection-1",
  operation: "create",
  templateId: null,
  draft: null,
  base: null,
  createdAtMs: NOW_MS,
  endedAtMs: null,
  outcome: null,
  staffId: null,
  ...over,
});

export const activityRecord = (over: Partial<ActivityRecord> = {}): ActivityRecord => ({
  id: "activity-1",
  shop: SHOP,
  atMs: NOW_MS,
  actor: "sync",
  staffId: null,
  kind: "template_created",
  locationId: null,
  locationName: null,
  templateId: null,
  carrier: null,
  fields: [],
  requestId: null,
  outcome: "done",
  detail: null,
  environment: "test",
  ...over,
});

export const jobRecord = (over: Partial<JobRecord> = {}): JobRecord => ({
  id: "job-1",
  shop: SHOP,
  kind: "sync",
  carriers: [],
  state: "running",
  createdAtMs: NOW_MS,
  endedAtMs: null,
  ...over,
});

export const moveRecord = (over: Partial<MoveRecord> = {}): MoveRecord => ({
  shop: SHOP,
  locationId: locationGid(1),
  connectionId: "connection-1",
  marker: "0000M0VE",
  place: placeIn({
    ...NO_ADDRESS,
    street1: "Calle Morelos",
    street_number: "55",
    area_level3: "Americana",
    area_level2: "Guadalajara",
    area_level1: "Jalisco",
    postal_code: "44160",
    country_code: "MX",
    reference: "Puerta azul",
  }),
  hour: null,
  keepFormer: true,
  state: "coming",
  templateId: null,
  sent: null,
  answered: null,
  refusal: null,
  press: null,
  asks: null,
  formerTemplateId: null,
  formerDefault: false,
  passedAtMs: null,
  ...over,
});

export const flowOriginRecord = (over: Partial<FlowOriginRecord> = {}): FlowOriginRecord => ({
  shop: SHOP,
  locationId: locationGid(1),
  seen: { refused: [], ready: false, needs: null, changed: [] },
  ...over,
});

export const flowEventRecord = (over: Partial<FlowEventRecord> = {}): FlowEventRecord => ({
  id: "event-1",
  shop: SHOP,
  number: 1,
  trigger: "origin-refused",
  locationId: locationGid(1),
  fields: { Location: "Bodega 1", Template: "Bodega 1", Carrier: "fedex", Status: "refused", Message: "rejected" },
  atMs: NOW_MS,
  ...over,
});

export const jobItemRecord = (over: Partial<JobItemRecord> = {}): JobItemRecord => ({
  jobId: "job-1",
  shop: SHOP,
  locationId: locationGid(1),
  workItemId: null,
  since: 0,
  generation: 1,
  confirmed: null,
  stated: null,
  state: "waiting",
  detail: null,
  ...over,
});
