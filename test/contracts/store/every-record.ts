import type { Store, Table, Tables } from "../../../app/ports.ts";
import { Secret } from "../../../app/domain/secret.ts";
import * as records from "../../fakes/records.ts";
import { NOW_MS, SHOP } from "../../fakes/records.ts";

/** One record of each kind with everything in it that can be: the awkward texts, the objects, the late times. */

export const AWKWARD_TEXT = `Ñandú "quoted" 'single' \\ back\n\tnew\u2060line 🏭 ; DROP TABLE "Shop"; -- %_ {"a":1} ${"x".repeat(10_000)}`;
const LATE_MS = 253_402_300_799_999;

export type TableName = keyof Tables;
export type AnyRecord = Record<string, unknown>;

const contact = { ...records.NO_CONTACT, name: AWKWARD_TEXT, email: "" };
const draft = {
  alias_name: AWKWARD_TEXT,
  address_type: "pickup",
  default: true,
  address_attributes: { name: null, street1: "" },
};
const split = {
  street1: AWKWARD_TEXT,
  street_number: null,
  apartment_number: "",
  area_level2: null,
  area_level3: null,
  reference: null,
};
const fields = { phone: ["no es válido", "is too long"] };

/** Every table but `shops`, whose rows have the shop as parent. */
export const CHILD_RECORDS = {
  connections: records.connectionRecord({
    clientSecret: new Secret(AWKWARD_TEXT),
    scope: "a b",
    redirectUri: "https://example.com/?a=b",
    accessToken: new Secret("access"),
    refreshToken: new Secret("refresh"),
    tokenScope: "",
    tokenObtainedAtMs: NOW_MS,
    tokenExpiresAtMs: LATE_MS,
    failures: 3,
    backoffUntilMs: 0,
    lastFaultKind: "timeout",
    lastFaultAtMs: 1,
    lastFaultMessage: AWKWARD_TEXT,
    suspects: [
      { targetId: "target-1", wanted: 2, kind: "timeout", message: AWKWARD_TEXT, requestId: null, atMs: NOW_MS },
    ],
    lastSuccessAtMs: NOW_MS,
    bookReadAtMs: NOW_MS,
    bookConfirmedAtMs: NOW_MS,
  }),
  locations: records.locationRecord({
    name: AWKWARD_TEXT,
    deletedAtMs: NOW_MS,
    absentSinceMs: NOW_MS,
    shopifyAtMs: NOW_MS,
    shopifyToldMs: LATE_MS,
    behindSinceMs: NOW_MS,
  }),
  details: records.detailsRecord({
    contact,
    split: {
      values: split,
      readFrom: AWKWARD_TEXT,
    },
    paused: true,
    confirmedAtMs: NOW_MS,
    inVain: [draft],
    formerTemplates: [{ connectionId: AWKWARD_TEXT, templateId: AWKWARD_TEXT }],
  }),
  links: records.linkRecord({
    sent: draft,
    answered: records.addressTemplate(),
    differences: [{ field: "street1", kind: "drift", ours: AWKWARD_TEXT, theirs: null, base: "", noticedAtMs: NOW_MS }],
    choices: [{ field: "default", choice: "ours", theirs: null }],
    accepted: [{ field: "alias_name", ours: null, theirs: AWKWARD_TEXT }],
    missingSinceMs: NOW_MS,
    syncedAtMs: NOW_MS,
    checkedAtMs: NOW_MS,
  }),
  templates: records.templateRecord({
    template: records.addressTemplate({ alias_name: AWKWARD_TEXT }),
    absentSinceMs: NOW_MS,
    unlistedSinceMs: NOW_MS,
  }),
  verifications: records.verificationRecord({
    status: AWKWARD_TEXT,
    updateState: "",
    verificationId: "v-1",
    baseline: [{ status: "pending", updateState: null, verificationId: null }],
    checkedAtMs: NOW_MS,
    addressKey: AWKWARD_TEXT,
    timeline: [{ atMs: NOW_MS, outcome: "pending", status: null }],
  }),
  workItems: records.workItemRecord({
    leaseOwner: "worker",
    leaseUntilMs: NOW_MS,
    generation: 2_000_000_000,
    reason: { code: "quarantine", message: AWKWARD_TEXT, fields, requestId: "r", atMs: NOW_MS },
  }),
  pendingWrites: records.pendingWriteRecord({ templateId: "t", payload: draft, notedAtMs: NOW_MS }),
  receipts: records.receiptRecord({ webhookId: AWKWARD_TEXT }),
  drafts: records.draftRecord({
    templateId: "t",
    draft,
    base: records.addressTemplate(),
    endedAtMs: NOW_MS,
    outcome: { kind: "refused", message: AWKWARD_TEXT, fields },
  }),
  activity: records.activityRecord({
    locationId: records.locationGid(1),
    locationName: AWKWARD_TEXT,
    templateId: "t",
    carrier: "dhl",
    fields: [{ field: "street1", from: null, to: AWKWARD_TEXT }],
    requestId: "r",
    detail: AWKWARD_TEXT,
  }),
  jobs: records.jobRecord({ carriers: ["fedex", "dhl"], endedAtMs: NOW_MS }),
  jobItems: records.jobItemRecord({
    workItemId: "target-1",
    confirmed: { linkId: "l" },
    stated: { locationId: "l", revision: 3, readFrom: AWKWARD_TEXT, contact: { phone: AWKWARD_TEXT }, split },
    detail: AWKWARD_TEXT,
  }),
  moves: records.moveRecord({
    place: { ...records.moveRecord().place, street1: AWKWARD_TEXT },
    hour: "2026-12-01T09:00",
    templateId: "t",
    sent: draft,
    answered: records.addressTemplate(),
    refusal: { code: "refused_by_service", message: AWKWARD_TEXT, fields, requestId: "r" },
    press: "anyway",
    asks: "taken",
    formerTemplateId: "u",
    formerDefault: true,
    passedAtMs: LATE_MS,
  }),
  flowOrigins: records.flowOriginRecord({
    seen: { refused: [AWKWARD_TEXT], ready: true, needs: "conflict", changed: ["street1 5"] },
  }),
  flowEvents: records.flowEventRecord({ fields: { Location: AWKWARD_TEXT, Message: "" }, atMs: LATE_MS }),
} satisfies Record<Exclude<TableName, "shops">, object>;

export const FULL_SHOP = records.shopRecord({
  timeZone: AWKWARD_TEXT,
  language: "es-MX",
  contact,
  guideDismissedAtMs: NOW_MS,
  reconciledAtMs: 0,
  installedAtMs: LATE_MS,
  uninstalledAtMs: NOW_MS,
  access: "frozen",
  accessSinceMs: NOW_MS,
  refusedAtMs: NOW_MS,
  uninstallToldAtMs: LATE_MS,
  forgetDueAtMs: NOW_MS,
  redactToldAtMs: NOW_MS,
  redactDecision: "keep",
  flow: { "origin-ready": { isUsed: true, toldMs: LATE_MS } },
});

export const CHILD_NAMES = Object.keys(CHILD_RECORDS) as (keyof typeof CHILD_RECORDS)[];

/** Any table, its records untyped. */
export function tableOf(store: Pick<Store, TableName>, name: TableName): Table<AnyRecord> {
  return store[name] as unknown as Table<AnyRecord>;
}

/** A copy of the record for another shop, none of its keys shared. */
export function forShop(record: object, shop: string): AnyRecord {
  const copy: AnyRecord = { ...record, shop };
  for (const key of ["id", "connectionId", "templateId", "workItemId", "jobId"]) {
    if (typeof copy[key] === "string") copy[key] = `${copy[key] as string} of ${shop}`;
  }
  return copy;
}

/** The shop with a record of every kind. */
export async function fill(store: Store, shop = SHOP): Promise<void> {
  await store.shops.insert({ ...FULL_SHOP, shop });
  for (const name of CHILD_NAMES) {
    const record = CHILD_RECORDS[name];
    await tableOf(store, name).insert(shop === SHOP ? { ...record } : forShop(record, shop));
  }
}
