import type { SeededRandom } from "../../fakes/random.ts";
import { secretOf } from "../../fakes/shipping/tokens.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import { accountOf, connectionOf, templateOf } from "./stage.ts";
import type { Action, Stage } from "./stage.ts";

/** What people do in the service's own pages. */

const FIELDS = ["reference", "email", "street_number", "phone"] as const;

export const editTemplate: Action = (stage, at) => {
  const { random, nowMs } = stage;
  const account = accountOf(stage, at.shop);
  const own = templateOf(stage, at);
  // Sometimes a template that stands for no location, or was just made by hand.
  const templateId = random.chance(0.2) ? someTemplate(random, account) : own;
  if (!account || !templateId || !account.templates.has(templateId)) return false;
  const field = random.pick(templateId === own ? ([...FIELDS, "alias_name"] as const) : FIELDS);
  const value =
    field === "alias_name"
      ? `Suya ${random.between(1, 99)} ${markerTail(account, templateId)}`
      : editedValue(random, field);
  account.byPerson.edit(templateId, field, value, nowMs());
  return true;
};

/** Labels leave from a template of type `from`; somebody changes it to `to`. */
export const changeKind: Action = (stage, at) => {
  const account = accountOf(stage, at.shop);
  const templateId = templateOf(stage, at);
  if (!account || !templateId || !account.templates.has(templateId)) return false;
  account.byPerson.edit(templateId, "address_type", "to", stage.nowMs());
  return true;
};

export const removeTemplate: Action = (stage, at) => {
  const account = accountOf(stage, at.shop);
  const templateId = templateOf(stage, at);
  if (!account || !templateId || !account.templates.has(templateId)) return false;
  account.byPerson.remove(templateId);
  return true;
};

/** A new secret at the service. The old one is refused from now on, and the owner learns of it sooner or later. */
export const rotateSecret: Action = (stage, { shop }) => {
  const { known, tokens, tally } = stage;
  const connection = connectionOf(stage, shop);
  const secret = connection?.clientSecret?.reveal();
  if (!secret || connection?.state !== "active" || known.away.has(shop)) return false;
  known.revoked.add(secret);
  tokens.expireAll();
  tally.count("service: tokens revoked");
  return true;
};

/** Whoever takes the run over has read the template by then. */
const BEFORE_IT_WAKES_MS = { least: 20, most: 4_000 };

/**
 * A process has stopped before it asks for a template. Shortly before it goes on, somebody changes that template: it is told of that when its
 * lease has passed to another process, which read the template before.
 */
export function changeBeforeItWakes(
  stage: Stage,
  { random, shop, templateId, lastsMs }: { random: SeededRandom; shop: string; templateId: string; lastsMs: number },
): void {
  const { after, nowMs, scenery, tally, timeline } = stage;
  after(lastsMs - random.between(BEFORE_IT_WAKES_MS.least, BEFORE_IT_WAKES_MS.most), () => {
    // In the calm a restart's look at everything is over.
    if (nowMs() >= scenery.weather.endsAtMs && scenery.tail !== "quiet") return;
    const account = accountOf(stage, shop);
    if (!account?.templates.has(templateId)) return;
    const field = random.pick(FIELDS);
    const value = editedValue(random, field);
    tally.count("service: a template changes before a process wakes");
    timeline.tell("stranger", () => `somebody says ${field}: ${value} in ${templateId}`);
    account.byPerson.edit(templateId, field, value, nowMs());
  });
}

/** Strangers' templates are added and deleted while the book is read. */
export function comeOrGo({ random, accounts, scenery, nowMs }: Stage): string {
  const { clientId } = random.pick(scenery.shops);
  const account = accounts.of(clientId, "production")!;
  const strangers = [...account.templates.values()].filter(({ alias_name }) => alias_name.startsWith(STRANGER));
  const leaving = strangers.length > 15 && random.chance(0.6) ? random.pick(strangers) : null;
  if (leaving) {
    account.byPerson.remove(leaving.id);
    return `a stranger deletes ${leaving.id}`;
  }
  return `a stranger adds ${addStranger(account, nowMs() % 1_000_000).id}`;
}

/** One of the oldest strangers' templates goes and another comes: the rows in between move up by one. */
export function shift(account: FakeAccount, number: number): string | null {
  const oldest = [...account.templates.values()].find(({ alias_name }) => alias_name.startsWith(STRANGER));
  if (!oldest) return null;
  account.byPerson.remove(oldest.id);
  return `a stranger deletes ${oldest.id} and adds ${addStranger(account, number).id}`;
}

const STRANGER = "Proveedor";

export function addStranger(account: FakeAccount, number: number) {
  return account.byPerson.add({
    alias_name: `${STRANGER} ${number}`,
    address_type: "from",
    address_attributes: {
      name: `${STRANGER} ${number}`,
      street1: "Calle Hidalgo",
      street_number: String(number),
      postal_code: "20000",
      area_level1: "Aguascalientes",
      area_level2: "Aguascalientes",
      area_level3: "Centro",
      country_code: "MX",
      phone: "4491234567",
      email: "ventas@proveedor.example",
      reference: "Puerta azul",
    },
  });
}

function someTemplate(random: SeededRandom, account: FakeAccount | null): string | null {
  return random.pick([...(account?.templates.keys() ?? []), null]);
}

function editedValue(random: SeededRandom, field: (typeof FIELDS)[number]): string {
  const number = random.between(1_000, 9_999);
  if (field === "email") return `persona${number}@example.com`;
  return field === "phone" ? `555${number}${number}`.slice(0, 10) : `Persona ${number}`;
}

function markerTail(account: FakeAccount, templateId: string): string {
  return account.templates.get(templateId)!.alias_name.match(/\[OR-.*\]/)?.[0] ?? "";
}

/** The secret that a shop's owner will type next. */
export function nextSecret(stage: Stage, shop: string): string {
  return secretOf(shop, stage.random.between(2, 9_999));
}
