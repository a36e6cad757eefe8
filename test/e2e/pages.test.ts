import AxeBuilder from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { playTheJob } from "../sandbox/play/play.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { findBrowser, keepScreenshot, launchBrowser, NARROW, visit, WIDE } from "./browser.ts";

/** Every page, in both languages, wide and on a phone: accessible, quiet, and no wider than the screen. */

const executable = findBrowser();
const STORE = "taller-copal";

const PAGES: Record<string, (ids: { location: number; template: string }) => string> = {
  home: () => "/app",
  origins: () => "/app/origins",
  origin: ({ location }) => `/app/origins/${location}`,
  review: () => "/app/review",
  "address-book": () => "/app/address-book",
  "address-new": () => "/app/address-book/new",
  address: ({ template }) => `/app/address-book/${template}`,
  activity: () => "/app/activity",
  settings: () => "/app/settings",
};

const SCREENS = { wide: WIDE, phone: NARROW, smallest: { width: 320, height: 640 } };

describe.skipIf(!executable)("every page", () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let ids: { location: number; template: string };

  beforeAll(async () => {
    sandbox = await startSandbox({
      shops: 1,
      shipping: { verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "rejected" } } },
    });
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    const [location] = [...[...sandbox.admin.state.shops.values()][0]!.locations.keys()];
    const [template] = sandbox.shipping!.templates("production-client-1");
    ids = { location: location!, template: template!.id };
    browser = await launchBrowser(executable!);
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  for (const language of ["es", "en"] as const) {
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      test.for(Object.keys(PAGES))(`%s, ${language}, ${screen}`, async (name) => {
        sandbox.admin.settings.locale = language;
        const tab = await visit(browser, { viewport, locale: language === "es" ? "es-MX" : "en-US" });
        try {
          await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${PAGES[name]!(ids)}`);
          const app = await tab.app();
          await app.locator("h1").first().waitFor();
          await tab.page.waitForLoadState("networkidle");
          await keepScreenshot(tab.page, `${name}-${language}-${screen}`);

          const overflow = await app.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect(overflow, "sideways scroll, in pixels").toBeLessThanOrEqual(0);
          const { violations } = await new AxeBuilder({ page: tab.page })
            .include("iframe[name='app-iframe']")
            .analyze();
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)).toEqual([]);
          expect(await app.evaluate(() => document.documentElement.lang)).toBe(language === "es" ? "es-MX" : "en");
          expect(tab.complaints).toEqual([]);
        } finally {
          await tab.close();
        }
      });
    }
  }
});
