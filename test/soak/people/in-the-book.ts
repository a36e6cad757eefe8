import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressField } from "../../../app/domain/address/address.ts";
import type { AccountTemplate } from "../../sandbox/shipping/control.ts";
import type { TemplateInput } from "../../sandbox/shipping/address-book.ts";
import type { SoakShop, SoakWorld } from "../world.ts";
import type { Weighted } from "./actions.ts";

/** What people change in the service's own pages: every field of a template, templates of strangers included. */
export const IN_THE_BOOK: Weighted = [
  [10, editField],
  [2, editAlias],
  [1, editDefault],
  [1, editType],
  [0.4, deleteTemplate],
  [1, addStranger],
  [1, deleteStranger],
];

const STRANGER = "Ajena";
const MOST_STRANGERS = 12;

function editField(world: SoakWorld, shop: SoakShop): void {
  const field = world.random.pick(ADDRESS_FIELDS);
  edit(world, shop, { address_attributes: { [field]: personsValue(world, field) } });
}

/** A value such as a person would type; no value comes twice. */
function personsValue({ random }: SoakWorld, field: AddressField): string {
  const number = random.between(10_000, 99_999);
  switch (field) {
    case "email":
      return `persona${number}@example.com`;
    case "phone":
      return `33${random.between(10_000_000, 99_999_999)}`;
    case "postal_code":
      return `44${random.between(100, 999)}`;
    case "country_code":
      return random.pick(["MX", "US"]);
    case "area_level1":
      return random.pick(["Jalisco", "Nuevo León", "Yucatán"]);
    case "rfc":
      return random.pick(["XAXX010101000", "XEXX010101000"]);
    default:
      return `Persona ${number}`;
  }
}

function editAlias(world: SoakWorld, shop: SoakShop): void {
  const template = anyTemplate(world, shop);
  if (!template) return;
  const marker = /\[OR-.*\]/.exec(String(template["alias_name"]))?.[0] ?? "";
  edit(world, shop, { alias_name: `Suya ${world.random.between(1, 9_999)} ${marker}`.trim() }, template);
}

function editDefault(world: SoakWorld, shop: SoakShop): void {
  edit(world, shop, { default: world.random.chance(0.5) });
}

function editType(world: SoakWorld, shop: SoakShop): void {
  edit(world, shop, { address_type: world.random.pick(["to", "from", "from"]) });
}

function deleteTemplate({ service, diary, ...world }: SoakWorld, shop: SoakShop): void {
  const template = anyTemplate({ ...world, service, diary }, shop);
  if (!template) return;
  diary.note(template.id, "a person deletes the template");
  service.deleteTemplate(template.id);
}

function addStranger({ random, service }: SoakWorld, shop: SoakShop): void {
  if (strangers(service.templates(shop.clientId, "production")).length >= MOST_STRANGERS) return;
  const number = random.between(1_000, 99_999);
  const address_attributes = {
    name: "Alguien más",
    street1: `Privada ${number}`,
    street_number: "1",
    postal_code: "20000",
    area_level1: "Aguascalientes",
    area_level2: "Aguascalientes",
    area_level3: "Centro",
    country_code: "MX",
    phone: "4491234567",
    email: "alguien@example.com",
    reference: "Casa",
  };
  service.createTemplate(shop.clientId, {
    alias_name: `${STRANGER} ${number}`,
    address_type: "from",
    address_attributes,
  });
}

function deleteStranger({ random, service, diary }: SoakWorld, shop: SoakShop): void {
  const template = random.pick([...strangers(service.templates(shop.clientId, "production")), null]);
  if (!template) return;
  diary.note(template.id, "a stranger's template is deleted");
  service.deleteTemplate(template.id);
}

function strangers(templates: AccountTemplate[]): AccountTemplate[] {
  return templates.filter((template) => String(template["alias_name"]).startsWith(STRANGER));
}

function anyTemplate({ random, service }: SoakWorld, shop: SoakShop): AccountTemplate | undefined {
  return random.pick(service.templates(shop.clientId, "production"));
}

function edit(world: SoakWorld, shop: SoakShop, change: TemplateInput, template = anyTemplate(world, shop)): void {
  if (!template) return;
  const said = JSON.stringify({ ...change, ...change.address_attributes, address_attributes: undefined });
  world.diary.note(template.id, `a person there: ${said}`);
  world.service.editTemplate(template.id, change);
}
