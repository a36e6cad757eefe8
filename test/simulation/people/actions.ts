import * as addressBook from "./address-book.ts";
import * as connections from "./connections.ts";
import * as inService from "./in-service.ts";
import * as inShopify from "./in-shopify.ts";
import * as installs from "./installs.ts";
import * as jobs from "./jobs.ts";
import * as origins from "./origins.ts";
import { saveContact, useFlowTrigger } from "./settings.ts";
import type { At, Action, Stage } from "./stage.ts";

/** Every action of people, with its weight. */
const ACTIONS: Record<string, [weight: number, action: Action]> = {
  moveLocation: [10, inShopify.moveLocation],
  renameLocation: [3, inShopify.renameLocation],
  leaveOrReturn: [2, inShopify.leaveOrReturn],
  leaveForAMoment: [1.5, inShopify.leaveForAMoment],
  freezeShop: [0.4, inShopify.freezeShop],
  editTemplate: [6, inService.editTemplate],
  changeKind: [0.7, inService.changeKind],
  removeTemplate: [1, inService.removeTemplate],
  rotateSecret: [0.4, inService.rotateSecret],
  editContact: [4, origins.editContact],
  resolve: [5, origins.resolve],
  includeAgain: [2, origins.includeAgain],
  exclude: [0.6, origins.exclude],
  pauseOrResume: [1.2, origins.pauseOrResume],
  unlink: [0.6, origins.unlink],
  link: [1.5, origins.link],
  useTrigger: [0.8, useFlowTrigger],
  syncNow: [1, origins.syncNow],
  askCarriers: [1.5, origins.askCarriers],
  makeByHand: [2, addressBook.makeByHand],
  editByHand: [4, addressBook.editByHand],
  deleteByHand: [1, addressBook.deleteByHand],
  openAddressBook: [1, addressBook.openAddressBook],
  review: [1.5, jobs.review],
  syncAll: [1, jobs.syncAll],
  verifyAll: [0.7, jobs.verifyAll],
  swapSecret: [1, connections.swapSecret],
  takeOver: [0.7, connections.takeOver],
  changeAccount: [0.4, connections.changeAccount],
  changeEnvironment: [0.3, connections.changeEnvironment],
  disconnect: [0.5, connections.disconnect],
  pressRefresh: [0.7, connections.pressRefresh],
  uninstall: [1.2, installs.uninstall],
  forgeRedact: [0.3, installs.forgeRedact],
  loseSession: [0.5, installs.loseSession],
};

const IN_SHOPIFY = ["moveLocation", "renameLocation"];

const CLOSES_AFTER_MS = 10_000;

export const ACT_KINDS = [
  ...Object.keys(ACTIONS),
  "cancelJob",
  "answerAccount",
  "switchEnvironment",
  "reconnect",
  "reinstall",
  "comeOrGo",
  "saveContact",
  "pauseAndClose",
].map((name) => `act: ${name}`);

/** Does one action, chosen by weight. */
export function doSomething(stage: Stage): void {
  act(stage, drawn(stage, Object.keys(ACTIONS)), somewhere(stage));
}

const NOT_SHOWN_YET = ["moveLocation", "moveLocation", "renameLocation", "leaveForAMoment", "leaveOrReturn"];

/** A change of this location, while Shopify's answers stand still. */
export function changeUnseen(stage: Stage, at: At): void {
  act(stage, stage.random.pick(NOT_SHOWN_YET), at);
}

/** A change in Shopify's admin. */
export function changeSomething(stage: Stage): void {
  act(stage, drawn(stage, IN_SHOPIFY), somewhere(stage));
}

/** A form that makes a template. */
export function sendForm(stage: Stage): void {
  act(stage, "makeByHand", somewhere(stage));
}

/** Links another template to a location whose create is unclear, as an owner does who does not wait. */
export function linkInstead(stage: Stage): void {
  for (const { shop, operation, locationId } of [...stage.database.rows("pendingWrites")])
    if (operation === "create" && locationId !== null) act(stage, "link", { shop, locationId });
}

/** Saves the shop's contact in Settings, and then looks at the list of origins. */
export async function saveInSettings(stage: Stage, looks: () => Promise<void>): Promise<void> {
  const { tally, timeline, scenery } = stage;
  const [{ shop }] = scenery.shops as [(typeof scenery.shops)[number]];
  timeline.tell("owner", () => `saveContact (${shop})`);
  const saved = await saveContact(stage, shop).catch(() => false);
  if (saved) tally.count("act: saveContact");
  else timeline.tell("owner", () => "saveContact: nothing is saved");
  await looks();
}

/** An owner pauses a location that is about to close: the rule for such locations must leave its template alone. */
export async function pauseAndClose(stage: Stage, at: At): Promise<void> {
  const { tally, timeline, after } = stage;
  timeline.tell("owner", () => `pauseAndClose (${at.shop}, ${at.locationId})`);
  const details = await stage.visit()?.store.details.find(at);
  if (!details?.paused && !(await origins.pauseOrResume(stage, at))) return;
  after(CLOSES_AFTER_MS, () => void (inShopify.leave(stage, at) && tally.count("act: pauseAndClose")));
}

function somewhere({ random, scenery }: Stage): At {
  const { shop, locationIds } = random.pick(scenery.shops);
  return { shop, locationId: random.pick(locationIds) };
}

function drawn({ random }: Stage, names: string[]): string {
  const total = names.reduce((sum, name) => sum + ACTIONS[name]![0], 0);
  let left = random.next() * total;
  return names.find((name) => (left -= ACTIONS[name]![0]) < 0) ?? names[0]!;
}

/** Does an action. The app's answer is ignored, because the oracle judges by what is stored. */
function act(stage: Stage, name: string, at: At): void {
  const { tally, timeline } = stage;
  timeline.tell("owner", () => `${name} (${at.shop}, ${at.locationId})`);
  const done = new Promise<boolean>((resolve) => resolve(ACTIONS[name]![1](stage, at)));
  void done.then(
    (isDone) => {
      if (isDone) tally.count(`act: ${name}`);
      else timeline.tell("owner", () => `${name}: nothing to do`);
    },
    () => undefined,
  );
}
