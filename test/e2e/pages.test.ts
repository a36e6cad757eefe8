import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { sidewaysScroll, toldByColourAlone, violationsIn } from "./axe.ts";
import { DIALOGS, opener, say } from "./dialogs.ts";
import {
  findBrowser,
  keepScreenshot,
  keepWholePage,
  launchBrowser,
  NARROW,
  takenOver,
  visit,
  WIDE,
} from "./browser.ts";
import type { Visit } from "./browser.ts";
import { NEW_STORE, NO_SUCH_PAGE, PAGES, startPagesStage } from "./pages-stage.ts";
import type { PageName, PagesStage } from "./pages-stage.ts";

/** Every page, in both languages, wide, on a phone and enlarged: accessible, quiet, and no wider than the screen. */

const executable = findBrowser();

/** `enlarged`: what a window of 1280 × 900 holds at 200 %. */
const SCREENS = {
  wide: WIDE,
  enlarged: { width: 640, height: 450 },
  phone: NARROW,
  smallest: { width: 320, height: 640 },
};
/** The others lay out as one of these does. */
const LAYOUTS: readonly string[] = ["wide", "phone"];

/** The browser's own word that the page which is none answered 404; it may say so again on later pages. */
const NOT_FOUND = new RegExp(`404.*${NO_SUCH_PAGE}`, "s");

describe.skipIf(!executable)("every page", () => {
  let stage: PagesStage;
  let browser: Browser;

  beforeAll(async () => {
    stage = await startPagesStage();
    browser = await launchBrowser(executable!);
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.sandbox.stop();
  });

  describe.each(["es", "en"] as const)("%s", (language) => {
    let tab: Visit;

    beforeAll(async () => {
      stage.sandbox.admin.settings.locale = language;
      tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US", ignores: NOT_FOUND });
    });
    afterAll(() => tab?.close());
    // What failed leaves its page as nobody knows; the next dialog gets a new one.
    afterEach(async ({ task }) => {
      if (task.result?.state === "fail") await tab.page.goto("about:blank");
    });

    async function checkPage(name: PageName): Promise<void> {
      const { page } = tab;
      await page.setViewportSize(WIDE);
      const response = await page.goto(PAGES[name](stage));
      expect(response!.status()).toBe(200);
      const app = await tab.app();
      await takenOver(app.locator("h1").first());

      for (const [screen, viewport] of Object.entries(SCREENS)) {
        await page.setViewportSize(viewport);
        await drawn(app);
        expect.soft(await sidewaysScroll(app), screen).toEqual([]);
        if (!LAYOUTS.includes(screen)) continue;
        expect.soft(await violationsIn(app), screen).toEqual([]);
        await keepWholePage({ page, app, name: `${name}-${language}-${screen}` });
      }
      expect.soft(await toldByColourAlone(app)).toEqual([]);
      expect(await app.evaluate(() => document.documentElement.lang)).toBe(language === "es" ? "es-MX" : "en");
    }

    async function checkDialog(name: string): Promise<void> {
      const { page } = tab;
      const place = DIALOGS[name]!;
      await page.setViewportSize(WIDE);
      const url = PAGES[place.page](stage);
      if (page.url() !== url) await page.goto(url);
      const app = await tab.app();
      const button = opener(app, { place, language });
      await takenOver(button);
      await button.click();
      const dialog = app.getByRole("dialog");
      for (const screen of ["phone", "wide"] as const) {
        await page.setViewportSize(SCREENS[screen]);
        await dialog.waitFor();
        await drawn(app);
        expect.soft(await sidewaysScroll(app), screen).toEqual([]);
        expect.soft(await violationsIn(app), screen).toEqual([]);
        await keepScreenshot(page, `dialog-${name}-${language}-${screen}`);
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
    }

    // A page's dialogs come right after it, so that it stands open already.
    for (const name of Object.keys(PAGES) as PageName[]) {
      test(name, () => checkPage(name));
      const dialogs = Object.keys(DIALOGS).filter((dialog) => DIALOGS[dialog]!.page === name);
      for (const dialog of dialogs) test(`dialog: ${dialog}`, () => checkDialog(dialog));
    }

    test("on a phone, all that can be done to many origins", async () => {
      const { page } = tab;
      await page.setViewportSize(NARROW);
      await page.goto(stage.url("/app/origins"));
      const app = await tab.app();
      await takenOver(app.getByRole("checkbox").first());
      await app.getByRole("checkbox").first().check({ force: true });
      await app.getByRole("button", { name: language === "es" ? "Más acciones" : "More actions" }).click();
      for (const key of ["verify", "pause", "resume"])
        await app
          .getByRole("button", { name: say(language, `origins:bulk.${key}`), exact: true })
          .last()
          .waitFor();
      await keepScreenshot(page, `bulk-actions-${language}-phone`);
      await page.keyboard.press("Escape");
    });

    test("the shift key selects the rows between, and marks none of their words", async () => {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(stage.url("/app/origins"));
      const app = await tab.app();
      const rows = app.locator("tbody").getByRole("checkbox");
      await takenOver(rows.first());
      await rows.nth(0).click();
      // Now the words of a row select it too.
      const words = (nth: number) => app.locator("tbody tr").nth(nth).locator("td").nth(2);
      await words(1).click();
      await words(3).click({ modifiers: ["Shift"] });
      await app.waitForFunction(() => document.querySelectorAll("tbody input:checked").length === 4);
      expect(await app.evaluate(() => getSelection()!.toString())).toBe("");
    });

    test("before anything is connected, one way to connect", async () => {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(stage.url("/app", NEW_STORE));
      const app = await tab.app();
      await app.getByRole("heading", { name: say(language, "home:guide.heading") }).waitFor();
      expect(await app.locator('main a[href*="settings#connection"]').count()).toBe(1);
    });

    test("the shop's contact is a line in Review once it is complete, and opens with the focus in it", async () => {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(stage.url("/app/review"));
      const app = await tab.app();
      const name = app.getByLabel(say(language, "common:fields.name"), { exact: true });
      const edit = app.getByRole("button", { name: say(language, "review:contact.editLong") });
      await takenOver(edit);
      expect(await name.count()).toBe(0);
      await edit.click();
      await name.waitFor();
      await app.waitForFunction(() => document.activeElement?.matches("input"));
      expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await edit.count()).toBe(0);
    });

    test("an address is in a country by its name, Mexico first", async () => {
      await tab.page.goto(stage.url("/app/address-book/new"));
      const app = await tab.app();
      const country = app.getByLabel(say(language, "common:fields.country_code"));
      await takenOver(country);
      await country.locator("option", { hasText: "Guatemala" }).waitFor({ state: "attached" });
      expect(await country.inputValue()).toBe("MX");
      expect(await country.locator("option").first().textContent()).toBe(language === "es" ? "México" : "Mexico");
      await country.selectOption("GT");
      expect(await country.inputValue()).toBe("GT");
    });
  });
});

/** What the new size changes has been drawn, measured and drawn again. */
async function drawn(app: Frame): Promise<void> {
  await app.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
}
