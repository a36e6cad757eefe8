import { composeOrigin } from "../../app/domain/address-compose.ts";
import { draftFor } from "../../app/domain/plan.ts";
import type { AddressTemplate, LinkRecord } from "../../app/domain/records.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "../../app/domain/three-way.ts";
import type { Field } from "../../app/domain/three-way.ts";
import type { Store } from "../../app/ports.ts";
import type { FakeAccount } from "../fakes/shipping-account.ts";
import type { FakeShopify } from "../fakes/shopify.ts";
import { doubledDrafts, lostDrafts } from "./judge-drafts.ts";
import type { HandDraft } from "./judge-drafts.ts";
import { templateOf } from "./scenery.ts";
import type { Scenery } from "./scenery.ts";

/** What everybody meant, against what is there when it is all over. */
export interface Evidence {
  scenery: Scenery;
  store: Store;
  shopify: FakeShopify;
  account: FakeAccount;
  arrivals: number[];
  allowed: ReadonlySet<string>;
  drafts: ReadonlyMap<string, HandDraft>;
}

export interface Verdict {
  lost: string[];
  duplicates: number;
  overwritten: string[];
  unseeable: number;
  secondsOverLimit: number;
}

export async function judge(evidence: Evidence): Promise<Verdict> {
  const { account, allowed, scenery } = evidence;
  const lost: string[] = [];
  for (const { shop, locationIds } of scenery.shops) {
    for (const locationId of locationIds) lost.push(...(await lostOf(evidence, shop, locationId)));
    for (const target of await evidence.store.targets.list({ shop })) {
      if (target.state === "parked") lost.push(`${target.kind} ${target.key} is parked: ${target.reason?.message}`);
      if (target.state === "active" && target.wanted > target.seen)
        lost.push(`${target.kind} ${target.key} is still wanted (${target.reason?.code}: ${target.reason?.message})`);
    }
    const wanted = await evidence.store.verifications.count({ shop, outcome: "wanted" });
    if (wanted > 0) lost.push(`${wanted} verifications of ${shop} were never asked`);
  }
  lost.push(...(await lostDrafts(evidence)));
  const overwrites = account.overwrites.filter(
    ({ templateId, field, person }) => !allowed.has(`${templateId} ${field} ${person}`),
  );
  const unseen = overwrites.filter(({ readAtMs, saidAtMs }) => readAtMs !== null && saidAtMs > readAtMs);
  const overwritten = overwrites.filter((each) => !unseen.includes(each));
  return {
    lost,
    duplicates: account.duplicates() + doubledDrafts(evidence),
    overwritten: overwritten.map(
      ({ templateId, field, person, ours }) => `${templateId} ${field}: ${person} became ${ours}`,
    ),
    unseeable: unseen.length,
    secondsOverLimit: secondsOver(evidence.arrivals),
  };
}

async function lostOf(
  { scenery, store, shopify, account, drafts }: Evidence,
  shop: string,
  locationId: string,
): Promise<string[]> {
  const record = (await store.shops.find({ shop }))!;
  const details = (await store.details.find({ shop, locationId }))!;
  const link = await store.links.find({ shop, locationId });
  const there = shopify.known(shop, locationId);
  const template = link && account.templates.get(link.templateId);
  const target = await store.targets.find({ shop, kind: "location", key: locationId });
  if (!there?.isActive) {
    const rule = there ? record.policies.onDeactivate : record.policies.onDelete;
    if (rule === "keep" || !link) return [];
    return [`${locationId} left and its rule is ${rule}, but it is still linked`];
  }
  if (details.inclusion === "never") {
    const left = templateOf(account, shop, locationId);
    return left === null ? [] : [`${locationId} is no origin any more, but ${left} stands for it`];
  }
  const composed = composeOrigin({ address: there.address, defaults: record.contact, details });
  if (!composed.attributes)
    return target?.state === "blocked" ? [] : [`${locationId} is incomplete and nobody is told`];
  if (target?.state === "blocked" && target.reason?.code !== "conflict")
    return blockedInVain({ reason: target.reason?.code, link, template: template ?? null, locationId });
  if (scenery.tail === "quiet" && link && !template && account.touched.has(link.templateId)) return [];
  if (!link || !template)
    return [`${locationId} has no template and nobody is told (${target?.state}, link ${link !== null})`];
  const location = { ...there, shop, deletedAtMs: null, readAtMs: 0 };
  const ours = valuesOfDraft(draftFor({ location, policies: record.policies, link }, composed.attributes));
  const theirs = valuesOfTemplate(template);
  // Where a write empties what it does not name, a form may put back older words of ours that it showed; they are shown, too.
  const mayBePutBack =
    scenery.habits.wipes &&
    [...drafts.values()].some((said) => said.operation === "update" && said.templateId === template.id);
  const lost: string[] = [];
  for (const [name, value] of Object.entries(ours)) {
    const field = name as Field;
    if (!differs(field, value, theirs[field])) continue;
    const shown = [...link.differences, ...link.accepted].find((difference) => difference.field === field);
    const byPerson = account.touched.has(`${template.id} ${field}`);
    const seenIt = shown !== undefined && !differs(field, shown.theirs, theirs[field]) && shown.ours === value;
    const unheardOf = scenery.tail === "quiet" && byPerson;
    // A template adopted again was out of sight for a while: what differs in it is shown, whoever wrote it.
    if (seenIt && (link.how === "adopted" || mayBePutBack)) continue;
    if (!byPerson)
      lost.push(`${locationId} ${field}: ${value} is not there (${theirs[field]}), and no person wrote it`);
    else if (!seenIt && !unheardOf)
      lost.push(`${locationId} ${field}: ${value} is not there (${theirs[field]}) and nobody is told`);
  }
  return lost;
}

function blockedInVain(facts: {
  reason: string | undefined;
  link: LinkRecord | null;
  template: AddressTemplate | null;
  locationId: string;
}): string[] {
  const { reason, link, template, locationId } = facts;
  if (reason === "missing_there" && link && !template) return [];
  if (reason === "adoption_choice" && !link) return [];
  return [`${locationId} is blocked (${reason}) without cause`];
}

/** Arrivals that make a third within a second. */
function secondsOver(arrivals: number[]): number {
  const sorted = [...arrivals].sort((a, b) => a - b);
  return sorted.filter((atMs, index) => index >= 2 && atMs - sorted[index - 2]! < 1_000).length;
}
