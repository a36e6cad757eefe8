import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { DEMO_POSTAL_CODES } from "../sandbox/data/postal-codes.ts";
import { playTheJob } from "../sandbox/play/play.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { sidewaysScroll, violationsIn } from "./axe.ts";
import { findBrowser, keepWholePage, launchBrowser, NARROW, takenOver, visit, WIDE } from "./browser.ts";
import type { Visit } from "./browser.ts";
import { say } from "./dialogs.ts";
import { LOCATION, STORE } from "./job-stage.ts";
import { createKeyboard } from "./keyboard.ts";
import type { Keyboard } from "./keyboard.ts";
import { IS_WHOLE, LANGUAGES } from "../whole.ts";

/** With an imported list of postal codes: a colonia is chosen by keyboard, what is empty is filled in, and what was written is kept. */

const SAYS = "common:postalCodeSays";

/** Two new locations: one without its colonia, and one whose code is another state's. */
const [ROMA, AGAINST] = ["Taller Roma", "Taller Vallarta"];
const NEW_LOCATIONS = [
  {
    name: ROMA,
    address: { address1: "Calle Orizaba 101", city: "Ciudad de México", provinceCode: "DF", zip: "06700" },
  },
  { name: AGAINST, address: { address1: "Av. Vallarta 100", city: "Guadalajara", provinceCode: "JAL", zip: "64000" } },
];

const filledIn = (words: string, values: Record<string, string>): string =>
  Object.entries(values).reduce((left, [name, value]) => left.replace(`{${name}}`, value), words);

const executable = findBrowser();

describe.skipIf(!executable)("with a list of postal codes", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ locale: "en", shops: 1, postalCodes: DEMO_POSTAL_CODES });
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    const shop = [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
    for (const location of NEW_LOCATIONS) sandbox.admin.locations.create(shop, location);
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
    const valueOf = (field: string) => app.locator(`[name="${field}"]`).inputValue();
    const holds = (field: string, value: string) => expect.poll(() => valueOf(field)).toBe(value);

    async function open(path: string): Promise<void> {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
      app = await tab.app();
      await takenOver(app.locator("h1").first());
    }

    async function fill(field: string, value: string, back = false): Promise<void> {
      await keyboard.tabTo(label(field), { back });
      await keyboard.type(value);
    }

    async function looksWell(name: string): Promise<void> {
      for (const [screen, size] of [
        ["wide", WIDE],
        ["phone", NARROW],
      ] as const) {
        await tab.page.setViewportSize(size);
        expect.soft(await violationsIn(app), screen).toEqual([]);
        // An open list finds its place on the new screen a moment later.
        await expect.poll(() => sidewaysScroll(app), { message: screen }).toEqual([]);
        await keepWholePage({ page: tab.page, app, name: `${name}-${language}-${screen}` });
      }
      await tab.page.setViewportSize(WIDE);
    }

    test("a code fills the empty municipality and state, and offers its colonias", async () => {
      await open("/app/address-book/new");
      await fill("postal_code", "06700");
      await holds("area_level2", "Cuauhtémoc");
      expect(await valueOf("area_level1")).toBe("Ciudad de México");
      await keyboard.tabTo(label("area_level3"), { back: true });
      await app.getByRole("option", { name: "Roma Norte" }).waitFor();
      await looksWell("postal-code-colonias");
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await holds("area_level3", "Roma Norte");
      await app.getByRole("option", { name: "Roma Norte" }).waitFor({ state: "hidden" });
      // Nobody wrote the municipality and the state, so that they follow another code. The colonia was chosen, and stays.
      await fill("postal_code", "64000");
      await holds("area_level2", "Monterrey");
      await holds("area_level1", "Nuevo León");
      await holds("area_level3", "Roma Norte");
    });

    test.runIf(IS_WHOLE)("what was written against the code is kept, and both sides are named", async () => {
      await open("/app/address-book/new");
      await fill("area_level3", "La que no está en la lista");
      await fill("area_level2", "Guadalajara");
      await fill("area_level1", "Jalisco");
      await fill("postal_code", "64000", true);
      const says = (names: { says: string; written: string }) =>
        app.getByText(filledIn(say(language, SAYS), { code: "64000", ...names })).waitFor();
      await says({ says: "Monterrey", written: "Guadalajara" });
      await says({ says: "Nuevo León", written: "Jalisco" });
      await looksWell("postal-code-contradicts");
      await holds("area_level2", "Guadalajara");
      await holds("area_level1", "Jalisco");
      await holds("area_level3", "La que no está en la lista");
    });

    test.runIf(IS_WHOLE)("a location's page offers the colonias of its code, and keeps any other", async () => {
      const shop = [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
      const location = [...shop.locations.values()].find(({ name }) => name === LOCATION)!;
      await open(`/app/origins/${location.id}`);
      await keyboard.tabTo(say(language, "origin:form.editLong"));
      await keyboard.press("Enter");
      await app.getByRole("combobox", { name: label("area_level3") }).waitFor();
      await fill("area_level3", "Cen");
      await app.getByRole("option", { name: "Mérida Centro" }).waitFor();
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await holds("area_level3", "Mérida Centro");
      await keyboard.type("Ce");
      await app.getByRole("option", { name: "Mérida Centro" }).waitFor();
      await looksWell("postal-code-origin");
      await keyboard.type("Otra");
      await keyboard.press("Tab");
      await holds("area_level3", "Otra");
    });

    test("Review offers the colonias of each code without asking for them, and names both sides", async () => {
      const asked: string[] = [];
      tab.page.on("request", (request) => asked.push(request.url()));
      await open("/app/review");
      const cell = (field: string, location: string) =>
        filledIn(say(language, "review:cell"), { field: label(field), location });
      const colonia = app.getByRole("combobox", { name: cell("area_level3", ROMA) });
      await colonia.waitFor();
      await keyboard.tabTo(cell("area_level3", ROMA));
      await app.getByRole("option", { name: "Roma Norte" }).waitFor();
      await looksWell("postal-code-review");
      // Where the screen was exchanged, the list was closed.
      await keyboard.tabTo(say(language, "review:editNamed").replace("{location}", ROMA), { back: true });
      await keyboard.tabTo(cell("area_level3", ROMA));
      await app.getByRole("option", { name: "Roma Norte" }).waitFor();
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await expect.poll(() => colonia.inputValue()).toBe("Roma Norte");
      await keyboard.type("La que no está");
      await keyboard.press("Tab");
      expect(await colonia.inputValue()).toBe("La que no está");
      for (const names of [
        { says: "Monterrey", written: "Guadalajara" },
        { says: "Nuevo León", written: "Jalisco" },
      ])
        await app.getByText(filledIn(say(language, SAYS), { code: "64000", ...names })).waitFor();
      const municipality = app.getByRole("combobox", { name: cell("area_level2", AGAINST) });
      expect(await municipality.inputValue()).toBe("Guadalajara");
      await keyboard.tabTo(cell("area_level2", AGAINST));
      await keyboard.press("ArrowDown");
      await keyboard.press("Enter");
      await expect.poll(() => municipality.inputValue()).toBe("Monterrey");
      expect(asked.filter((url) => url.includes("/app/postal-codes/"))).toEqual([]);
      expect(asked.length).toBeGreaterThan(0);
    });

    test.runIf(IS_WHOLE)("Settings says whose list is in use", async () => {
      await open("/app/settings");
      const line = app.getByText(say(language, "settings:postalCodes.source.by_hand"));
      await line.scrollIntoViewIfNeeded();
      await looksWell("postal-code-settings");
      expect(await line.innerText()).toMatch(new RegExp(`\\b${DEMO_POSTAL_CODES.length}\\b`));
    });
  });
});
