import type { LinkRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { raiseTarget } from "./raise-target.ts";
import { verificationKey } from "./want-verification.ts";

/**
 * A link that another client id of the same account left passes over to this one, with what the carriers said of its template. A
 * location that has one here keeps that. In the caller's transaction.
 */
export async function passLinkOver(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { link, connectionId: to }: { link: LinkRecord; connectionId: string },
): Promise<void> {
  const { shop, connectionId: from, locationId, templateId } = link;
  if (await tables.links.find({ shop, connectionId: to, locationId })) return;
  if ((await tables.links.update({ id: link.id, connectionId: from }, { connectionId: to })) === 0) return;
  const verdicts = await tables.verifications.list({ shop, connectionId: from, templateId });
  for (const verdict of verdicts) {
    // A list read meanwhile only tells the word that stands there, not that it answers us.
    await tables.verifications.delete({ shop, connectionId: to, templateId, carrier: verdict.carrier });
    await tables.verifications.insert({ ...verdict, connectionId: to });
  }
  await tables.verifications.delete({ shop, connectionId: from, templateId });
  if (!verdicts.some(({ question }) => question !== null)) return;
  await raiseTarget(services, tables, { shop, kind: "verification", key: verificationKey(to, templateId) });
}
