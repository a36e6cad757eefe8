import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { Sandbox } from "../../sandbox/start.ts";
import { LANGUAGES } from "../../whole.ts";
import { violationsIn } from "../axe.ts";
import { findBrowser, keepWholePage, takenOver, visit } from "../browser.ts";
import type { Visit } from "../browser.ts";
import { say } from "../dialogs.ts";
import { startPlayedStage, STORE, VISITS } from "../job-stage.ts";

/** The report on one origin, as its owner prints it for a carrier or for the service's support. */

const executable = findBrowser();
const NAME = "Tienda Roma Norte";

describe.skipIf(!executable)("a report on an origin", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    ({ sandbox, browser } = await startPlayedStage(executable!));
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  describe.each(VISITS.filter(([language]) => LANGUAGES.includes(language)))("(%s, %s)", (language, size, viewport) => {
    let tab: Visit;
    beforeAll(async () => {
      sandbox.admin.settings.locale = language;
      tab = await visit(browser, { viewport, locale: language === "es" ? "es-MX" : "en-US" });
    });
    afterAll(() => tab?.close());
    const words = (key: string) => say(language, key);

    test("tells what was saved, answered and edited, says what it is not, and prints without what is of the screen", async () => {
      const shop = [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
      const { id } = [...shop.locations.values()].find(({ name }) => name === NAME)!;
      await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen/app/origins/${id}`);
      const app = await tab.app();
      const link = app.getByRole("link", { name: words("origin:history.report"), exact: true });
      await takenOver(link);
      await link.click();
      const list = app.locator(".origen-report > li");
      await list.first().waitFor();
      const isNot = app.getByText(words("report:isNot").replace("{days, number}", "90"));
      await isNot.waitFor();
      const told = await list.allTextContents();
      const holds = (text: string) => told.some((line) => line.includes(text));
      expect(holds(words("activity:kind.template_created"))).toBe(true);
      expect(holds(words("activity:kind.origin_confirmed"))).toBe(true);
      expect(holds(words("activity:kind.verification_accepted"))).toBe(true);
      expect(holds(words("activity:kind.verification_refused"))).toBe(true);
      expect(
        told.filter((line) => line.includes(words("report:reference").replace("{id}", ""))).length,
      ).toBeGreaterThan(2);
      // Whoever reads it is of no store.
      expect(holds(words("activity:actor.owner"))).toBe(false);
      expect(holds(words("report:owner"))).toBe(true);
      expect(await app.locator("dl").first().textContent()).not.toMatch(/\d{4}-\d{2}-\d{2}/);
      expect(await violationsIn(app)).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `report-${language}-${size}` });

      await app.evaluate(() => Object.assign(window, { print: () => Object.assign(window, { isPrinted: true }) }));
      await app.getByRole("button", { name: words("report:print") }).click();
      await app.waitForFunction(() => "isPrinted" in window);

      await tab.page.emulateMedia({ media: "print" });
      expect(await app.getByRole("button", { name: words("report:print") }).isVisible()).toBe(false);
      expect(await app.getByLabel(words("report:from")).isVisible()).toBe(false);
      expect(await isNot.isVisible()).toBe(true);
      expect(await list.first().isVisible()).toBe(true);
      await keepWholePage({ page: tab.page, app, name: `report-print-${language}-${size}` });
      await tab.page.emulateMedia({ media: null });
    });

    test("is of the days that are chosen", async () => {
      const app = await tab.app();
      const from = app.getByLabel(words("report:from"));
      await from.fill("2020-01-01");
      await app.getByLabel(words("report:to")).fill("2020-01-02");
      await app.getByText(words("report:none")).waitFor();
      await from.fill("2020-01-03");
      await app.getByText(words("common:daysBackwards")).waitFor();
      // Nothing is said of days that are none, and there is nothing to print.
      expect(await app.getByText(words("report:none")).count()).toBe(0);
      expect(await app.getByRole("button", { name: words("report:print") }).isDisabled()).toBe(true);
      await keepWholePage({ page: tab.page, app, name: `report-backwards-${language}-${size}` });
      await from.fill("2020-01-01");
      await app.getByText(words("report:none")).waitFor();
      expect(await violationsIn(app)).toEqual([]);
    });
  });
});
