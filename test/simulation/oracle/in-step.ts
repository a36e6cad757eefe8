import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { draftFor } from "../../../app/domain/plan/plan.ts";
import type { LinkRecord, LocationRecord } from "../../../app/domain/records.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Field } from "../../../app/domain/plan/three-way.ts";
import type { TableName } from "../../../app/adapters/store/table-specs.ts";
import type { RecordOf } from "../../fakes/memory-store.ts";
import { accountOf, connectionOf } from "../people/stage.ts";
import type { Stage } from "../people/stage.ts";
import type { AnswersWatch } from "./answers.ts";

/**
 * Why an origin differs from the account although the service's answers have shown the app the difference and nothing is under way. Null
 * when they agree, or when nobody can know. Judged by the stored rows and the account, not by what the app concludes from them.
 */
export function outOfStep(stage: Stage, location: LocationRecord, service: AnswersWatch): string | null {
  const { shop, locationId } = location;
  const connection = connectionOf(stage, shop);
  const account = accountOf(stage, shop);
  if (!account || connection?.state !== "active") return null;
  const link = find(stage, "links", (row) => row.connectionId === connection.id && row.locationId === locationId);
  if (!link) return "has no template";
  if (isUnderWay(stage, link)) return null;
  // Nobody can know a person's change that came after the last answer about the template.
  if (account.changedAtMs(link.templateId) >= service.lastTold(shop, link.templateId)) return null;
  const theirs = account.templates.get(link.templateId);
  if (!theirs) return `has the template ${link.templateId}, which is gone`;
  const record = find(stage, "shops", (row) => row.shop === shop)!;
  const details = find(stage, "details", (row) => row.shop === shop && row.locationId === locationId);
  const { attributes } = composeOrigin({ address: location.address, postal: null, defaults: record.contact, details });
  if (!attributes) return "is incomplete";
  const ours = valuesOfDraft(
    draftFor({ location, details, policies: record.policies, link, theirs, connection }, attributes),
  );
  const there = valuesOfTemplate(theirs);
  const [field] = (Object.keys(ours) as Field[]).filter((each) => {
    const isAccepted = link.accepted.some((held) => held.field === each && !differs(each, held.theirs, there[each]));
    return !isAccepted && differs(each, ours[each], there[each]);
  });
  return field ? `says ${field}: ${ours[field]}, and the account says ${there[field]}` : null;
}

/** Whether a run of the origin is due, or a write by the origin's run or by hand to its template has no clear end yet. */
function isUnderWay({ database }: Stage, { shop, locationId, connectionId, templateId }: LinkRecord): boolean {
  const verificationKey = `${connectionId}:${templateId}`;
  for (const { shop: of, kind, key, generation, observedGeneration, leaseOwner } of database.rows("workItems")) {
    if (of !== shop || (kind === "location" ? key !== locationId : key !== verificationKey)) continue;
    if (leaseOwner !== null || (kind === "location" && generation > observedGeneration)) return true;
  }
  // One 404 is not believed; the template is read once more.
  for (const row of database.rows("templates"))
    if (row.connectionId === connectionId && row.templateId === templateId && row.absentSinceMs !== null) return true;
  for (const pending of database.rows("pendingWrites"))
    if (pending.shop === shop && (pending.locationId === locationId || pending.templateId === templateId)) return true;
  return false;
}

function find<N extends TableName>(
  { database }: Pick<Stage, "database">,
  name: N,
  is: (row: Readonly<RecordOf<N>>) => boolean,
): Readonly<RecordOf<N>> | null {
  for (const row of database.rows(name)) if (is(row)) return row;
  return null;
}
