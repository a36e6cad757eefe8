import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import { putBack } from "../../../app/domain/plan/emptied.ts";
import type { AddressTemplate, TemplateDraft } from "../../../app/domain/records.ts";
import type { Services } from "../../../app/ports.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import { accountOf } from "./stage.ts";
import type { Action, Stage } from "./stage.ts";

/** What a shop's owner does by hand in the app's address book. */

/** A name that several forms of a shop give to what they create. */
export const sharedName = (shop: string) => `A mano de ${shop}`;

/** The payload of a form that creates a template of that name. */
export function madeByHand(alias: string): TemplateDraft {
  const address_attributes = {
    name: "Ana",
    street1: "Calle Juárez",
    street_number: "5",
    postal_code: "20000",
    area_level1: "Aguascalientes",
    area_level2: "Aguascalientes",
    area_level3: "Centro",
    country_code: "MX",
    phone: "+524491234567",
    email: "ana@example.com",
    reference: "Portón",
  };
  return { alias_name: alias, address_type: "from", address_attributes };
}

export const makeByHand: Action = async (stage, { shop }) => {
  const { random, visit, known } = stage;
  const services = visit();
  const account = accountOf(stage, shop);
  if (!services || !account) return false;
  const draftId = `draft-${random.id()}`;
  // Sometimes exactly a template that exists: one with the same name and values must not be taken for the new one.
  const alias = random.chance(0.5) ? sharedName(shop) : `${sharedName(shop)} ${draftId}`;
  known.drafts.set(draftId, { operation: "create", shop, alias, stood: await calledSo(services, { shop, alias }) });
  const draft = madeByHand(alias);
  await saveTemplate(services, { shop, draftId, templateId: null, draft, base: null });
  return true;
};

async function calledSo({ store }: Services, { shop, alias }: { shop: string; alias: string }): Promise<string[]> {
  const connection = await store.connections.find({ shop, current: true });
  const known = connection ? await store.templates.list({ shop, connectionId: connection.id }) : [];
  return known.filter(({ template }) => template.alias_name === alias).map(({ templateId }) => templateId);
}

/** Changes one field in the form, which shows the template as the app last saw it. */
export const editByHand: Action = async (stage, { shop }) => {
  const { random, visit, known } = stage;
  const services = visit();
  const shown = services && (await someTemplate(stage, services, shop));
  if (!services || !shown) return false;
  const { base, account } = shown;
  const draftId = `draft-${random.id()}`;
  const field = random.pick(["reference", "name", "email", "address_type"] as const);
  const value = editedValue(stage, field, base);
  known.drafts.set(draftId, { operation: "update", shop, templateId: base.id, field, value });
  account.announce(base.id, field, value);
  // The person who typed the value has seen the value that it replaces.
  const stood = field === "address_type" ? base.address_type : base.address[field];
  known.allowed.add(`${base.id} ${field} ${stood}`);
  const attributes = Object.fromEntries(ADDRESS_FIELDS.map((each) => [each, base.address[each]]));
  const { alias_name, address_type } = base;
  const draft =
    field === "address_type"
      ? { alias_name, address_type: value, address_attributes: attributes }
      : { alias_name, address_type, address_attributes: { ...attributes, [field]: value } };
  await saveTemplate(services, { shop, draftId, templateId: base.id, draft, base });
  return true;
};

function editedValue(
  { random }: Stage,
  field: "reference" | "name" | "email" | "address_type",
  base: AddressTemplate,
): string {
  const number = random.between(1_000, 9_999);
  if (field === "address_type") return base.address_type === "from" ? "to" : "from";
  return field === "email" ? `mano${number}@example.com` : `Mano ${number}`;
}

/** The location that the template stood for, if any, is no origin any more. */
export const deleteByHand: Action = async (stage, { shop }) => {
  const { random, visit, known } = stage;
  const services = visit();
  const shown = services && (await someTemplate(stage, services, shop));
  if (!services || !shown) return false;
  const draftId = `draft-${random.id()}`;
  const { id: templateId } = shown.base;
  known.drafts.set(draftId, { operation: "delete", shop, templateId });
  await removeTemplate(services, { shop, draftId, templateId });
  return true;
};

/** Opens the page, perhaps in several windows. */
export const openAddressBook: Action = async ({ random, visit }, { shop }) => {
  const services = visit();
  if (!services) return false;
  const windows = random.pick([1, 1, 3]);
  await Promise.all(Array.from({ length: windows }, () => refreshAddressBook(services, { shop })));
  return true;
};

/**
 * A template of the address book's page, and the account that the page shows. A page that takes minutes may show another account than
 * before.
 */
async function someTemplate(
  { random, accounts }: Stage,
  { store }: Services,
  shop: string,
): Promise<{ base: AddressTemplate; account: FakeAccount } | null> {
  const connection = await store.connections.find({ shop, current: true });
  if (!connection) return null;
  const known = await store.templates.list({ shop, connectionId: connection.id }, { orderBy: { templateId: "asc" } });
  const row = random.pick([...known, null]);
  const base = row && putBack(row.template, row.emptied);
  const account = accounts.of(connection.clientId, connection.environment);
  return base && account ? { base, account } : null;
}
