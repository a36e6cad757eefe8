import type { SettingsView, ShopSettings } from "../../../app/views/settings.ts";
import { confirmReviewed } from "../../sandbox/play/mapped-shops.ts";
import * as pages from "../../sandbox/play/pages.ts";
import type { SoakShop, SoakWorld } from "../world.ts";
import { gidOf } from "../world.ts";
import type { Weighted } from "./actions.ts";
import { deleteByHand, editByHand, makeByHand } from "./owners-by-hand.ts";

/** What a shop's owner does in the app's pages. */
export const IN_THE_APP: Weighted = [
  [6, saveDetails],
  [1, saveSettings],
  [12, answerDifferences],
  [2, confirmNewOnes],
  [2, pauseOrResume],
  [1, pressSync],
  [1, pressVerify],
  [2, makeByHand],
  [3, editByHand],
  [1, deleteByHand],
  [2, lookAround],
];

async function saveDetails(world: SoakWorld, shop: SoakShop): Promise<void> {
  const { random, diary, said } = world;
  const id = random.pick([...shop.state.locations.keys()]);
  const { form, exclusion, confirmed } = await pages.origin(shop, id);
  if (exclusion !== null || !confirmed) return;
  const number = random.between(10_000, 99_999);
  const [field, value] = random.pick([
    ["name", `Encargada ${number}`],
    ["company", `Empresa ${number}`],
    ["email", `encargada${number}@example.com`],
    ["phone", `33${random.between(10_000_000, 99_999_999)}`],
    ["rfc", "XAXX010101000"],
    ["reference", `Puerta ${number}`],
    ["apartment_number", `${random.between(1, 40)}`],
    ["company", ""],
    ["phone", ""],
  ] as const);
  const values = { ...form.split, [field]: value };
  const entry = { of: gidOf(id), shop: shop.state.domain, field, value: value || null, saved: false };
  said.push(entry);
  diary.note(gidOf(id), `the owner types ${field} ${JSON.stringify(value)}`);
  const { revision, readFrom } = form;
  const answer = await pages.askOrigin(shop, id, { intent: "save", revision, readFrom, values });
  diary.note(gidOf(id), `the page answers ${JSON.stringify(answer)}`);
  if (answer.kind === "done") entry.saved = true;
  // The save was refused because its form was out of date, so nothing of it may be stored.
  else said.splice(said.indexOf(entry), 1);
}

/** Saves what all origins of a shop share; each such save requests a reconcile of the shop. */
async function saveSettings(world: SoakWorld, shop: SoakShop): Promise<void> {
  const { random, diary, said } = world;
  const { revision, settings } = await pages.settings(shop);
  const number = random.between(10_000, 99_999);
  const { policies, contact } = settings;
  const changes: Partial<ShopSettings>[] = [
    { contact: { ...contact, name: `Tienda ${number}` } },
    { contact: { ...contact, reference: `Portón ${number}` } },
    { contact: { ...contact, email: `tienda${number}@example.com` } },
    { policies: { ...policies, aliasPattern: random.pick(["{name}", "Origen {name}"]) } },
    { policies: { ...policies, onDeactivate: random.pick(["keep", "delete"] as const) } },
    { policies: { ...policies, onDelete: random.pick(["keep", "unlink", "delete"] as const) } },
    { policies: { ...policies, defaultLocationId: gidOf(random.pick([...shop.state.locations.keys()])) } },
    { policies: { ...policies, carriers: random.pick([["fedex"], ["fedex", "dhl"]]) } },
    { policies: { ...policies, verifyAfterChange: !policies.verifyAfterChange } },
  ];
  const change = random.pick(changes);
  const [field, value] = changedField(settings, change);
  const entry = { of: "shop", shop: shop.state.domain, field, value, saved: false };
  said.push(entry);
  diary.note("all", `${shop.name}: the owner sets ${field} to ${value}`);
  const request = { intent: "save" as const, revision, settings: { ...settings, ...change } };
  const { outcome } = await pages.askSettings(shop, request);
  diary.note("all", `${shop.name}: the settings answer ${JSON.stringify(outcome)}`);
  if (outcome.kind === "saved") entry.saved = true;
  else said.splice(said.indexOf(entry), 1);
}

function changedField(before: SettingsView["settings"], change: Partial<ShopSettings>): [string, string | null] {
  const flat = ({ policies, contact }: Partial<ShopSettings>): Record<string, unknown> => ({ ...policies, ...contact });
  const old = flat(before);
  const [field, value] = Object.entries(flat(change)).find(([name, to]) => String(old[name]) !== String(to)) ?? [
    "",
    null,
  ];
  return [field, value === null ? null : String(value)];
}

/** Answers what Home and the list ask for: differences, a template that is gone, which template to adopt. */
async function answerDifferences({ random, diary, seenByOwner }: SoakWorld, shop: SoakShop): Promise<void> {
  const open = (await pages.originRows(shop)).filter(({ state }) => NEEDS_ANSWER.includes(state));
  const row = random.pick([...open, null]);
  if (!row) return;
  const id = Number(row.legacyId);
  const view = await pages.origin(shop, id);
  if (view.missingSinceMs !== null) {
    const again = random.chance(0.8) ? "makeAgain" : "unlink";
    diary.note(view.locationId, `the owner says ${again}`);
    await pages.askOrigin(shop, id, { intent: again });
  } else if (view.reasonCode === "adoption_choice") {
    diary.note(view.locationId, "the owner wants a template of its own");
    await pages.askOrigin(shop, id, { intent: "createAnyway" });
  } else if (view.template && view.differences.length > 0) {
    const { templateId } = view.template;
    const choices = view.differences.map(({ field, theirs }) => ({
      field,
      theirs,
      choice: random.pick(["ours", "theirs"] as const),
    }));
    for (const { field, theirs } of choices) seenByOwner.add(`${templateId} ${field} ${theirs}`);
    diary.note([view.locationId, templateId], `the owner chooses ${JSON.stringify(choices)}`);
    const answer = await pages.askOrigin(shop, id, { intent: "resolve", choices });
    diary.note([view.locationId, templateId], `the page answers ${JSON.stringify(answer)}`);
  }
}

const NEEDS_ANSWER: readonly string[] = ["conflict", "drift", "missing_there", "to_review"];

/** Confirms in Review the locations that opened since. */
async function confirmNewOnes({ diary }: SoakWorld, shop: SoakShop): Promise<void> {
  const confirmed = await confirmReviewed(shop);
  if (confirmed.length > 0) diary.note(confirmed, "the owner confirms it in Review");
}

async function pauseOrResume({ random, diary, pausedSinceMs }: SoakWorld, shop: SoakShop): Promise<void> {
  const domain = shop.state.domain;
  const paused = [...pausedSinceMs.keys()].filter((key) => key.startsWith(`${domain} `));
  const resumes = paused.length >= 2 || (paused.length > 0 && random.chance(0.5));
  const id = resumes ? Number(paused[0]!.split("/").at(-1)) : random.pick([...shop.state.locations.keys()]);
  const key = `${domain} ${gidOf(id)}`;
  diary.note(gidOf(id), `the owner ${resumes ? "resumes" : "pauses"} it`);
  if (resumes) pausedSinceMs.delete(key);
  await pages.askOrigin(shop, id, { intent: resumes ? "resume" : "pause" });
  if (!resumes) pausedSinceMs.set(key, Date.now());
}

async function pressSync({ random, diary }: SoakWorld, shop: SoakShop): Promise<void> {
  const id = random.pick([...shop.state.locations.keys()]);
  diary.note(gidOf(id), "the owner presses Sync");
  await pages.askOrigin(shop, id, { intent: "sync" });
}

async function pressVerify({ random, diary }: SoakWorld, shop: SoakShop): Promise<void> {
  const id = random.pick([...shop.state.locations.keys()]);
  const view = await pages.origin(shop, id);
  if (!view.template) return;
  diary.note(gidOf(id), "the owner asks carriers");
  await pages.askOrigin(shop, id, { intent: "verify", carriers: ["fedex"] });
}

async function lookAround(_world: SoakWorld, shop: SoakShop): Promise<void> {
  await pages.home(shop);
  await pages.book(shop);
}
