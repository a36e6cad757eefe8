import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame, Locator, Page } from "playwright-core";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { makeNextRelease } from "../sandbox/next-release.ts";
import { mapShops } from "../sandbox/play/mapped-shops.ts";
import type { PlayedShop } from "../sandbox/play/mapped-shops.ts";
import { ONE_ADDRESS, startOneShop } from "../sandbox/play/one-shop.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { findBrowser, keepScreenshot, launchBrowser, takenOver, visit } from "./browser.ts";
import type { Visit } from "./browser.ts";
import { say } from "./dialogs.ts";
import type { PageLanguage } from "./dialogs.ts";
import { IS_WHOLE, LANGUAGES } from "../whole.ts";

/**
 * The app is killed under every open page and form. Each stays as it is, keeps what was typed, and goes on when the app is back. A short run
 * looks at four of them and leaves the app away for five seconds, in Spanish; the long form for a minute, and in English too.
 *
 * Long, because every page and form of the app stands in one table.
 */

const executable = findBrowser();

/** An address that stands for no location. */
const BY_HAND = "Paquetería de la esquina";

const AWAY_MS = process.env.WHOLE === "1" ? 60_000 : 5_000;
/** A page that only shows, one with a save bar, one with rows and one whose form makes something. */
const SHORT = ["home", "an origin", "review", "new address"];
/** What the browser itself says of answers that did not come, and of scripts. */
const NO_ANSWER = /status of 50[02]|net::ERR_/;

interface Place {
  path(): string;
  /** What is typed, by field. */
  typed?: (app: Frame) => { field: Locator; text: string }[];
  /** The form's button; null where nothing is sent. */
  press: ((app: Frame, page: Page) => Locator) | null;
  /** Whether the app has what was sent. */
  isDone?(): Promise<boolean> | boolean;
}

describe.skipIf(!executable)("while the app is away", () => {
  let sandbox: Sandbox;
  let shop: PlayedShop;
  let browser: Browser;
  let ids: Record<string, number>;

  beforeAll(async () => {
    ({ sandbox, shop } = await startOneShop(["Centro", "Oriente"], {}));
    sandbox.shipping!.createTemplate(shop.clientId, { ...SUPPLIER, alias_name: BY_HAND } as never);
    await mapShops([shop]);
    ids = Object.fromEntries([...shop.state.locations.values()].map((one) => [one.name, one.id]));
    browser = await launchBrowser(executable!);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  afterEach(async () => {
    // A page that is left open by a failure would go on asking.
    for (const context of browser.contexts()) await context.close();
    if (!sandbox.app.running()) await sandbox.app.start();
  });

  const templates = () => sandbox.shipping!.templates(shop.clientId, "production");

  /** One more location, which waits for its colonia in Review. */
  async function toReview(name: string): Promise<void> {
    sandbox.admin.locations.create(shop.state, { name, address: { ...ONE_ADDRESS, address2: null } });
    await until({
      what: "The new location in Review",
      read: async () => (await pages.review(shop)).rows.map((row) => row.name),
      holds: (names) => names.includes(name),
      withinMs: 30_000,
    });
  }

  function placesIn(language: PageLanguage, added: string): Record<string, Place> {
    const words = (key: string) => say(language, key);
    const field = (app: Frame, name: string) => app.getByLabel(words(`common:fields.${name}`), { exact: true });
    const button = (key: string) => (app: Frame) => app.getByRole("button", { name: words(key), exact: true });
    const bar = (_app: Frame, page: Page) => page.getByRole("button", { name: words("common:save"), exact: true });
    const alias = `Proveedor ${added}`;
    const reference = `Junto al kiosco ${added}`;
    const supplier: Record<string, string> = { alias_name: alias, ...SUPPLIER.address_attributes } as never;
    const asked = Object.keys(supplier).filter((name) => name !== "country_code");
    return {
      home: { path: () => "/app", press: null },
      origins: {
        path: () => "/app/origins",
        typed: () => [],
        press: null,
      },
      "an origin": {
        path: () => `/app/origins/${ids.Centro}`,
        typed: (app) => [{ field: field(app, "reference"), text: reference }],
        press: bar,
        isDone: () => JSON.stringify(templates()).includes(reference),
      },
      "an origin's button": { path: () => `/app/origins/${ids.Oriente}`, press: button("origin:sync") },
      review: {
        path: () => "/app/review",
        typed: (app) => [
          {
            field: app.getByRole("textbox", { name: new RegExp(`${words("common:fields.area_level3")}.*${added}`) }),
            text: `Moderna ${added}`,
          },
        ],
        press: (app) => app.getByRole("button", { name: /^(Confirmar|Confirm)/ }).first(),
        isDone: () => JSON.stringify(templates()).includes(`Moderna ${added}`),
      },
      "address book": { path: () => "/app/address-book", press: button("addressBook:refresh") },
      "new address": {
        path: () => "/app/address-book/new",
        typed: (app) => asked.map((name) => ({ field: field(app, name), text: supplier[name]! })),
        press: button("addressBook:new.save"),
        isDone: () => templates().filter(({ alias_name }) => alias_name === alias).length === 1,
      },
      address: {
        path: () => `/app/address-book/${templates().find(({ alias_name }) => alias_name === BY_HAND)!.id}`,
        typed: (app) => [{ field: field(app, "company"), text: `Copal ${added}` }],
        press: bar,
        isDone: () => JSON.stringify(templates()).includes(`Copal ${added}`),
      },
      activity: { path: () => "/app/activity", press: null },
      settings: {
        path: () => "/app/settings",
        typed: (app) => [{ field: field(app, "company"), text: `Bodegas ${added}` }],
        press: bar,
        isDone: async () => (await pages.settings(shop)).settings.contact.company === `Bodegas ${added}`,
      },
    };
  }

  interface Open extends Place {
    name: string;
    tab: Visit;
    app: Frame;
    heading: string;
    fields: { field: Locator; text: string }[];
  }

  async function openAll(language: PageLanguage, added: string, names?: readonly string[]): Promise<Open[]> {
    sandbox.admin.settings.locale = language;
    await toReview(added);
    const open = async ([name, place]: [string, Place]): Promise<Open> => {
      const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US", ignores: NO_ANSWER });
      await tab.page.goto(`${sandbox.adminUrl}/store/${shop.state.handle}/apps/origen${place.path()}`);
      const app = await tab.app();
      await takenOver(app.locator("h1").first());
      const fields = place.typed?.(app) ?? [];
      for (const { field, text } of fields) await field.fill(text);
      // What the page asks by itself on opening may keep its button busy.
      await place.press?.(app, tab.page).waitFor();
      return { ...place, name, tab, app, heading: await app.locator("h1").first().innerText(), fields };
    };
    const places = Object.entries(placesIn(language, added)).filter(([name]) => !names || names.includes(name));
    return Promise.all(places.map(open));
  }

  const asItWas = async ({ name, app, heading, fields }: Open) => {
    const values = await Promise.all(fields.map(({ field }) => field.inputValue()));
    const shown = { name, heading: await app.locator("h1").first().innerText(), values };
    expect(shown).toEqual({ name, heading, values: fields.map(({ text }) => text) });
  };

  test.each(LANGUAGES)(
    "every page and form stays, and goes on when it is back (%s)",
    { timeout: 240_000 },
    async (language) => {
      const open = await openAll(language, `Norte ${language}`, IS_WHOLE ? undefined : SHORT);
      const asked = new Map(open.map(({ name }) => [name, 0]));
      for (const { name, tab } of open)
        tab.page.on("response", (answer) => {
          if (answer.status() === 502) asked.set(name, asked.get(name)! + 1);
        });

      await sandbox.app.kill();
      const awayFrom = Date.now();
      const unanswered = say(language, "shell:unanswered.title");
      await Promise.all(
        open.map(async ({ name, app, tab, press }) => {
          if (!press) return;
          await press(app, tab.page).click();
          await app.getByText(unanswered, { exact: true }).first().waitFor();
          await keepScreenshot(tab.page, `away-${name.replaceAll(/\W/g, "-")}-${language}`);
        }),
      );
      await until({
        what: "The end of the absence, with every page asking meanwhile",
        read: () => [...asked].filter(([, times]) => times === 0).map(([name]) => name),
        holds: (silent) => silent.length === 0 && Date.now() - awayFrom > AWAY_MS,
        withinMs: AWAY_MS + 30_000,
      });
      for (const each of open) await asItWas(each);

      // To another page, by the admin's menu.
      const home = open.find(({ name }) => name === "home")!;
      const link = home.tab.page.locator('#app-nav a[data-path="/app/origins"]');
      await link.click();
      const again = home.app.getByRole("button", { name: say(language, "shell:unopened.action"), exact: true });
      await again.waitFor();
      await asItWas(home);
      await keepScreenshot(home.tab.page, `away-unopened-${language}`);

      await sandbox.app.start();
      await again.click();
      await until({
        what: "The other page",
        read: () => home.app.locator("h1").first().innerText(),
        holds: (heading) => heading !== home.heading,
        withinMs: 20_000,
      });
      expect(await again.count()).toBe(0);
      for (const each of open) {
        if (!each.press) continue;
        const answer = each.tab.page.waitForResponse(
          (one) => one.request().method() === "POST" && one.url().includes("_data="),
        );
        await each.press(each.app, each.tab.page).click();
        expect([each.name, (await answer).status()]).toEqual([each.name, 200]);
        await each.app.getByText(unanswered, { exact: true }).first().waitFor({ state: "hidden" });
        if (each.isDone)
          await until({ what: `What ${each.name} sent`, read: each.isDone, holds: Boolean, withinMs: 30_000 });
      }
      for (const { tab } of open) {
        expect(tab.complaints).toEqual([]);
        await tab.close();
      }
    },
  );

  test("a form that arrived, and whose answer was lost, is not done twice by the next press", async () => {
    const [form] = await openAll("en", "Norte lost", ["new address"]);
    const { app, tab, press, isDone } = form!;
    await tab.page.route(/address-book\/new.*_data/, async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await press!(app, tab.page).click();
    await app.getByText(say("en", "shell:unanswered.title"), { exact: true }).waitFor();
    await asItWas(form!);
    expect(await isDone!()).toBe(true);
    await tab.page.unrouteAll({ behavior: "wait" });
    await press!(app, tab.page).click();
    await app.getByRole("heading", { name: "Proveedor Norte lost" }).waitFor();
    expect(await isDone!()).toBe(true);
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  test("a newer release behind an open page loads itself where nothing is typed, and waits where something is", async () => {
    const open = await openAll("en", "Norte later", IS_WHOLE ? undefined : ["origins", "settings"]);
    await sandbox.app.kill();
    await sandbox.app.start({}, makeNextRelease(join(sandbox.dataDir, "next-release")));
    const isNew = ({ app }: Open) =>
      app
        .evaluate(() =>
          (window as unknown as { __remixManifest: { version: string } }).__remixManifest.version.startsWith("next-"),
        )
        .catch(() => false);
    for (const each of open.filter(({ fields }) => fields.length === 0)) {
      await until({
        what: `The newer release of ${each.name}`,
        read: () => isNew(each),
        holds: Boolean,
        withinMs: 40_000,
      });
      expect(await each.app.locator("h1").first().innerText()).toBe(each.heading);
    }
    for (const each of open.filter(({ fields }) => fields.length > 0)) {
      await each.app.getByText(say("en", "shell:newer.title"), { exact: true }).waitFor();
      await asItWas(each);
      expect(await isNew(each)).toBe(false);
    }
    await keepScreenshot(open.find(({ name }) => name === "settings")!.tab.page, "newer-release-en");
    // What is saved leaves nothing typed.
    const saved = open.find(({ name }) => name === "settings")!;
    await saved.press!(saved.app, saved.tab.page).click();
    await until({
      what: "The newer release after the save",
      read: () => isNew(saved),
      holds: Boolean,
      withinMs: 40_000,
    });
    expect(await saved.isDone!()).toBe(true);
    for (const { tab } of open) {
      expect(tab.complaints).toEqual([]);
      await tab.close();
    }
  });
});
