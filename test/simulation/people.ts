import type { Clock, Services } from "../../app/ports.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { FakeAccount } from "../fakes/shipping-account.ts";
import type { FakeShopify } from "../fakes/shopify.ts";
import { mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { HandDraft } from "./judge-drafts.ts";
import {
  deleteByHand,
  editByHand,
  editContact,
  includeAgain,
  makeByHand,
  settle,
  swapSecret,
  uninstall,
} from "./owners.ts";
import type { Scenery } from "./scenery.ts";
import { templateOf } from "./scenery.ts";

/** People on both sides: in Shopify's admin, in the service's own pages, and (owners.ts) in the app. */
export interface Stage {
  random: SeededRandom;
  scenery: Scenery;
  shopify: FakeShopify;
  account: FakeAccount;
  nowMs: () => number;
  after: Clock["after"];
  /** Services of a process that lives; null while none does. */
  visit: () => Services | null;
  webhook: (shop: string, topic: string, locationId: string | null) => void;
  /** The owner saw what a person had said there and chose: no overwrite. */
  allowed: Set<string>;
  /** What was asked for by hand in the address book's pages, by draft id. */
  drafts: Map<string, HandDraft>;
  /** Shops that left and are not connected again yet. */
  away: Set<string>;
}

export interface At {
  shop: string;
  locationId: string;
}

type Deed = (stage: Stage, at: At) => void | Promise<void>;

const DEEDS: [weight: number, deed: Deed][] = [
  [10, moveLocation],
  [3, renameLocation],
  [2, leaveOrReturn],
  [6, editTemplate],
  [1, removeTemplate],
  [4, editContact],
  [5, settle],
  [2, makeByHand],
  [4, editByHand],
  [1, deleteByHand],
  [1, includeAgain],
  [1, swapSecret],
  [1, uninstall],
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

function moveLocation({ random, shopify, webhook }: Stage, { shop, locationId }: At): void {
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

function renameLocation({ random, shopify, webhook }: Stage, { shop, locationId }: At): void {
  const known = shopify.known(shop, locationId);
  if (!known) return;
  shopify.put(shop, { ...known, name: `Bodega ${random.between(100, 999)}` });
  webhook(shop, "locations/update", locationId);
}

function leaveOrReturn({ random, shopify, webhook }: Stage, { shop, locationId }: At): void {
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

function editTemplate({ random, account, nowMs }: Stage, { shop, locationId }: At): void {
  const own = templateOf(account, shop, locationId);
  // Now and then one that stands for no location, or was made by hand just now.
  const templateId = random.chance(0.2) ? (random.pick([...account.templates.values(), null])?.id ?? null) : own;
  if (!templateId) return;
  const fields = ["reference", "email", "street_number", "phone", "alias_name"] as const;
  const field = random.pick(templateId === own ? fields : fields.slice(0, 4));
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

function removeTemplate({ account }: Stage, { shop, locationId }: At): void {
  const templateId = templateOf(account, shop, locationId);
  if (templateId) account.byPerson.remove(templateId);
}
