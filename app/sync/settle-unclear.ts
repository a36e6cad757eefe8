import type { LinkRecord, Policies, PendingWrite, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { wantVerification } from "../verification/want-verification.ts";
import { whatLanded } from "./what-landed.ts";

export interface Settled {
  ref: ConnectionRef;
  link: LinkRecord;
  /** The linked template as it was read by itself, once nothing unclear may take effect any more. */
  row: Pick<TemplateRecord, "template" | "emptied">;
  /** An unclear write beside the one that the link remembers. It goes in the caller's transaction. */
  pendingWrite?: PendingWrite;
  policies: Policies;
}

/** A template's own GET tells what became of the unclear writes to it. In the caller's transaction. */
export async function settleUnclear(
  services: Services,
  tables: Tables,
  { ref, link, row, pendingWrite, policies }: Settled,
): Promise<void> {
  let landed: Partial<LinkRecord> = {};
  for (const write of [link.unclear, pendingWrite])
    if (write?.operation === "update") landed = { ...landed, ...whatLanded({ ...link, ...landed }, write, row) };
  const isLanded = Object.keys(landed).length > 0;
  if (isLanded || link.unclear) await tables.links.update({ id: link.id }, { ...landed, unclear: null });
  if (isLanded) await wantVerification(services, tables, { ref, row, policies });
}
