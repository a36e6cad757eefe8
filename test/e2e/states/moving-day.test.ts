import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { playTheJob } from "../../sandbox/play/play.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { sidewaysScroll, violationsIn } from "../axe.ts";
import { findBrowser, keepWholePage, launchBrowser, NARROW, takenOver, visit, WIDE } from "../browser.ts";
import type { Visit } from "../browser.ts";
import { say } from "../dialogs.ts";
import { CLIENT, LOCATION, STORE } from "../job-stage.ts";
import { LANGUAGES } from "../../whole.ts";

/** A location moves: its owner enters the coming address, carriers verify it, and the link passes over at a press. */

const executable = findBrowser();

/** Another address in each language, so that each is a move. */
const STREETS = { es: ["Calle Durango", "210"], en: ["Calle Colima", "35"] } as const;

describe.skipIf(!executable)("a moving day", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({
      locale: "en",
      shops: 1,
      shipping: {
        verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "verified" } },
      },
    });
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    browser = await launchBrowser(executable!);
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  describe.each(LANGUAGES)("%s", (language) => {
    let tab: Visit;
    let app: Frame;

    beforeAll(async () => {
      sandbox.admin.settings.locale = language;
      tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
    });
    afterAll(() => tab?.close());

    const words = (key: string) => say(language, `move:${key}`);
    const shop = () => [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
    const legacyId = () => [...shop().locations.values()].find(({ name }) => name === LOCATION)!.id;
    const streets = () =>
      sandbox.shipping!.templates(CLIENT).map(({ address }) => (address as { street1: string }).street1);
    const button = (name: string) => app.getByRole("button", { name, exact: true });

    async function open(path: string): Promise<void> {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
      app = await tab.app();
      await takenOver(app.locator("h1").first());
    }

    async function looksWell(name: string): Promise<void> {
      for (const [screen, size] of [
        ["wide", WIDE],
        ["phone", NARROW],
      ] as const) {
        await tab.page.setViewportSize(size);
        expect.soft(await violationsIn(app), screen).toEqual([]);
        expect.soft(await sidewaysScroll(app), screen).toEqual([]);
        await keepWholePage({ page: tab.page, app, name: `${name}-${language}-${screen}` });
      }
      await tab.page.setViewportSize(WIDE);
    }

    test("is planned, verified, told everywhere, and passes over at a press", async () => {
      const [street, number] = STREETS[language];
      const before = streets();
      await open(`/app/origins/${legacyId()}/move`);
      await button(words("plan.submit")).click();
      await app.locator("[aria-invalid=true]").first().waitFor();
      await looksWell("move-lacks");
      const place = {
        street1: street,
        street_number: number,
        area_level3: "Roma Norte",
        postal_code: "06700",
        area_level2: "Cuauhtémoc",
        area_level1: "Ciudad de México",
        reference: "Puerta azul",
      };
      for (const [name, value] of Object.entries(place)) await app.locator(`[name="${name}"]`).fill(value);
      await button(words("plan.submit")).click();
      await expect.poll(streets, { timeout: 30_000 }).toContain(street);
      expect(streets()).toHaveLength(before.length + 1);
      await button(words("coming.press")).waitFor();
      await expect
        .poll(
          async () => {
            await open(`/app/origins/${legacyId()}/move`);
            return app.getByText("FedEx: ").count();
          },
          { timeout: 30_000 },
        )
        .toBeGreaterThan(0);
      await looksWell("move-coming");
      const news = words("news.by_hand");
      await open(`/app/origins/${legacyId()}`);
      await app.getByText(news).first().waitFor();
      await open(`/app/origins/${legacyId()}/move`);
      await button(words("coming.press")).click();
      await app
        .getByRole("dialog")
        .getByRole("button", { name: words("coming.press"), exact: true })
        .click();
      await app.getByText(words("news.held")).first().waitFor();
      await looksWell("move-passed");
      expect(streets()).toHaveLength(before.length + 1);
      await open(`/app/origins/${legacyId()}`);
      await app.getByText(words("news.held")).first().waitFor();
      await expect.poll(() => app.locator('[name="street1"], main').first().count()).toBeGreaterThan(0);
      await open("/app/activity");
      await app.getByText(say(language, "activity:kind.moved")).first().waitFor();
    });
  });
});
