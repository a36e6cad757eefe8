import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import ORDERS_IN_ENGLISH from "../../../extensions/order-list/locales/en.default.json" with { type: "json" };
import ORDERS_IN_SPANISH from "../../../extensions/order-list/locales/es.json" with { type: "json" };
import type { SettingsReply } from "../../../app/components/settings/settings-actions.ts";
import { prepareJob } from "../../sandbox/play/job.ts";
import type { Job } from "../../sandbox/play/job.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { createVisitor } from "../../sandbox/play/visitor.ts";
import { STEPS } from "../../sandbox/play/steps.ts";
import { sandboxClient } from "../../sandbox/shipping/options.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { byTurns, LANGUAGES } from "../../whole.ts";
import { sidewaysScroll, violationsIn } from "../axe.ts";
import {
  findBrowser,
  keepScreenshot,
  keepWholePage,
  launchBrowser,
  NARROW,
  takenOver,
  visit,
  WIDE,
} from "../browser.ts";
import type { Visit } from "../browser.ts";
import { say } from "../dialogs.ts";
import { STORE } from "../job-stage.ts";
import { ORDER_SCOPES } from "../orders/order-stage.ts";

/**
 * Accounts of both environments: a person sees which is in use and which is frozen, and changes from one to the other and back. A short run
 * sees the first refusal, the first list and Home on the way.
 */

const executable = findBrowser();
const SCREENS = Object.entries({ wide: WIDE, phone: NARROW });
const ORDER_WORDS = { en: ORDERS_IN_ENGLISH, es: ORDERS_IN_SPANISH };
/** What the list of orders says of production's account, by store: it is on hold, or there is none. */
const LISTED = { [STORE]: "test", "tienda-3": "test_only" } as const;
const REFUSALS = {
  credentials: { fault: { kind: "invalid-client" }, title: "frozen.refused", text: "frozen.refusedText" },
  silence: { fault: { kind: "reset" }, title: "frozen.unreachable", text: "frozen.unreachableText" },
} as const;
const PAGES = { home: "/app", origins: "/app/origins", book: "/app/address-book", activity: "/app/activity" };

describe.skipIf(!executable)("accounts of both environments", () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let job: Job;

  beforeAll(async () => {
    sandbox = await startSandbox({ locale: "en", shops: 3 });
    browser = await launchBrowser(executable!);
    job = prepareJob(sandbox);
    for (const step of STEPS.slice(0, 5)) await step.run(job);
    const { clientId, clientSecret } = sandboxClient("test", 1);
    const stated = { environment: "test", clientId, clientSecret, scope: null, redirectUri: null };
    const { outcome } = await job.visitor.submit<SettingsReply>("/app/settings", "routes/app.settings", {
      intent: "connect",
      ...stated,
    });
    expect(outcome.kind).toBe("connected");
    const other = createVisitor({ adminUrl: sandbox.adminUrl, store: "tienda-3" });
    await other.open("/app");
    const connect = { intent: "connect" as const, ...stated, ...sandboxClient("test", 3) };
    expect((await pages.askSettings({ visitor: other }, connect)).outcome.kind).toBe("connected");
    for (const handle of Object.keys(LISTED))
      await fetch(`${sandbox.adminUrl}/sandbox/shops/${handle}/scopes`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ scopes: ORDER_SCOPES }),
      });
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  async function open(tab: Visit, path: string): Promise<Frame> {
    await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
    const app = await tab.app();
    await takenOver(app.locator("h1").first());
    return app;
  }

  async function look(tab: Visit, app: Frame, picture: string): Promise<void> {
    expect.soft(await violationsIn(app), picture).toEqual([]);
    expect.soft(await sidewaysScroll(app), picture).toEqual([]);
    await keepWholePage({ page: tab.page, app, name: `environments-${picture}` });
  }

  describe.each(LANGUAGES)("%s", (language) => {
    test.each(byTurns(Object.entries(REFUSALS), 0))(
      "a switch that is refused says why and changes nothing: %s",
      async (how, no) => {
        sandbox.admin.settings.locale = language;
        const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
        const words = (key: string) => say(language, `settings:connection.${key}`);
        const [rule] = sandbox.shipping!.faults.set({ ...no.fault, clientId: sandboxClient("production", 1).clientId });
        const app = await open(tab, "/app/settings");
        const press = app.getByRole("button", { name: words("frozen.production.switch"), exact: true });
        await press.click();
        await app
          .getByRole("dialog")
          .getByRole("button", { name: words("frozen.production.switch"), exact: true })
          .click();
        await app.getByText(words(no.title)).waitFor();
        await app.getByText(words(no.text)).waitFor();
        for (const [screen, size] of byTurns(SCREENS, Object.keys(REFUSALS).indexOf(how))) {
          await tab.page.setViewportSize(size);
          await look(tab, app, `refused-${how}-${language}-${screen}`);
        }
        sandbox.shipping!.faults.clear(rule);
        await app.getByText(say(language, "shell:test.text"), { exact: true }).waitFor();
        await press.waitFor();
        await tab.close();
      },
    );

    test.each(byTurns(Object.entries(LISTED), 0))("the list of orders says so: %s, %s", async (store, health) => {
      sandbox.admin.settings.locale = language;
      const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
      const { page } = tab;
      const said = ORDER_WORDS[language];
      await page.goto(`${sandbox.adminUrl}/store/${store}/orders`);
      await page.getByLabel(sandbox.admin.state.words.selectAll).check();
      await page.getByText(sandbox.admin.state.words.withSelected).click();
      await page.getByRole("button", { name: said.name }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(said.connection[health]).waitFor();
      await dialog.getByRole("link", { name: said.link.settings }).waitFor();
      for (const [screen, size] of byTurns(SCREENS, Object.keys(LISTED).indexOf(store))) {
        await page.setViewportSize(size);
        expect.soft(await violationsIn(page.mainFrame(), "dialog"), screen).toEqual([]);
        await keepScreenshot(page, `environments-list-${health}-${language}-${screen}`);
      }
      // Nothing can be asked of an account that is on hold.
      expect(await dialog.getByRole("button", { name: said.verify }).count()).toBe(0);
      await tab.close();
    });

    test.each(byTurns(SCREENS, 1))("there and back, %s", async (screen, viewport) => {
      sandbox.admin.settings.locale = language;
      const tab = await visit(browser, { viewport, locale: language === "es" ? "es-MX" : "en-US" });
      const words = (key: string) => say(language, key);
      const where = (app: Frame) => app.getByText(words("shell:test.text"), { exact: true });
      for (const [name, path] of byTurns(Object.entries(PAGES), 0)) {
        const app = await open(tab, path);
        await where(app).waitFor();
        await look(tab, app, `${name}-${language}-${screen}`);
      }
      for (const to of ["production", "test"] as const) {
        const app = await open(tab, "/app/settings");
        const frozen = app.getByRole("heading", {
          name: words(`settings:connection.frozen.${to}.heading`),
          exact: true,
        });
        await frozen.waitFor();
        await app.getByText(words("settings:connection.frozen.badge"), { exact: true }).waitFor();
        await look(tab, app, `settings-before-${to}-${language}-${screen}`);
        const press = words(`settings:connection.frozen.${to}.switch`);
        await app.getByRole("button", { name: press, exact: true }).click();
        const dialog = app.getByRole("dialog");
        await app.getByText(words("settings:connection.frozen.kept"), { exact: true }).waitFor();
        await look(tab, app, `dialog-${to}-${language}-${screen}`);
        await dialog.getByRole("button", { name: press, exact: true }).click();
        await frozen.waitFor({ state: "hidden" });
        const other = to === "test" ? "production" : "test";
        const next = words(`settings:connection.frozen.${other}.heading`);
        await app.getByRole("heading", { name: next, exact: true }).waitFor();
        await (to === "test" ? where(app).waitFor() : where(app).waitFor({ state: "hidden" }));
      }
      const kept = ["test", "production"].map((name) => sandbox.shipping!.templates(`${name}-client-1`).length);
      expect(kept).toEqual([5, 5]);
      expect(tab.complaints).toEqual([]);
      await tab.close();
    });
  });
});
