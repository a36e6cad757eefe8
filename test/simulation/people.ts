import type { Services } from "../../app/ports.ts";
import type { LinkRecord } from "../../app/domain/records.ts";
import { makeAgain } from "../../app/use-cases/make-again.ts";
import { raiseTarget } from "../../app/use-cases/raise-target.ts";
import { runNow } from "../../app/use-cases/run-now.ts";
import { settleDifference } from "../../app/use-cases/settle-difference.ts";
import { submitDraft } from "../../app/use-cases/submit-draft.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { FakeAccount } from "../fakes/shipping-account.ts";
import type { FakeShopify } from "../fakes/shopify.ts";
import { mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { Scenery } from "./scenery.ts";
import { templateOf } from "./scenery.ts";

/** People on both sides: in Shopify's admin, in the service's own pages, and in the app. */
export interface Stage {
  random: SeededRandom;
  scenery: Scenery;
  shopify: FakeShopify;
  account: FakeAccount;
  nowMs: () => number;
  /** Services of a process that lives; null while none does. */
  visit: () => Services | null;
  webhook: (shop: string, topic: string, locationId: string) => void;
  /** The owner saw what a person had said there and chose: no overwrite. */
  allowed: Set<string>;
  /** Hand-made templates, by draft id. */
  drafts: Map<string, { alias: string; shop: string }>;
}

type Deed = (stage: Stage, at: { shop: string; locationId: string }) => void | Promise<void>;

const DEEDS: [weight: number, deed: Deed][] = [
  [10, moveLocation],
  [3, renameLocation],
  [2, leaveOrReturn],
  [6, editTemplate],
  [1, removeTemplate],
  [4, editContact],
  [5, settle],
  [2, makeByHand],
  [1, swapSecret],
];

/** Gives what was done, in words. */
export function doSomething(stage: Stage): string {
  const { random, scenery } = stage;
  const { shop, locationIds } = random.pick(scenery.shops);
  const at = { shop, locationId: random.pick(locationIds) };
  const total = DEEDS.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  const [, deed] = DEEDS.find(([weight]) => (left -= weight) < 0) ?? DEEDS[0]!;
  // Whatever the app answers, and if it never does: the judge looks at what is stored.
  void Promise.resolve(deed(stage, at)).catch(() => undefined);
  return `${deed.name} ${shop} ${at.locationId}`;
}

function moveLocation(
  { random, shopify, webhook }: Stage,
  { shop, locationId }: { shop: string; locationId: string },
): void {
  const known = shopify.known(shop, locationId);
  if (!known) return;
  const { address } = known;
  const moved = mexicanAddress({
    street: random.pick(["Avenida Vallarta", "Calle Morelos", "Avenida Hidalgo"]),
    number: String(random.between(1, 999)),
    phone: random.chance(0.3) ? `+5233${random.between(10_000_000, 99_999_999)}` : (address.phone ?? ""),
  });
  shopify.put(shop, { ...known, address: random.chance(0.3) ? { ...address, phone: moved.phone } : moved });
  webhook(shop, "locations/update", locationId);
}

function renameLocation(
  { random, shopify, webhook }: Stage,
  { shop, locationId }: { shop: string; locationId: string },
): void {
  const known = shopify.known(shop, locationId);
  if (!known) return;
  shopify.put(shop, { ...known, name: `Bodega ${random.between(100, 999)}` });
  webhook(shop, "locations/update", locationId);
}

function leaveOrReturn(
  { random, shopify, webhook }: Stage,
  { shop, locationId }: { shop: string; locationId: string },
): void {
  const known = shopify.known(shop, locationId);
  if (!known) {
    shopify.put(shop, shopifyLocation(Number(locationId.split("/").at(-1))));
    return webhook(shop, "locations/create", locationId);
  }
  if (random.chance(0.3)) {
    shopify.remove(shop, locationId);
    return webhook(shop, "locations/delete", locationId);
  }
  shopify.put(shop, { ...known, isActive: !known.isActive });
  webhook(shop, known.isActive ? "locations/deactivate" : "locations/activate", locationId);
  webhook(shop, "locations/update", locationId);
}

function editTemplate(
  { random, account, nowMs }: Stage,
  { shop, locationId }: { shop: string; locationId: string },
): void {
  const templateId = templateOf(account, shop, locationId);
  if (!templateId) return;
  const field = random.pick(["reference", "email", "street_number", "phone", "alias_name"] as const);
  const value =
    field === "alias_name"
      ? `Suya ${random.between(1, 99)} ${markerTail(account, templateId)}`
      : editedValue(random, field);
  account.byPerson.edit(templateId, field, value, nowMs());
}

function editedValue(random: SeededRandom, field: "reference" | "email" | "street_number" | "phone"): string {
  const number = random.between(1_000, 9_999);
  if (field === "email") return `persona${number}@example.com`;
  return field === "phone" ? `555${number}${number}`.slice(0, 10) : `Persona ${number}`;
}

function markerTail(account: FakeAccount, templateId: string): string {
  return account.templates.get(templateId)!.alias_name.match(/\[OR-.*\]/)?.[0] ?? "";
}

function removeTemplate({ account }: Stage, { shop, locationId }: { shop: string; locationId: string }): void {
  const templateId = templateOf(account, shop, locationId);
  if (templateId) account.byPerson.remove(templateId);
}

async function editContact(
  { random, visit }: Stage,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<void> {
  const services = visit();
  if (!services) return;
  const { store } = services;
  const raised = await store.transaction(async (tables) => {
    const details = await tables.details.find({ shop, locationId });
    if (!details) return null;
    const contact = {
      ...details.contact,
      name: `Persona ${random.between(1, 99)}`,
      reference: `Puerta ${random.between(1, 99)}`,
    };
    await tables.details.update(
      { shop, locationId, revision: details.revision },
      { contact, revision: details.revision + 1 },
    );
    return raiseTarget(services, tables, {
      shop,
      kind: "location",
      key: locationId,
    });
  });
  if (raised) await runNow(services, { shop, ...raised });
}

/** The owner answers the differences that are shown, and makes again what is gone. */
async function settle(stage: Stage, at: { shop: string; locationId: string }): Promise<void> {
  const services = stage.visit();
  if (!services) return;
  const link = await services.store.links.find(at);
  if (!link) return;
  if (link.missingSinceMs !== null) return void (await makeAgain(services, at));
  if (link.differences.length > 0) await chooseFor(stage, { services, link, at });
}

async function chooseFor(
  { random, allowed }: Stage,
  { services, link, at }: { services: Services; link: LinkRecord; at: { shop: string; locationId: string } },
): Promise<void> {
  const choices = link.differences.map(({ field, theirs }) => ({
    field,
    theirs,
    choice: random.pick(["ours", "theirs"] as const),
  }));
  // Theirs, too, holds only until our side changes: the owner has seen it.
  for (const { field, theirs } of choices) allowed.add(`${link.templateId} ${field} ${theirs}`);
  await settleDifference(services, { ...at, choices });
}

async function makeByHand({ random, visit, drafts }: Stage, { shop }: { shop: string }): Promise<void> {
  const services = visit();
  if (!services) return;
  const draftId = `draft-${random.id()}`;
  const alias = `A mano ${draftId}`;
  drafts.set(draftId, { alias, shop });
  const address_attributes = {
    name: "Ana",
    street1: "Calle Juárez",
    street_number: "5",
    postal_code: "20000",
    country_code: "MX",
  };
  const stated = { shop, draftId, operation: "create" as const, templateId: null, base: null };
  const raised = await submitDraft(services, {
    ...stated,
    draft: { alias_name: alias, address_type: "from", address_attributes },
  });
  await runNow(services, { shop, ...raised });
}

/** A new secret keeps the connection: its version rises, and everything is looked at. */
async function swapSecret({ visit }: Stage, { shop }: { shop: string }): Promise<void> {
  const services = visit();
  if (!services) return;
  await services.store.transaction(async (tables) => {
    const connection = await tables.connections.find({ shop, current: true });
    if (!connection) return;
    await tables.connections.update({ id: connection.id }, { version: connection.version + 1 });
    await raiseTarget(services, tables, { shop, kind: "reconcile", key: "shop" });
  });
  services.wake();
}
