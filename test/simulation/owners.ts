import { ADDRESS_FIELDS } from "../../app/domain/address.ts";
import type { AddressTemplate, LinkRecord } from "../../app/domain/records.ts";
import type { Services } from "../../app/ports.ts";
import { connectAccount } from "../../app/use-cases/connect-account.ts";
import { includeOrigin } from "../../app/use-cases/include-origin.ts";
import { makeAgain } from "../../app/use-cases/make-again.ts";
import { raiseTarget } from "../../app/use-cases/raise-target.ts";
import { removeTemplate } from "../../app/use-cases/remove-template.ts";
import { runNow } from "../../app/use-cases/run-now.ts";
import { saveTemplate } from "../../app/use-cases/save-template.ts";
import { settleDifference } from "../../app/use-cases/settle-difference.ts";
import { welcomeShop } from "../../app/use-cases/welcome-shop.ts";
import { secretOf } from "../fakes/shipping-network.ts";
import type { At, Stage } from "./people.ts";

/** What a shop's owner does in the app. Whoever finds no process that lives goes away again, but for who comes back to a shop. */

const LEAST_AWAY_MS = 5_000;
const LONGEST_AWAY_MS = 60_000;
/** From installing to the app's first page. */
const SIGNS_IN_AFTER_MS = 3_000;
const TRIES_AGAIN_MS = 20_000;
const BY_HAND = "A mano de";

export async function editContact({ random, visit }: Stage, { shop, locationId }: At): Promise<void> {
  const services = visit();
  if (!services) return;
  const raised = await services.store.transaction(async (tables) => {
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
    return raiseTarget(services, tables, { shop, kind: "location", key: locationId });
  });
  if (raised) await runNow(services, { shop, ...raised });
}

/** The owner answers the differences that are shown, and makes again what is gone. */
export async function settle(stage: Stage, at: At): Promise<void> {
  const services = stage.visit();
  if (!services) return;
  const link = await services.store.links.find({ ...at });
  if (!link) return;
  if (link.missingSinceMs !== null) return void (await makeAgain(services, at));
  if (link.differences.length > 0) await chooseFor(stage, { services, link, at });
}

async function chooseFor(
  { random, allowed }: Stage,
  { services, link, at }: { services: Services; link: LinkRecord; at: At },
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

export async function makeByHand({ random, visit, drafts }: Stage, { shop }: At): Promise<void> {
  const services = visit();
  if (!services) return;
  const draftId = `draft-${random.id()}`;
  const alias = `${BY_HAND} ${shop} ${draftId}`;
  drafts.set(draftId, { operation: "create", shop, alias });
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
  const draft = { alias_name: alias, address_type: "from", address_attributes };
  await saveTemplate(services, { shop, draftId, templateId: null, draft, base: null });
}

/** Changes one field in the form, which shows the template as the app last saw it. */
export async function editByHand(stage: Stage, { shop }: At): Promise<void> {
  const { random, account, allowed, drafts } = stage;
  const services = stage.visit();
  const base = services && (await someTemplate(stage, services, shop));
  if (!services || !base) return;
  const draftId = `draft-${random.id()}`;
  const field = random.pick(["reference", "name", "email"] as const);
  const number = random.between(1_000, 9_999);
  const value = field === "email" ? `mano${number}@example.com` : `Mano ${number}`;
  drafts.set(draftId, { operation: "update", shop, templateId: base.id, field, value });
  account.announce(base.id, field, value);
  // Whoever typed it saw what stood there.
  allowed.add(`${base.id} ${field} ${base.address[field]}`);
  const shown = Object.fromEntries(ADDRESS_FIELDS.map((each) => [each, base.address[each]]));
  const { alias_name, address_type } = base;
  const draft = { alias_name, address_type, address_attributes: { ...shown, [field]: value } };
  await saveTemplate(services, { shop, draftId, templateId: base.id, draft, base });
}

/** The location it stood for, if any, is no origin any more. */
export async function deleteByHand(stage: Stage, { shop }: At): Promise<void> {
  const { random, drafts } = stage;
  const services = stage.visit();
  const template = services && (await someTemplate(stage, services, shop));
  if (!services || !template) return;
  const draftId = `draft-${random.id()}`;
  drafts.set(draftId, { operation: "delete", shop, templateId: template.id });
  await removeTemplate(services, { shop, draftId, templateId: template.id });
}

export async function includeAgain({ visit }: Stage, at: At): Promise<void> {
  const services = visit();
  const details = await services?.store.details.find({ ...at });
  if (services && details?.inclusion === "never") await includeOrigin(services, at);
}

/** One of the address book's page. */
async function someTemplate({ random }: Stage, { store }: Services, shop: string): Promise<AddressTemplate | null> {
  const connection = await store.connections.find({ shop, current: true });
  if (!connection) return null;
  const known = await store.templates.list({ shop, connectionId: connection.id }, { orderBy: { templateId: "asc" } });
  return random.pick([...known, null])?.template ?? null;
}

/** A new secret keeps the connection: its version rises, and everything is looked at. */
export async function swapSecret({ visit, away, random }: Stage, { shop }: At): Promise<void> {
  const services = visit();
  if (services && !away.has(shop))
    await connect(services, { shop, clientSecret: secretOf(shop, random.between(2, 99)) });
}

function connect(services: Services, { shop, clientSecret }: { shop: string; clientSecret: string }): Promise<unknown> {
  const stated = { environment: "test" as const, clientId: "client-1", clientSecret, scope: null, redirectUri: null };
  return connectAccount(services, { shop, stated });
}

/** Uninstalls the app, and comes back: a shop that was not noticed to be gone is connected still. */
export function uninstall(stage: Stage, { shop }: At): void {
  const { random, shopify, webhook, after, away } = stage;
  if (away.has(shop)) return;
  away.add(shop);
  shopify.uninstall(shop);
  webhook(shop, "app/uninstalled", null);
  const tryToComeBack = () => {
    void comeBack(stage, shop).catch(() => undefined);
    after(TRIES_AGAIN_MS, () => {
      if (away.has(shop)) tryToComeBack();
    });
  };
  after(random.between(LEAST_AWAY_MS, LONGEST_AWAY_MS), () => {
    shopify.install(shop);
    after(SIGNS_IN_AFTER_MS, tryToComeBack);
  });
}

async function comeBack({ visit, away, shopify }: Stage, shop: string): Promise<void> {
  const services = visit();
  if (!services) return;
  await welcomeShop(services, { shop });
  const isOpen = async () => (await services.store.connections.count({ shop, current: true, state: "active" })) > 0;
  if (!(await isOpen())) await connect(services, { shop, clientSecret: secretOf(shop, 1) });
  // A page that was slow may come when the shop has left once more.
  if ((await isOpen()) && shopify.isInstalled(shop)) away.delete(shop);
}
