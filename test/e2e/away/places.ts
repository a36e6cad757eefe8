import type { Frame, Locator, Page } from "playwright-core";
import type { OriginIntent } from "../../../app/components/origin/origin-intent.ts";
import type { ReviewIntent } from "../../../app/components/review/review-intent.ts";
import type { SettingsRequest } from "../../../app/components/settings/settings-actions.ts";
import type { TemplateIntent } from "../../../app/components/address-book/template-intent.ts";
import { SUPPLIER } from "../../fakes/by-hand.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { say } from "../dialogs.ts";
import type { PageLanguage } from "../dialogs.ts";
import { ANSWERS } from "../setup/setup-stage.ts";
import type { AwayStage } from "./away-stage.ts";

/**
 * Every page and every form of the app: what is typed in it, what sends it, and how one sees that it came.
 *
 * Long, because they stand in one table.
 */

export interface Place {
  /** Another store than the one with the work done. */
  store?: string;
  /** Makes what it is about. */
  ready?(): Promise<void>;
  path(): string;
  /** Opens the dialog that it stands in. */
  open?(app: Frame): Promise<void>;
  /** What is typed, by field. */
  typed?(app: Frame): { field: Locator; text: string }[];
  /** The form's button; null where nothing is sent. */
  press: ((app: Frame, page: Page) => Locator) | null;
  /** Whether the app has what was sent. */
  isDone?(): Promise<boolean> | boolean;
}

export type PlaceName =
  | "home"
  | "origins"
  | "help"
  | "activity"
  | "an origin"
  | "an origin's button"
  | "a pause"
  | "a choice"
  | "carriers"
  | "linking"
  | "unlinking"
  | "deleting"
  | "many origins"
  | "review"
  | "address book"
  | "new address"
  | "address"
  | "an address's deletion"
  | "settings"
  | "a new secret"
  | "first steps: connect"
  | "first steps: confirm";

type SentFrom = PlaceName | { as: PlaceName };

/** From which place each command of the app is sent. One `as` another stands beside it, is one button, and is sent by the same code. */
export const SENT_FROM = {
  origin: {
    save: "an origin",
    sync: "an origin's button",
    pause: "a pause",
    resume: { as: "a pause" },
    include: { as: "a pause" },
    makeAgain: { as: "a pause" },
    createAnyway: { as: "a pause" },
    refresh: { as: "an origin's button" },
    link: "linking",
    unlink: "unlinking",
    delete: "deleting",
    resolve: "a choice",
    verify: "carriers",
  } satisfies Record<OriginIntent["intent"], SentFrom>,
  review: {
    confirm: "review",
    exclude: { as: "review" },
    includeAgain: { as: "review" },
  } satisfies Record<ReviewIntent["intent"], SentFrom>,
  settings: {
    save: "settings",
    connect: "a new secret",
    test: { as: "a new secret" },
    disconnect: { as: "a new secret" },
    introspect: { as: "a new secret" },
    confirm_account: { as: "a new secret" },
    switch_environment: { as: "a new secret" },
  } satisfies Record<SettingsRequest["intent"], SentFrom>,
  template: {
    save: "address",
    delete: "an address's deletion",
    verify: { as: "carriers" },
    refresh: { as: "address book" },
  } satisfies Record<TemplateIntent["intent"], SentFrom>,
};

/** @param added tells what this run makes from what others made. */
export function placesIn(stage: AwayStage, language: PageLanguage, added: string): Record<PlaceName, Place> {
  const { shop, templates, idOf } = stage;
  const words = (key: string) => say(language, key);
  const field = (app: Frame, name: string) => app.getByLabel(words(`common:fields.${name}`), { exact: true });
  const button = (key: string) => (app: Frame) => app.getByRole("button", { name: words(key), exact: true });
  // What opens a dialog may have the same name.
  const inDialog = (key: string) => (app: Frame) =>
    app.getByRole("dialog").getByRole("button", { name: words(key), exact: true });
  const bar = (_app: Frame, page: Page) => page.getByRole("button", { name: words("common:save"), exact: true });
  // Other locations' names do not hold the one that Review is asked for.
  const run = added.split(" ").at(-1)!;
  const alias = `Proveedor ${added}`;
  const reference = `Junto al kiosco ${added}`;
  const supplier: Record<string, string> = { alias_name: alias, ...SUPPLIER.address_attributes } as never;
  const asked = Object.keys(supplier).filter((name) => name !== "country_code");
  const origin = (name: string) => ({ path: () => `/app/origins/${idOf(name)}` });
  const viewOf = (name: string) => pages.origin(shop, idOf(name));
  const says = (text: string) => JSON.stringify(templates()).includes(text);
  /** A narrow window keeps some of a page's actions in a menu. */
  const openBy = (key: string) => async (app: Frame) => {
    const opener = button(key)(app).last();
    const more = app.getByRole("button", { name: MORE[language] });
    // The page measures first which of its actions have room.
    await opener.or(more).first().waitFor();
    if (!(await opener.isVisible())) await more.click();
    await opener.click();
  };
  const makeByHand = (name: string) =>
    stage.sandbox.shipping!.createTemplate(shop.clientId, { ...SUPPLIER, alias_name: name } as never);
  const byHand = (name: string) => `/app/address-book/${templates().find((one) => one.alias_name === name)!.id}`;
  const { connects, confirms } = stage.newStores[language];
  return {
    home: { path: () => "/app", press: null },
    origins: { path: () => "/app/origins", press: null },
    help: { path: () => "/app/help", press: null },
    activity: { path: () => "/app/activity", press: null },
    "an origin": {
      ...origin("Centro"),
      open: async (app) => {
        const edit = button("origin:form.editLong")(app);
        if (await edit.isVisible()) await edit.click();
      },
      typed: (app) => [{ field: field(app, "reference"), text: reference }],
      press: bar,
      isDone: () => says(reference),
    },
    "an origin's button": { ...origin("Oriente"), press: button("origin:sync") },
    "a pause": {
      ...origin(`Ribera ${run}`),
      ready: () => stage.mapped(`Ribera ${run}`),
      press: button("origin:pause"),
      isDone: async () => (await viewOf(`Ribera ${run}`)).paused,
    },
    "a choice": {
      ...origin(`Lomas ${run}`),
      ready: () => stage.changedThere(`Lomas ${run}`),
      press: (app) => app.getByRole("button", { name: words("origin:differences.useTheirs") }).first(),
      isDone: async () => (await viewOf(`Lomas ${run}`)).differences.length === 0,
    },
    carriers: {
      ...origin("Oriente"),
      open: openBy("origin:verification.choose"),
      typed: (app) => [
        { field: app.getByLabel(words("origin:verification.dialog.other"), { exact: true }), text: `Flecha ${run}` },
      ],
      press: button("origin:verification.dialog.action"),
      isDone: async () => (await viewOf("Oriente")).standings.some(({ carrier }) => carrier.includes("flecha")),
    },
    linking: {
      ...origin(`Puerto ${run}`),
      async ready() {
        makeByHand(`Libre ${run}`);
        await stage.refreshed();
        await stage.toReview(`Puerto ${run}`);
      },
      async open(app) {
        await openBy("origin:linkExisting")(app);
        await app
          .getByRole("button", { name: words("origin:link.chooseNamed").replace("{alias}", `Libre ${run}`) })
          .click();
        await app
          .getByRole("dialog")
          .getByRole("heading", { name: `Libre ${run}` })
          .waitFor();
      },
      press: button("origin:link.link"),
      isDone: async () => (await viewOf(`Puerto ${run}`)).template !== null,
    },
    unlinking: {
      ...origin(`Sur ${run}`),
      ready: () => stage.mapped(`Sur ${run}`),
      open: openBy("origin:unlink"),
      press: inDialog("origin:unlink"),
      isDone: async () => (await viewOf(`Sur ${run}`)).template === null,
    },
    deleting: {
      ...origin(`Valle ${run}`),
      ready: () => stage.mapped(`Valle ${run}`),
      open: openBy("origin:delete.open"),
      press: button("origin:delete.action"),
      isDone: () => !says(`Valle ${run}`),
    },
    "many origins": {
      path: () => `/app/origins?q=${encodeURIComponent("Centro")}`,
      async open(app) {
        const row = app.locator("tbody").getByRole("checkbox").first();
        if (!(await row.isChecked())) await row.click();
        await button("origins:bulk.sync")(app).last().click();
      },
      press: inDialog("origins:bulk.sync"),
      isDone: async () => (await stage.origins()).job !== null,
    },
    review: {
      path: () => "/app/review",
      ready: () => stage.toReview(added),
      typed: (app) => [
        {
          field: app.getByRole("textbox", { name: new RegExp(`${words("common:fields.area_level3")}.*${added}`) }),
          text: `Moderna ${added}`,
        },
      ],
      press: (app) => app.getByRole("button", { name: /^(Confirmar|Confirm)/ }).first(),
      isDone: () => says(`Moderna ${added}`),
    },
    "address book": { path: () => "/app/address-book", press: button("addressBook:refresh") },
    "new address": {
      path: () => "/app/address-book/new",
      typed: (app) => asked.map((name) => ({ field: field(app, name), text: supplier[name]! })),
      press: button("addressBook:new.save"),
      isDone: () => templates().filter(({ alias_name }) => alias_name === alias).length === 1,
    },
    address: {
      async ready() {
        makeByHand(`Esquina ${run}`);
        await stage.refreshed();
      },
      path: () => byHand(`Esquina ${run}`),
      typed: (app) => [{ field: field(app, "company"), text: `Copal ${added}` }],
      press: bar,
      isDone: () => says(`Copal ${added}`),
    },
    "an address's deletion": {
      async ready() {
        makeByHand(`Antes ${run}`);
        await stage.refreshed();
      },
      path: () => byHand(`Antes ${run}`),
      open: openBy("addressBook:delete"),
      press: button("origin:delete.action"),
      isDone: () => !says(`Antes ${run}`),
    },
    settings: {
      path: () => "/app/settings",
      typed: (app) => [{ field: field(app, "company"), text: `Bodegas ${added}` }],
      press: bar,
      isDone: async () => (await pages.settings(shop)).settings.contact.company === `Bodegas ${added}`,
    },
    "a new secret": {
      path: () => "/app/settings",
      open: openBy("settings:connection.changeSecret"),
      typed: (app) => [
        {
          field: app.getByLabel(words("settings:connection.clientSecret"), { exact: true }),
          text: shop.clientSecret,
        },
      ],
      press: button("settings:connection.swap"),
    },
    "first steps: connect": {
      store: connects.handle,
      ready: () => stage.opened(connects),
      path: () => "/app",
      typed: (app) => [
        { field: app.getByLabel(words("settings:connection.clientId"), { exact: true }), text: connects.clientId },
        {
          field: app.getByLabel(words("settings:connection.clientSecret"), { exact: true }),
          text: connects.clientSecret,
        },
      ],
      press: button("settings:connection.connect"),
      isDone: async () => (await pages.home(connects)).connection.health === "ready",
    },
    "first steps: confirm": {
      store: confirms.handle,
      ready: () => stage.connected(confirms),
      path: () => "/app",
      // The e-mail is Shopify's, the reference the location's own.
      typed: (app) => [
        { field: field(app, "name"), text: ANSWERS["common:fields.name"]! },
        {
          field: app.getByLabel(new RegExp(`^${words("common:fields.reference")}, `)),
          text: ANSWERS["common:fields.reference"]!,
        },
      ],
      press: button("home:setup.confirm.confirmOne"),
      isDone: async () => (await pages.home(confirms)).setup?.counts.confirmed === 1,
    },
  };
}

const MORE = { es: "Más acciones", en: "More actions" } as const;
