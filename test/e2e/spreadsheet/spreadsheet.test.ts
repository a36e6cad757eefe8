import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { rowsOf } from "../../spreadsheet/sheets.ts";
import { playTheJob } from "../../sandbox/play/play.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { violationsIn } from "../axe.ts";
import { findBrowser, keepWholePage, launchBrowser, NARROW, takenOver, visit, WIDE } from "../browser.ts";
import type { Visit } from "../browser.ts";
import { say } from "../dialogs.ts";
import { QUICK_CARRIERS, STORE } from "../job-stage.ts";
import { LANGUAGES } from "../../whole.ts";

/** Origins and activity as spreadsheets, out and in again, as their owner does it. */

const executable = findBrowser();

const VISITS = [
  ["es", "narrow", NARROW],
  ["en", "wide", WIDE],
] as const;

describe.skipIf(!executable)("a spreadsheet", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ shops: 1, locale: "es", shipping: QUICK_CARRIERS });
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    browser = await launchBrowser(executable!);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  const open = async (tab: Visit, path: string): Promise<Frame> => {
    await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
    return tab.app();
  };

  /** Presses the page's button of that name, on a phone in the menu of the page's actions, and takes the file. */
  const downloaded = async (tab: Visit, app: Frame, name: string) => {
    const direct = app.getByRole("button", { name, exact: true });
    const menu = app
      .locator(".Polaris-Page-Header__RightAlign, .Polaris-Page-Header__Actions")
      .getByRole("button")
      .first();
    await takenOver(menu);
    if (!(await direct.isVisible())) await menu.click();
    const [file] = await Promise.all([tab.page.waitForEvent("download"), direct.click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };

  describe.each(VISITS.filter(([language]) => LANGUAGES.includes(language)))("(%s, %s)", (language, size, viewport) => {
    let tab: Visit;
    beforeAll(async () => {
      sandbox.admin.settings.locale = language;
      tab = await visit(browser, { viewport, locale: language === "es" ? "es-MX" : "en-US" });
    });
    afterAll(() => tab?.close());
    const words = (key: string) => say(language, key);

    test("the list of origins is saved as a file named by the day", async () => {
      const app = await open(tab, "/app/origins");
      const { name, text } = await downloaded(tab, app, words("origins:download"));
      expect(name).toMatch(language === "es" ? /^origenes-\d{4}-\d\d-\d\d\.csv$/ : /^origins-\d{4}-\d\d-\d\d\.csv$/);
      expect(text.charCodeAt(0)).toBe(0xfeff);
      expect(rowsOf(text).map((row) => row[words("spreadsheet:heading.location_name")])).toContain("Tienda Roma Norte");
      expect(await violationsIn(app)).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `spreadsheet-origins-${language}-${size}` });
    });

    test("the activity that the filters leave is saved as a file named by the day", async () => {
      const app = await open(tab, "/app/activity?actor=owner");
      const { name, text } = await downloaded(tab, app, words("activity:download"));
      expect(name).toMatch(language === "es" ? /^actividad-/ : /^activity-/);
      const rows = rowsOf(text);
      expect(rows.length).toBeGreaterThan(5);
      const who = rows.map((row) => row[words("spreadsheet:activity.who")]!);
      expect(who.filter((one) => !one.startsWith(words("activity:actor.owner")))).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `spreadsheet-activity-${language}-${size}` });
    });
  });
});
