import { CONTACT_FIELDS } from "../domain/address/form-fields.ts";
import type { ContactDetails } from "../domain/address/address.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { recordActivity } from "../activity/record-activity.ts";

export interface SharedContact {
  shop: string;
  /** Tidy and without errors. */
  contact: ContactDetails;
  /** The shop's, as it was when the contact was shown. */
  revision: number;
}

/** Stores the shop-wide contact, in the caller's transaction. False: somebody changed the shop's settings since they were shown. */
export async function keepContact(
  services: Services,
  tables: Tables,
  { shop, contact, revision }: SharedContact,
): Promise<boolean> {
  const record = await tables.shops.find({ shop });
  if (!record) return false;
  const fields = CONTACT_FIELDS.filter((field) => record.contact[field] !== contact[field]).map((field) => ({
    field,
    from: record.contact[field],
    to: contact[field],
  }));
  if (fields.length === 0) return true;
  const changed = await tables.shops.update({ shop, revision }, { contact, revision: revision + 1 });
  if (changed === 0) return false;
  await wakeMoves(services, tables, { shop });
  await recordActivity(services, tables, { shop, actor: "owner", kind: "contact_saved", outcome: "done", fields });
  return true;
}

/** What a coming address lacked may be there now. */
export async function wakeMoves(services: Services, tables: Tables, { shop }: { shop: string }): Promise<void> {
  for (const { locationId: key } of await tables.moves.list({ shop, state: "coming" }))
    await requestWork(services, tables, { shop, kind: "move", key });
}
