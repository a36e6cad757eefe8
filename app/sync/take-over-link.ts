import { passLinkOver } from "../account/pass-link-over.ts";
import { passWritesOver } from "../account/pass-writes-over.ts";
import type { LinkRecord } from "../domain/records.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { PlanFacts } from "./read-plan-facts.ts";

/**
 * The link that another client id left passes over to the one in use, whose account holds its template. A write to that template that
 * was unclear is so still, over this client id.
 */
export async function takeOverLink(run: Run, { connection }: PlanFacts, kept: LinkRecord): Promise<void> {
  const { id, version, shop } = connection!;
  const { connectionId, templateId } = kept;
  await commit(run, async (tables) => {
    const isSame = await tables.connections.find({ id, version, current: true });
    if (!isSame) throw superseded("the connection has changed");
    await passWritesOver(tables, { shop, from: connectionId, to: id, templateId });
    await passLinkOver(run.services, tables, { link: kept, connectionId: id });
  });
}
