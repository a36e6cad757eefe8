import { toldOfUnnamed } from "../domain/plan/emptied.ts";
import type { AddressTemplate, TemplatePatch, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";

/**
 * What the service does to the address fields that an update does not name. The first update of an account that leaves out fields finds
 * out. Until then nobody knows, so an update that is sent beside another one sends the whole address.
 */

type Ref = Pick<ConnectionRef, "id" | "shop">;

interface Shown {
  ref: Ref;
  before: TemplateRecord | null;
  template: AddressTemplate;
  /** What is remembered of it as emptied by now: some update has emptied it, whoever sent that. */
  emptied: TemplateRecord["emptied"];
  /** Our update, where this is its answer. */
  said: TemplatePatch | undefined;
}

/**
 * A template was read, or answered to an update. A service that was once seen to empty what no person empties counts for good as one that
 * empties what is not named; where a person may have done it, two answers in a row must agree.
 */
export async function learnOfUnnamed(
  tables: Pick<Tables, "connections">,
  { ref, before, template, emptied, said }: Shown,
): Promise<void> {
  const told = emptied ? "emptied" : said && before ? toldOfUnnamed(said, before.template, template) : null;
  if (told === null) return;
  const { unnamed = null } = (await tables.connections.find({ id: ref.id })) ?? {};
  if (unnamed === "emptied") return;
  const learned = told === "perhaps" && unnamed === "perhaps" ? "emptied" : told;
  if (learned !== unnamed) await tables.connections.update({ id: ref.id }, { unnamed: learned });
}

/** Whether an update sends the whole address. `butOf`: the work item whose own writes do not count. */
export async function sendsWhole(
  tables: Pick<Tables, "connections" | "pendingWrites">,
  { ref: { id, shop }, butOf }: { ref: Ref; butOf: string | null },
): Promise<boolean> {
  const unnamed = (await tables.connections.find({ id }))?.unnamed ?? null;
  if (unnamed === "kept" || unnamed === "emptied") return unnamed === "emptied";
  const others = butOf === null ? {} : { workItemId: { not: butOf } };
  return (await tables.pendingWrites.count({ shop, connectionId: id, operation: "update", ...others })) > 0;
}
