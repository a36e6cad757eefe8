import type { TemplateAnswer } from "../../../app/components/address-book/template-intent.ts";
import type { HandDraft, SoakShop, SoakWorld } from "../world.ts";
import { formByHand } from "../../sandbox/play/by-hand.ts";
import * as pages from "../../sandbox/play/pages.ts";

/** What an owner creates, changes and deletes by hand in the app's own address book. */

const BY_HAND = "A mano";
const MOST_BY_HAND = 10;

export async function makeByHand({ random, service, drafts, diary }: SoakWorld, shop: SoakShop): Promise<void> {
  const there = service.templates(shop.clientId, "production");
  if (there.filter(isByHand).length >= MOST_BY_HAND) return;
  const draftId = await pages.newDraftId(shop);
  const alias = `${BY_HAND} ${random.between(1, 999_999)} ${draftId.slice(0, 8)}`;
  const draft: HandDraft = { ...nothing(draftId, shop), operation: "create", alias };
  drafts.set(draftId, draft);
  diary.note(draftId, `${shop.name}: the owner makes "${alias}" by hand`);
  const body = formByHand(alias, `Calle Juárez ${random.between(1, 99_999)}`);
  told(draft, await pages.askNewTemplate(shop, { intent: "save", draftId, draft: body, base: null }));
}

/** Changes one field in the form, which shows the template as the app last read it. */
export async function editByHand(world: SoakWorld, shop: SoakShop): Promise<void> {
  const { random, service, drafts, diary, announced, seenByOwner } = world;
  // A location's address is edited as the location's details.
  const template = random.pick([...service.templates(shop.clientId, "production").filter(isByHand), null]);
  if (!template) return;
  const { view, draftId } = await pages.template(shop, template.id);
  const { base } = view;
  const number = random.between(10_000, 99_999);
  const field = random.pick(["name", "reference", "email", "street1", "apartment_number"] as const);
  const value = field === "email" ? `mano${number}@example.com` : `Mano ${number}`;
  const draft: HandDraft = { ...nothing(draftId, shop), operation: "update", templateId: base.id, field, value };
  drafts.set(draftId, draft);
  announced.add(`${base.id} ${field} ${value}`);
  seenByOwner.add(`${base.id} ${field} ${base.address[field]}`);
  diary.note([draftId, base.id], `${shop.name}: the owner types ${field} "${value}" in the address book`);
  const { tax_id_number: _number, tax_id_type: _type, ...address } = base.address;
  const body = {
    alias_name: base.alias_name,
    address_type: base.address_type,
    default: base.default ?? false,
    address_attributes: { ...address, [field]: value },
  };
  const answer = await pages.askTemplate(shop, base.id, { intent: "save", draftId, draft: body, base });
  told(draft, answer);
  diary.note([draftId, base.id], `the page answers ${JSON.stringify(answer.outcome)}`);
}

/** Sometimes deletes the template of a location, which is no origin afterwards. */
export async function deleteByHand({ random, service, drafts, diary }: SoakWorld, shop: SoakShop): Promise<void> {
  const there = service.templates(shop.clientId, "production");
  const template = random.pick([...there.filter(isByHand), ...(random.chance(0.1) ? there : []), null]);
  if (!template) return;
  const { draftId } = await pages.template(shop, template.id);
  const draft: HandDraft = { ...nothing(draftId, shop), operation: "delete", templateId: template.id };
  drafts.set(draftId, draft);
  diary.note([draftId, template.id], `${shop.name}: the owner deletes the template by hand`);
  told(draft, await pages.askTemplate(shop, template.id, { intent: "delete", draftId }));
}

function told(draft: HandDraft, answer: TemplateAnswer): void {
  draft.told = answer.outcome.kind;
}

function nothing(draftId: string, shop: SoakShop): HandDraft {
  const domain = shop.state.domain;
  return {
    draftId,
    shop: domain,
    operation: "create",
    templateId: null,
    alias: null,
    field: null,
    value: null,
    told: null,
  };
}

function isByHand(template: Record<string, unknown>): boolean {
  return String(template["alias_name"]).startsWith(BY_HAND);
}
