import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { playTheJob } from "../sandbox/play/play.ts";
import type { ShippingServiceOptions } from "../sandbox/shipping/options.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { sidewaysScroll, violationsIn } from "./axe.ts";
import { findBrowser, keepWholePage, launchBrowser, NARROW, takenOver, visit, WIDE } from "./browser.ts";
import type { Visit } from "./browser.ts";
import { say } from "./dialogs.ts";
import { CLIENT, LOCATION, STORE } from "./job-stage.ts";
import { createKeyboard } from "./keyboard.ts";
import type { Keyboard } from "./keyboard.ts";
import { IS_WHOLE, LANGUAGES } from "../whole.ts";

/** What a label shows of an address, while it is typed: its cuts, a shorter form on a press, and what it is warned of. */

/** Typed, and its shorter form; another one in each language, so that each is a change. */
const STREETS = {
  es: ["Avenida Prolongación Paseo de Montejo Norte", "Av. Prol. Paseo de Montejo Nte."],
  en: ["Avenida Prolongación Paseo de Montejo Poniente", "Av. Prol. Paseo de Montejo Pte."],
} as const;

const ABROAD = {
  name: "Laredo",
  address: { address1: "100 Main St", city: "Laredo", provinceCode: "TX", countryCode: "US", zip: "78040" },
};

/** Estafeta says what it has against the address. */
const SAID = "El teléfono no existe";
const CARRIERS: ShippingServiceOptions = {
  verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: SAID } },
};

const executable = findBrowser();

describe.skipIf(!executable)("what a label shows", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ locale: "en", shops: 1, shipping: CARRIERS });
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    const shop = [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
    sandbox.admin.locations.create(shop, ABROAD);
    browser = await launchBrowser(executable!);
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  describe.each(LANGUAGES)("%s", (language) => {
    let tab: Visit;
    let keyboard: Keyboard;
    let app: Frame;

    beforeAll(async () => {
      sandbox.admin.settings.locale = language;
      tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
      keyboard = createKeyboard(tab.page);
    });
    afterAll(() => tab?.close());

    const label = (field: string) => say(language, `common:fields.${field}`);
    const words = (key: string, shown = "") => say(language, `label:${key}`).replace("{shown}", shown);
    const field = (name: string) => app.locator(`[name="${name}"]`);
    /** The words below a field. */
    const below = (name: string) =>
      app.locator(".Polaris-Labelled__HelpText, [id$=HelpText]").filter({ hasText: name });
    const streets = () =>
      sandbox.shipping!.templates(CLIENT).map(({ address }) => (address as { street1: string }).street1);
    const legacyId = () => {
      const shop = [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
      return [...shop.locations.values()].find(({ name }) => name === LOCATION)!.id;
    };

    async function open(path: string): Promise<void> {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
      app = await tab.app();
      await takenOver(app.locator("h1").first());
    }

    async function fill(name: string, value: string, back = false): Promise<void> {
      await keyboard.tabTo(label(name), { back });
      await keyboard.type(value);
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

    test("an origin's page cuts its lines, and shortens the street on a press alone", async () => {
      await open(`/app/origins/${legacyId()}`);
      const said = say(language, "origin:form.carrierSaid").replace("{carrier}", "Estafeta").replace("{words}", SAID);
      // Beside what stands in the account, and beside the field.
      await expect.poll(() => app.getByText(said).count()).toBe(2);
      const [long, short] = STREETS[language];
      await fill("street1", long);
      await fill("reference", "S/N");
      await app.getByText(words("losesNumber")).first().waitFor();
      await below(words("warning.empty_reference", "S/N")).waitFor();
      await looksWell("label-origin");
      const before = streets();
      expect(await field("street1").inputValue()).toBe(long);
      await keyboard.tabTo(words("useShorter"));
      await keyboard.press("Enter");
      await expect.poll(() => field("street1").inputValue()).toBe(short);
      await app.getByRole("button", { name: words("useShorter") }).waitFor({ state: "hidden" });
      // Nothing was saved by the press. A save makes it the owner's own words.
      expect(streets()).toEqual(before);
      await tab.page.getByRole("button", { name: say(language, "common:save"), exact: true }).click();
      await expect.poll(streets).toContain(short);
    });

    test.runIf(IS_WHOLE)("a location outside Mexico is said to be not supported yet, with the reason", async () => {
      await open("/app/origins");
      // The reason stands behind the state, for whoever points at it or comes to it by keyboard.
      await app.locator("tr").filter({ hasText: ABROAD.name }).locator("button.origen-why").focus();
      const reason = app.getByText(say(language, "origins:list.abroad"));
      await reason.waitFor();
      await tab.page.keyboard.press("Escape");
      await reason.waitFor({ state: "hidden" });
      await looksWell("abroad-origins");
      await app.getByRole("link", { name: ABROAD.name }).click();
      await app.getByText(say(language, "origin:excluded.abroad.title")).first().waitFor();
      await looksWell("abroad-origin");
      expect(await app.getByText(say(language, "origin:excluded.include")).count()).toBe(0);
    });

    test.runIf(IS_WHOLE)("the template's form warns where the field is typed, and saves all the same", async () => {
      await open("/app/address-book/new");
      const alias = `Bodega ${language}`;
      const typed = {
        alias_name: alias,
        street1: "Calle Morelos 120",
        area_level3: "Centro 🌵",
        postal_code: "44100",
        area_level2: "Guadalajara",
        area_level1: "Jalisco",
        reference: "Portón azul",
        name: "Ana",
        email: "ana@taller-copal.example",
        phone: "+1 212 555 0100",
        rfc: "XAXX010101000",
      };
      for (const [name, value] of Object.entries(typed)) await fill(name, value);
      const warned = [
        ["number_in_street", "120"],
        ["unprintable", "🌵"],
        ["one_word_name", ""],
        ["phone_abroad", ""],
        ["rfc_public", ""],
      ] as const;
      for (const [code, shown] of warned) {
        await below(words(`warning.${code}`, shown)).waitFor();
        expect(await app.getByText(words(`warning.${code}`, shown)).count()).toBe(2);
      }
      await looksWell("label-template");
      await keyboard.tabTo(say(language, "addressBook:new.save"));
      await keyboard.press("Enter");
      await expect
        .poll(() => sandbox.shipping!.templates(CLIENT).some(({ alias_name }) => alias_name === alias))
        .toBe(true);
    });
  });
});
