import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { draftFor } from "../../../app/domain/plan/plan.ts";
import type { AddressTemplate, LinkRecord, ShopRecord, WorkItem } from "../../../app/domain/records.ts";
import { exclusionOf } from "../../../app/domain/origin-state.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import type { Store } from "../../../app/ports.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import { accountOf, connectionOf } from "../people/stage.ts";
import type { At, Stage } from "../people/stage.ts";
import { isHeldUp, isRefusedForGood } from "./unserved.ts";

/** Compares what one location was meant to be in the account with what is there at the end. */

interface Facts {
  stage: Stage;
  record: ShopRecord;
  at: At;
  account: FakeAccount;
  link: LinkRecord | null;
  template: AddressTemplate | null;
  workItem: WorkItem | null;
}

export async function lostOf(stage: Stage, store: Store, at: At): Promise<string[]> {
  const { shop, locationId } = at;
  const record = await store.shops.find({ shop });
  const connection = connectionOf(stage, shop);
  const account = accountOf(stage, shop);
  // Without a connection nothing is expected, and the pages say so.
  if (!record || record.uninstalledAtMs !== null || !account || connection?.state !== "active") return [];
  const link = await store.links.find({ shop, locationId, connectionId: connection.id });
  const template = (link && account.templates.get(link.templateId)) ?? null;
  const item = await store.workItems.find({ shop, kind: "location", key: locationId });
  const facts = { stage, record, at, account, link, template, workItem: item };
  const there = stage.shopify.known(shop, locationId);
  if (!there?.isActive) {
    const details = await store.details.find({ shop, locationId });
    return details?.paused
      ? []
      : departedInVain(facts, there ? record.policies.onDeactivate : record.policies.onDelete);
  }
  return presentInVain(facts, store);
}

function departedInVain({ stage, at, link, workItem: item }: Facts, rule: "keep" | "unlink" | "delete"): string[] {
  if (rule === "keep" || !link || (item && waitsFor(stage, item))) return [];
  return [`${at.locationId} left and its rule is ${rule}, but it is still linked`];
}

/**
 * Whether a fault that sticks keeps the work item from its end, which the pages tell. A parked work item stays parked until somebody
 * requests it.
 */
function waitsFor(stage: Stage, item: WorkItem): boolean {
  if (isRefusedForGood(stage, item)) return true;
  return (item.state === "parked" || item.generation > item.observedGeneration) && isHeldUp(stage, item);
}

async function presentInVain(facts: Facts, store: Store): Promise<string[]> {
  const { stage, record, at, account, link, template, workItem: item } = facts;
  const { shop, locationId } = at;
  const there = stage.shopify.known(shop, locationId)!;
  const details = await store.details.find({ shop, locationId });
  const doubts = { deletedAtMs: null, absentSinceMs: null, shopifyToldMs: null, behindSinceMs: null };
  const location = { ...there, ...doubts, shop, postal: null, readAtMs: 0 };
  if (exclusionOf({ location, details, policies: record.policies }) !== null || details?.paused) return [];
  if (!details || details.confirmedAtMs === null) return [];
  if (item && waitsFor(stage, item)) return [];
  const composed = composeOrigin({ address: there.address, postal: null, defaults: record.contact, details });
  if (!composed.attributes) return item?.state === "blocked" ? [] : [`${locationId} is incomplete and nobody is told`];
  if (item?.state === "blocked" && item.reason?.code !== "conflict") return blockedInVain(facts);
  const quiet = stage.scenery.tail === "quiet";
  if (quiet && link && !template && account.touched.has(link.templateId)) return [];
  if (!link || !template)
    return [`${locationId} has no template and nobody is told (${item?.state}, link ${link !== null})`];
  const connection = await store.connections.find({ id: link.connectionId });
  const said = { location, details, policies: record.policies, link, theirs: template, connection };
  const ours = valuesOfDraft(draftFor(said, composed.attributes));
  return fieldsInVain({ ...facts, link, template }, ours);
}

function fieldsInVain(
  { stage, at, account, link, template }: Facts & { link: LinkRecord; template: AddressTemplate },
  ours: Partial<Record<Field, string | null>>,
): string[] {
  const { scenery, known } = stage;
  const { locationId } = at;
  const theirs = valuesOfTemplate(template);
  // Where a write empties what it does not name, a form may put back older values of ours that it showed. The origin's page shows these,
  // too.
  const mayBePutBack =
    scenery.habits.wipes &&
    [...known.drafts.values()].some((said) => said.operation === "update" && said.templateId === template.id);
  const altered = scenery.habits.capitals === true || scenery.habits.aliasLength !== undefined;
  return (Object.entries(ours) as [Field, string | null][]).flatMap(([field, value]) => {
    if (!differs(field, value, theirs[field])) return [];
    const shown = [...link.differences, ...link.accepted].find((difference) => difference.field === field);
    const byPerson = account.touched.has(`${template.id} ${field}`);
    const seenIt = shown !== undefined && !differs(field, shown.theirs, theirs[field]) && shown.ours === value;
    const unheardOf = scenery.tail === "quiet" && byPerson;
    // A template that was adopted again was out of sight for a while. Its differences are shown, whoever wrote them.
    if (seenIt && (link.how !== "created" || mayBePutBack || altered)) return [];
    const told = shown ? `shown is ${shown.ours} and ${shown.theirs}` : "nothing is shown";
    const words = `${locationId} ${field}: ${value} is not there (${theirs[field]}; ${told})`;
    if (!byPerson) return [`${words}, and no person wrote it`];
    return seenIt || unheardOf ? [] : [`${words} and nobody is told`];
  });
}

function blockedInVain({ workItem: item, link, template, at }: Facts): string[] {
  const reason = item?.reason?.code;
  if (reason === "missing_there" && link && !template) return [];
  if (reason === "adoption_choice" && !link) return [];
  return [`${at.locationId} is blocked (${reason}) without cause`];
}
