import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { prepareJob } from "../sandbox/play/job.ts";
import type { Job } from "../sandbox/play/job.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { findBrowser, keepScreenshot, launchBrowser, takenOver, visit } from "./browser.ts";
import { say } from "./dialogs.ts";
import { STORE } from "./job-stage.ts";
import { LANGUAGES } from "../whole.ts";

/** A bulk sync of everything says what it passed over, beside its count and in the activity. */

const executable = findBrowser();

/** The store has one location of a fulfillment service; another one is paused. */
const WORDS = {
  es: [
    "4 de 6 guardados en tu cuenta, 2 omitidos.",
    "Se omitieron 2 sucursales: 1 de un servicio de logística y 1 en pausa.",
  ],
  en: [
    "4 of 6 saved in your account, 2 skipped.",
    "2 locations were skipped: 1 of a fulfillment service and 1 paused.",
  ],
};

describe.skipIf(!executable)("a bulk sync with locations that are not synced", () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let job: Job;

  beforeAll(async () => {
    sandbox = await startSandbox({ locale: "en" });
    browser = await launchBrowser(executable!);
    job = prepareJob(sandbox);
    for (const step of STEPS.slice(0, 5)) await step.run(job);
    await job.ask(job.origins()[0]!, { intent: "pause" });
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  test.each(LANGUAGES)("tells of them in %s", async (language) => {
    sandbox.admin.settings.locale = language;
    const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
    const open = async (path: string) => {
      await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
      const app = await tab.app();
      await takenOver(app.locator("h1").first());
      return app;
    };
    const app = await open("/app/origins");
    const boxes = app.getByRole("checkbox");
    await takenOver(boxes.nth(1));
    await boxes.first().click();
    await app
      .getByRole("button", { name: say(language, "origins:bulk.sync"), exact: true })
      .first()
      .click();
    const dialog = app.getByRole("dialog");
    await dialog.getByText(say(language, "origins:bulk.ask.final")).waitFor();
    await dialog.getByRole("button", { name: say(language, "origins:bulk.sync"), exact: true }).click();
    for (const words of WORDS[language]) await app.getByText(words, { exact: true }).waitFor();
    await keepScreenshot(tab.page, `skipped-job-${language}`);

    const activity = await open("/app/activity");
    const title = activity.getByRole("heading", { name: say(language, "activity:kind.sync_skipped"), exact: true });
    await title.first().waitFor();
    await keepScreenshot(tab.page, `skipped-activity-${language}`);
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });
});
