import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { sidewaysScroll, toldByColourAlone, violationsIn } from "../axe.ts";
import { drawn, findBrowser, keepScreenshot, keepWholePage, launchBrowser, takenOver, visit } from "../browser.ts";
import type { Visit } from "../browser.ts";
import { DIALOGS, opener } from "../dialogs.ts";
import type { PageLanguage } from "../dialogs.ts";
import { NO_SUCH_PAGE } from "../pages-stage.ts";
import { bannersTogether, clippedText, rawWords } from "./legible.ts";
import { NO_PHONE } from "./places.ts";
import { dialogsOf, STATE_PAGES } from "./state-pages.ts";
import type { StatePage } from "./state-pages.ts";
import { STATES } from "./states.ts";
import { startBigStore } from "../../bench/pages/big-store.ts";
import type { BigStore } from "../../bench/pages/big-store.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { startStatesStage } from "./states-stage.ts";
import type { StatesStage } from "./states-stage.ts";
import { LONG_TEST_MS } from "../../patience.ts";
import { IS_WHOLE } from "../../whole.ts";

/**
 * Every page and dialog in every state of the table, in both languages and four widths: accessible, no wider than the screen, no text cut
 * off, no word of the code. `npm run pictures` keeps a picture of each. Played at length alone; in a short run `pages.test.ts` asks the
 * same of every page of one store.
 */

const executable = findBrowser();

const WIDTHS = {
  1280: { width: 1280, height: 900 },
  1024: { width: 1024, height: 768 },
  768: { width: 768, height: 1024 },
  390: { width: 390, height: 844 },
};

/** A store whose history is written into its database: at two calls a second a thousand locations would take ten minutes. */
const BIG = "thousand";

/** The browser's own word that the page which is none answered 404; it may say so again on later pages. */
const NOT_FOUND = new RegExp(`404.*${NO_SUCH_PAGE}`, "s");

/** What `npm run pictures` was asked for alone. */
const only = process.env.ONLY?.split(",") ?? [...Object.keys(STATES), BIG];
const unknown = only.filter((name) => name !== BIG && !(name in STATES));
if (unknown.length > 0)
  throw new Error(`No state is called ${unknown.join()}: there are ${Object.keys(STATES).join()}`);
const names = only.filter((name) => name !== BIG);
const pages = (Object.keys(STATE_PAGES) as StatePage[]).filter(
  (page) => process.env.ONLY_PAGE?.split(",").includes(page) ?? true,
);
const languages = (["es", "en"] as const).filter((one) => (process.env.ONLY_LANGUAGE ?? one) === one);

describe.skipIf(!executable || !IS_WHOLE)("every page in every state", () => {
  let browser: Browser;
  const tabs = new Map<PageLanguage, Visit>();

  beforeAll(async () => {
    browser = await launchBrowser(executable!);
    for (const language of languages)
      tabs.set(language, await visit(browser, { locale: language === "es" ? "es-MX" : "en-US", ignores: NOT_FOUND }));
  });

  afterAll(() => browser?.close());

  /** A page that stands open asks again and again, and would meet a sandbox that is no longer there. */
  async function leavePages(): Promise<void> {
    for (const { page } of tabs.values()) await page.goto("about:blank");
  }

  async function look(app: Frame, tab: Visit, name: string): Promise<void> {
    for (const [width, size] of Object.entries(WIDTHS)) {
      await tab.page.setViewportSize(size);
      await drawn(app);
      const at = `${name}, ${width} px`;
      expect.soft(await sidewaysScroll(app), `${at}: sideways scroll`).toEqual([]);
      expect.soft(await clippedText(app), `${at}: text cut off`).toEqual([]);
      expect.soft(await violationsIn(app), `${at}: axe`).toEqual([]);
      if (name.includes("dialog")) await keepScreenshot(tab.page, `${name}-${width}`);
      else await keepWholePage({ page: tab.page, app, name: `${name}-${width}` });
    }
    expect.soft(await rawWords(app), `${name}: words of the code`).toEqual([]);
    expect.soft(await bannersTogether(app), `${name}: two banners`).toEqual([]);
    expect.soft(await toldByColourAlone(app), `${name}: told by colour alone`).toEqual([]);
  }

  interface Shown {
    name: string;
    language: PageLanguage;
    sandbox: Sandbox;
    handle: string;
    path: string;
  }

  async function check(page: StatePage, { name, language, sandbox, handle, path }: Shown): Promise<void> {
    sandbox.admin.settings.locale = language;
    const tab = tabs.get(language)!;
    await tab.page.setViewportSize(WIDTHS[1280]);
    await tab.page.goto(`${sandbox.adminUrl}/store/${handle}/apps/origen${path}`);
    const app = await tab.app();
    await takenOver(app.locator("h1").first());
    expect.soft(await markedByApp(app), "an error before anybody typed").toEqual([]);
    await look(app, tab, `${name}/${page}-${language}`);
    for (const dialog of dialogsOf(page)) {
      await tab.page.setViewportSize(WIDTHS[1280]);
      const button = opener(app, { place: DIALOGS[dialog]!, language });
      if ((await button.count()) === 0 || (await button.isDisabled())) continue;
      await button.click();
      await app.getByRole("dialog").waitFor();
      await look(app, tab, `${name}/${page}-dialog-${dialog}-${language}`);
      await tab.page.keyboard.press("Escape");
      await app.getByRole("dialog").waitFor({ state: "hidden" });
    }
  }

  // A page in both languages first: a bulk action that has ended is shown for minutes.
  const EACH = pages.flatMap((page) => languages.map((language) => ({ page, language })));

  describe.skipIf(names.length === 0)("of the table", () => {
    let stage: StatesStage;
    beforeAll(async () => {
      stage = await startStatesStage(names);
    }, 900_000);
    afterAll(async () => {
      await leavePages();
      await stage?.sandbox.stop();
    });

    describe.each(names)("%s", (name) => {
      const state = STATES[name]!;
      beforeAll(async () => {
        await state.bring?.(stage.store(name));
      }, LONG_TEST_MS);

      test.each(EACH)("$page, $language", async ({ page, language }) => {
        const store = stage.store(name);
        const path = STATE_PAGES[page](store, state);
        const { sandbox } = stage;
        if (path !== null) await check(page, { name, language, sandbox, handle: store.handle, path });
      });
    });
  });

  describe.skipIf(!only.includes(BIG))(BIG, () => {
    let big: BigStore;
    beforeAll(async () => {
      big = await startBigStore(1_000, { postgres: false });
    }, 900_000);
    afterAll(async () => {
      await leavePages();
      await big?.stop();
    });

    test.each(EACH)("$page, $language", async ({ page, language }) => {
      const { sandbox, job, legacyId, templateId } = big;
      const first = { id: Number(legacyId), name: "" };
      const store = { locations: () => [first], location: () => first, templateId: () => templateId };
      const path = STATE_PAGES[page](store, {});
      if (path !== null) await check(page, { name: BIG, language, sandbox, handle: job.shop.handle, path });
    });
  });
});

/** What stands beside fields that the app itself calls wrong. What the service said of one is beside it from the start. */
function markedByApp(app: Frame): Promise<string[]> {
  return app.evaluate((said) => {
    const beside = (field: Element) =>
      (field.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" ");
    return [...document.querySelectorAll("[aria-invalid='true']")].map(beside).filter((text) => !text.includes(said));
  }, NO_PHONE);
}
