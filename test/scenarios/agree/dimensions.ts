import type { VerificationOutcome, WorkItem, WorkItemReason } from "../../../app/domain/records.ts";
import { REASON_PLACES } from "../../../app/domain/reason-places.ts";
import { Secret } from "../../../app/domain/secret.ts";
import type { ShopHealth } from "../../../app/views/shell.ts";
import { NOW_MS } from "../../fakes/records.ts";
import { mexicanAddress } from "../../fakes/world.ts";
import type { Choice } from "./combined.ts";
import { ASKED, because, differing } from "./kept.ts";
import type { Kept } from "./kept.ts";

/** What may stand in the rows of an origin and of its shop. A new health, reason or outcome of the domain's types is here, or does not compile. */

const HOUR_MS = 3_600_000;

export const CONNECTION: Record<ShopHealth, Kept> = {
  ready: {},
  failing: { rests: true },
  none: { connection: { state: "disconnected" } },
  invalid: { connection: { state: "invalid" } },
  unreadable: { connection: { clientSecret: Secret.unreadable("no key") } },
  unconfirmed: { connection: { state: "unconfirmed" } },
  shut: { shop: { access: "frozen", accessSinceMs: 1 } },
};

const asked = { generation: 2, pendingSinceMs: NOW_MS };
const codes = Object.keys(REASON_PLACES) as WorkItemReason["code"][];
/** What stopped it, what it waits for, and what fails: for a moment, and for hours. */
const reasons = codes.flatMap((code): [string, Partial<WorkItem>][] => {
  const { reason } = because(code);
  const resting = { ...asked, reason, dueAtMs: NOW_MS + 30_000 };
  const isWait = ["passes", "other"].includes(REASON_PLACES[code]);
  if (REASON_PLACES[code] === "state" || REASON_PLACES[code] === "shop") return [[code, because(code)]];
  if (isWait)
    return [
      [code, resting],
      [`${code} for hours`, { ...resting, pendingSinceMs: NOW_MS - HOUR_MS }],
    ];
  return [
    [code, { ...resting, failures: 1, failingSinceMs: NOW_MS }],
    [`${code} for hours`, { ...resting, failures: 9, failingSinceMs: NOW_MS - HOUR_MS }],
  ];
});

const ITEM: Record<string, Kept> = {
  quiet: {},
  due: { item: asked },
  running: { item: { ...asked, leaseOwner: "worker", leaseUntilMs: NOW_MS + 30_000 } },
  parked: {
    item: { ...asked, state: "parked", failures: 20, failingSinceMs: NOW_MS - HOUR_MS, ...reasonOf("timeout") },
  },
  ...Object.fromEntries(reasons.map(([name, item]) => [name, { item }])),
};

function reasonOf(code: WorkItemReason["code"]): Pick<WorkItem, "reason"> {
  return { reason: because(code).reason };
}

const LINK: Record<string, Kept> = {
  saved: {},
  none: { link: null },
  "not yet saved": { link: { syncedAtMs: null } },
  drift: { link: differing("drift") },
  conflict: { link: differing("conflict") },
  missing: { link: { missingSinceMs: 1 } },
  "changed there, and not looked at yet": { there: { reference: "La otra puerta" } },
};

const DETAILS: Record<string, Kept> = {
  confirmed: {},
  none: { details: null },
  unconfirmed: { details: { confirmedAtMs: null } },
  paused: { details: { paused: true } },
  excluded: { details: { inclusion: "never" } },
};

const LOCATION: Record<string, Kept> = {
  whole: {},
  lacking: { location: { address: { ...mexicanAddress(), address2: null } } },
  "lacking in Shopify": { location: { address: { ...mexicanAddress(), province: null, provinceCode: null } } },
  inactive: { location: { isActive: false } },
  deleted: { location: { deletedAtMs: 1 } },
};

const OUTCOME: Record<VerificationOutcome, Kept> = {
  accepted: {},
  refused: { carriers: [{ outcome: "refused" }] },
  wanted: { carriers: [{ ...ASKED, outcome: "wanted", question: "wanted" }] },
  pending: { carriers: [{ ...ASKED }] },
  unknown: { carriers: [{ outcome: "unknown", status: "under_observation" }] },
  not_offered: { carriers: [{ outcome: "not_offered" }] },
  no_answer: { carriers: [{ outcome: "no_answer", askedAtMs: 1 }] },
  seen: { carriers: [{ outcome: "seen", status: "verified" }] },
};
const CARRIERS: Record<string, Kept> = {
  ...OUTCOME,
  "not asked": { carriers: [] },
  "none chosen": { policies: { carriers: [] }, carriers: [] },
  "accepted, of an address before": { carriers: [{ addressKey: "another" }] },
  "accepted, and asked again": { carriers: [{ question: "asked", askedAtMs: 1 }] },
  "refused, and asked again": { carriers: [{ outcome: "refused", question: "asked", askedAtMs: 1 }] },
  "two of three answers": {
    policies: { carriers: ["fedex", "dhl", "estafeta"] },
    carriers: [{}, { carrier: "dhl", outcome: "refused" }],
  },
};

export const DIMENSIONS = {
  connection: CONNECTION,
  item: ITEM,
  link: LINK,
  details: DETAILS,
  location: LOCATION,
  carriers: CARRIERS,
};

export function keptOf(choice: Choice): Kept {
  const parts = Object.entries<Record<string, Kept>>(DIMENSIONS).map(([name, values]) => values[choice[name]!]!);
  return Object.assign({}, ...parts) as Kept;
}
