import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame, Locator } from "playwright-core";
import { sidewaysScroll, toldByColourAlone, violationsIn } from "./axe.ts";
import { DIALOGS, opener, say } from "./dialogs.ts";
import {
  drawn,
  menuIsFollowed,
  noteFollowers,
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
import { bannersTogether, clippedText, rawWords } from "./states/legible.ts";
import { NEW_STORE, NO_SUCH_PAGE, PAGES, startPagesStage } from "./pages-stage.ts";
import type { PageName, PagesStage } from "./pages-stage.ts";
import { byTurns, IS_WHOLE, LANGUAGES } from "../whole.ts";

/**
 * Every page and dialog, in both languages, wide, on a phone and enlarged: accessible, quiet, and no wider than the screen. A short run
 * looks at them in Spanish, at one half wide and at the other on a phone, and at half of what can be done there.
 *
 * Long, because the cases that follow the pages use their stage, which takes longest to make.
 */

const executable = findBrowser();

/** `enlarged`: what a window of 1280 × 900 holds at 200 %. */
const SCREENS = {
  wide: WIDE,
  enlarged: { width: 640, height: 450 },
  phone: NARROW,
  smallest: { width: 320, height: 640 },
};
type Screen = keyof typeof SCREENS;
/** The others lay out as one of these does. */
const LAYOUTS: readonly Screen[] = ["wide", "phone"];

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

  describe.each(LANGUAGES)("%s", (language) => {
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
      const layouts = byTurns(LAYOUTS, Object.keys(PAGES).indexOf(name));
      await page.setViewportSize(WIDE);
      const response = await page.goto(PAGES[name](stage));
      expect(response!.status()).toBe(200);
      const app = await tab.app();
      await takenOver(app.locator("h1").first());
      // Nobody has touched or submitted anything.
      expect.soft(await app.locator("[aria-invalid='true']").count()).toBe(0);

      for (const screen of Object.keys(SCREENS) as Screen[]) {
        await page.setViewportSize(SCREENS[screen]);
        await drawn(app);
        expect.soft(await sidewaysScroll(app), screen).toEqual([]);
        if (!layouts.includes(screen)) continue;
        expect.soft(await clippedText(app), screen).toEqual([]);
        expect.soft(await violationsIn(app), screen).toEqual([]);
        await keepWholePage({ page, app, name: `${name}-${language}-${screen}` });
      }
      expect.soft(await toldByColourAlone(app)).toEqual([]);
      expect.soft(await rawWords(app)).toEqual([]);
      expect.soft(await bannersTogether(app)).toEqual([]);
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
      for (const screen of byTurns(LAYOUTS, Object.keys(DIALOGS).indexOf(name))) {
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

    test.runIf(IS_WHOLE)("on a phone, all that can be done to many origins", async () => {
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

    test.runIf(IS_WHOLE)("the shift key selects the rows between, and marks none of their words", async () => {
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

    test.runIf(IS_WHOLE)(
      "the list of origins is filtered and sorted by its address, a view is kept, and a pause is undone",
      async () => {
        const { page } = tab;
        await page.setViewportSize(WIDE);
        await page.goto(stage.url("/app/origins"));
        const app = await tab.app();
        const names = () => app.locator("tbody [data-primary-link]").allTextContents();
        const filter = (key: string) => app.getByLabel(say(language, `origins:filters.${key}`), { exact: true });
        await takenOver(filter("problem"));
        await filter("problem").selectOption("refused");
        await expect.poll(names).toEqual(["Almacén Mérida"]);
        const reason = app.getByRole("button", { name: /^DHL/ });
        await reason.focus();
        await app.getByText(`DHL: ${say(language, "origins:carrier.refused")}`, { exact: true }).waitFor();

        await app.getByRole("button", { name: say(language, "origins:views.heading"), exact: true }).click();
        await app
          .getByRole("button", { name: new RegExp(`^${say(language, "origins:views.save")}`) })
          .first()
          .click();
        await app.getByLabel(say(language, "origins:views.name"), { exact: true }).fill("DHL ✗");
        await app
          .getByRole("dialog")
          .getByRole("button", { name: say(language, "origins:views.keep") })
          .click();
        await app.getByRole("button", { name: "DHL ✗", exact: true }).waitFor();

        await app.getByRole("button", { name: say(language, "origins:filters.clear"), exact: true }).click();
        await expect.poll(async () => (await names()).length).toBeGreaterThan(3);
        const all = await names();
        const heading = (key: string) =>
          app.getByRole("columnheader").getByRole("button", { name: say(language, `origins:list.heading.${key}`) });
        await heading("origin").first().click();
        await expect.poll(names).toEqual(all.toReversed());
        await heading("carriers").first().click();
        await expect.poll(async () => (await names())[0]).toBe("Almacén Mérida");
        await app.getByRole("button", { name: say(language, "origins:views.heading"), exact: true }).click();
        await app.getByRole("button", { name: "DHL ✗", exact: true }).click();
        await expect.poll(names).toEqual(["Almacén Mérida"]);

        await app.locator("tbody").getByRole("checkbox").first().click();
        await app.getByRole("button", { name: language === "es" ? "Más acciones" : "More actions" }).click();
        await app
          .getByRole("button", { name: say(language, "origins:bulk.pause"), exact: true })
          .last()
          .click();
        await expect.poll(names).toEqual([]);
        await page.getByRole("button", { name: say(language, "common:undo"), exact: true }).click();
        await expect.poll(names).toEqual(["Almacén Mérida"]);
      },
    );

    test.each(byTurns(["s-app-nav", "ui-nav-menu"], 0))(
      "the admin's menu, by %s, leads on without loading the app anew",
      async (kind) => {
        const own = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
        // An App Bridge of before knows the old element alone.
        if (kind === "ui-nav-menu")
          await own.context.addInitScript(() => {
            const define = customElements.define.bind(customElements);
            customElements.define = (name, ...rest) => (name === "s-app-nav" ? undefined : define(name, ...rest));
          });
        await noteFollowers(own.context);
        await own.page.goto(stage.url("/app"));
        const app = await own.app();
        await app.locator(kind).waitFor({ state: "attached" });
        await menuIsFollowed(app);
        await app.evaluate(() => Object.assign(window, { isSameDocument: true }));
        const title = say(language, "settings:title");
        await own.page.getByRole("link", { name: title, exact: true }).click();
        await app.getByRole("heading", { name: title, level: 1 }).waitFor();
        expect(await app.evaluate(() => "isSameDocument" in window)).toBe(true);
        await own.close();
      },
    );

    test("before anything is connected, one way to connect", async () => {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(stage.url("/app", NEW_STORE));
      const app = await tab.app();
      await app.getByRole("heading", { name: say(language, "home:setup.heading") }).waitFor();
      const connect = app.getByRole("button", { name: say(language, "settings:connection.connect"), exact: true });
      expect(await connect.count()).toBe(1);
      expect(await app.locator('main a[href*="settings#connection"]').count()).toBe(0);
    });

    test.runIf(IS_WHOLE)(
      "the shop's contact is a line in Review once it is complete, and opens with the focus in it",
      async () => {
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
      },
    );

    test.runIf(IS_WHOLE)(
      "Review names the field that the store's contact lacks beside the way there, and says on each row that it needs the contact",
      async () => {
        await tab.page.setViewportSize(WIDE);
        await tab.page.goto(stage.url("/app/review"));
        const app = await tab.app();
        const field = say(language, "common:fields.name");
        const edit = app.getByRole("button", { name: say(language, "review:contact.editLong") });
        await takenOver(edit);
        await edit.click();
        await app.getByLabel(field, { exact: true }).fill("");
        const lacks = say(language, "review:outlook.contact");
        const [named] = say(language, "review:contactLacks").replace("{fields}", field).split(" {count");
        // The other one's template has a name, which stays.
        await expect.poll(() => app.getByRole("listitem").getByText(lacks).count()).toBe(1);
        await app.locator(".review-bar").getByText(named!).waitFor();
        await app.getByRole("checkbox", { name: "Local Puebla" }).focus();
        await app.getByRole("button", { name: say(language, "review:next") }).click();
        await app.waitForFunction(() => document.activeElement?.matches("input[aria-required='true']"));
        expect(
          await app
            .getByLabel(field)
            .first()
            .evaluate((input) => input === document.activeElement),
        ).toBe(true);
        await app.getByLabel(field).first().fill("Elena Robles");
        await expect.poll(() => app.getByText(lacks).count()).toBe(0);
      },
    );

    test("what Review lacks is an error once somebody pressed, and has the focus then", async () => {
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(PAGES.review(stage));
      const app = await tab.app();
      await takenOver(app.locator("h1").first());
      await app.getByRole("checkbox", { name: "Local Puebla" }).uncheck();
      const lacking = app.locator("[aria-invalid='true']");
      expect(await lacking.count()).toBe(0);
      await app.getByRole("button", { name: /^(Confirmar|Confirm)$/ }).click();
      await lacking.waitFor();
      expect(await lacking.evaluate((field) => field === document.activeElement)).toBe(true);
    });

    test.runIf(IS_WHOLE)("an address is in a country by its name, Mexico first", async () => {
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

    test("an address that changed in Shopify is confirmed with one press, on the location's own page", async () => {
      const { page } = tab;
      const number = language === "es" ? "222-4" : "224-6";
      await stage.moveInShopify("Tienda Roma Norte", { address1: `Reforma ${number}`, address2: "Plaza Azul, Juárez" });
      await page.setViewportSize(WIDE);
      await page.goto(PAGES.origin(stage));
      const app = await tab.app();
      const confirm = app.getByRole("button", { name: say(language, "origin:lapsed.confirm") });
      await takenOver(confirm);
      for (const screen of ["wide", "phone"] as const) {
        await page.setViewportSize(SCREENS[screen]);
        await drawn(app);
        expect.soft(await sidewaysScroll(app), screen).toEqual([]);
        expect.soft(await violationsIn(app), screen).toEqual([]);
        await keepWholePage({ page, app, name: `origin-moved-${language}-${screen}` });
      }
      await app.getByText(say(language, "origin:address.nextConfirm")).first().waitFor({ state: "attached" });
      await confirm.click();
      await app.getByText(say(language, "origin:address.same")).waitFor();
      expect(await confirm.count()).toBe(0);
      expect(stage.templateOf("Tienda Roma Norte")).toMatchObject({ street_number: number });
    });

    /** What the account had of a template that `addKnownThere` made, and goes on to have. */
    const KNOWN = { name: "Ramón Ituarte", phone: "2222420707", rfc: "XAXX010101000", reference: "Junto al zaguán" };
    const THEIR_EMAIL = "puebla@taller-copal.example";

    /** Both values of the e-mail are shown with the book's chosen; the owner chooses the store's. */
    async function chooseOwnEmail(
      app: Frame,
      { within, name }: { within: Frame | Locator; name: string },
    ): Promise<void> {
      const field = say(language, "common:fields.email");
      const words = say(language, "origin:preview.choice").replace("{field}", field);
      const email = within.getByRole("group", { name: words.replace("{alias}", `${name}, de antes`), exact: true });
      await takenOver(email.getByRole("radio").first());
      expect(await email.textContent()).toContain(THEIR_EMAIL);
      const [theirs, ours] = [email.getByRole("radio").first(), email.getByRole("radio").last()];
      expect([await theirs.isChecked(), await ours.isChecked()]).toEqual([true, false]);
      for (const screen of ["phone", "wide"] as const) {
        await tab.page.setViewportSize(SCREENS[screen]);
        await drawn(app);
        expect.soft(await sidewaysScroll(app), screen).toEqual([]);
        expect.soft(await violationsIn(app), screen).toEqual([]);
        await keepWholePage({ page: tab.page, app, name: `linking ${name}-${language}-${screen}` });
      }
      await ours.check();
    }

    async function keepsTheRest(templateId: string): Promise<void> {
      await expect.poll(() => stage.template(templateId).email).not.toBe(THEIR_EMAIL);
      expect(stage.template(templateId)).toMatchObject(KNOWN);
    }

    test.runIf(IS_WHOLE)(
      "a template that Review links keeps its contact, but for what the owner chose to replace",
      async () => {
        const name = language === "es" ? "Taller Analco" : "Taller Xanenetla";
        const { templateId } = await stage.addKnownThere(name, language === "es" ? "512" : "514");
        await tab.page.setViewportSize(WIDE);
        await tab.page.goto(PAGES.review(stage));
        const app = await tab.app();
        await takenOver(app.getByLabel("Local Puebla", { exact: true }));
        await app.getByLabel("Local Puebla", { exact: true }).uncheck({ force: true });
        await app.getByRole("button", { name: say(language, "review:editNamed").replace("{location}", name) }).click();
        const cell = app.getByLabel(`${say(language, "common:fields.reference")}, ${name}`, { exact: true });
        expect(await cell.inputValue()).toBe(KNOWN.reference);
        // What stays and what the store has instead is told without a press.
        await app.getByRole("listitem").filter({ has: cell }).getByText(THEIR_EMAIL).waitFor();
        const more = say(language, "origin:preview.chooseEachNamed").replace("{alias}", `${name}, de antes`);
        await app.getByRole("button", { name: more, exact: true }).click();
        await chooseOwnEmail(app, { within: app, name });
        await app.getByRole("button", { name: /^(Confirmar y guardar|Confirm and save) 1/ }).click();
        await keepsTheRest(templateId);
      },
    );

    test("the dialog to link shows what stays before anybody presses, and links just that", async () => {
      const name = language === "es" ? "Taller Amalucan" : "Taller Cuexcomate";
      const { templateId } = await stage.addKnownThere(name, language === "es" ? "612" : "614");
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(stage.url(stage.origin(name)));
      const app = await tab.app();
      const open = opener(app, { place: DIALOGS.link!, language });
      await takenOver(open);
      // Nothing is sure while another address may be linked instead.
      await app.getByText(say(language, "origin:address.wouldSave")).waitFor();
      await open.click();
      const alias = `${name}, de antes`;
      await app
        .getByRole("button", { name: say(language, "origin:link.chooseNamed").replace("{alias}", alias) })
        .click();
      const dialog = app.getByRole("dialog");
      await dialog.getByText(KNOWN.rfc).waitFor();
      await chooseOwnEmail(app, { within: dialog, name });
      await app.getByRole("button", { name: say(language, "origin:link.link"), exact: true }).click();
      await keepsTheRest(templateId);
      await app.getByText(say(language, "origin:address.same")).waitFor();
    });

    test.runIf(IS_WHOLE)(
      "what is chosen to stay as the account has it is shown so, and so is a location that is switched off",
      async () => {
        const name = "Sucursal Coyoacán";
        const theirs = `Timbre azul, ${language}`;
        stage.editThere(name, { reference: theirs });
        await stage.refreshConnection();
        await tab.page.setViewportSize(WIDE);
        await tab.page.goto(stage.url(stage.origin(name)));
        const app = await tab.app();
        const keep = app.getByRole("button", {
          name: say(language, "origin:differences.useTheirsFor").replace(
            "{field}",
            say(language, "common:fields.reference"),
          ),
        });
        await takenOver(keep);
        await keep.click();
        await app.getByText(say(language, "origin:address.kept")).waitFor();
        await app.locator("dl.origen-fields").getByText(theirs, { exact: true }).waitFor();
        await app.getByText(say(language, "origin:address.sameButKept")).waitFor();
        expect(await app.getByText(say(language, "origin:address.next"), { exact: true }).count()).toBe(0);

        stage.setActive(name, false);
        await app.getByText(say(language, "origin:address.left")).waitFor();
        await app.locator("dl.origen-fields").getByText(theirs, { exact: true }).waitFor();
        expect(await app.getByText(say(language, "origin:address.toSave")).count()).toBe(0);
        stage.setActive(name, true);
        await app.getByText(say(language, "origin:address.sameButKept")).waitFor();
      },
    );

    test.runIf(IS_WHOLE)(
      "on a phone an origin's page begins with what is to be done, and what is seldom needed opens at a press",
      async () => {
        const { page } = tab;
        await page.setViewportSize(NARROW);
        await page.goto(PAGES["origin-changed-there"](stage));
        const app = await tab.app();
        const keep = app.getByRole("button", { name: new RegExp(`^${say(language, "origin:differences.useTheirs")}`) });
        await takenOver(keep.first());
        const { height } = NARROW;
        expect((await keep.first().boundingBox())!.y).toBeLessThan(height * 1.2);
        expect(await app.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2 * height);
        const seldom = [
          app.getByRole("link", { name: say(language, "origin:history.all") }),
          app.getByText(say(language, "label:line.street")),
          app.getByRole("button", { name: say(language, "origin:verification.choose") }),
          app.getByText(say(language, "origin:readiness.confirmed.met")),
        ];
        for (const each of seldom) expect(await each.isVisible()).toBe(false);
        const show = say(language, "common:fold.show");
        for (const heading of ["history.title", "verification.title", "readiness.turn.met", "address.account"])
          await app.getByRole("button", { name: `${show}: ${say(language, `origin:${heading}`)}` }).click();
        await app.getByRole("button", { name: `${show}: ${say(language, "label:title")}` }).click();
        for (const each of seldom) await each.waitFor();
        await drawn(app);
        expect.soft(await sidewaysScroll(app)).toEqual([]);
        expect.soft(await violationsIn(app)).toEqual([]);

        await page.setViewportSize(WIDE);
        await page.reload();
        const wide = await tab.app();
        await wide.getByRole("link", { name: say(language, "origin:history.all") }).waitFor();
        expect(await wide.getByRole("button", { name: new RegExp(`^${show}: `) }).count()).toBe(0);
      },
    );

    test.runIf(IS_WHOLE)(
      "an answer that is neither yes nor no is told in our words, with a button to ask again",
      async () => {
        const name = "Almacén Mérida";
        stage.answerOfCarrier(name, { carrier: "fedex", status: "under_observation" });
        await stage.refreshConnection();
        await tab.page.setViewportSize(WIDE);
        await tab.page.goto(stage.url(stage.origin(name)));
        const app = await tab.app();
        const words = say(language, "origins:carrier.unknown");
        await app.getByText(`FedEx: ${words}`, { exact: true }).waitFor();
        // Folded away, it is quoted for whoever asks the service's support.
        const told = await app.locator("main").evaluate((main) => {
          const page = main.cloneNode(true) as HTMLElement;
          page.querySelector("#verification-timeline")?.remove();
          return page.textContent;
        });
        expect(told).not.toMatch(/under_observation|not_verified|FedEx: «/);
        const again = app.getByRole("button", {
          name: say(language, "origin:verification.againNamed").replace("{carrier}", "FedEx"),
        });
        await takenOver(again.first());
        await tab.page.goto(stage.url("/app"));
        const home = await tab.app();
        await takenOver(home.locator("h1").first());
        expect(await home.locator("main").innerText()).not.toContain("under_observation");
      },
    );

    test("the address of a location is changed on the location's page, not in the address book", async () => {
      await tab.page.goto(PAGES.address(stage));
      const app = await tab.app();
      const there = app.locator(`main a[href*="/app/origins/"]`).first();
      await there.waitFor();
      expect(await app.locator("main input").count()).toBe(0);
      await there.click();
      await app.getByText(say(language, "origin:form.place")).waitFor();
      expect(new URL(app.url()).pathname).toContain("/app/origins/");
    });

    test.runIf(IS_WHOLE)(
      "an open page asks every five seconds after a change, then every fifteen, and never while it is hidden",
      async () => {
        const own = await visit(browser);
        const { page } = own;
        let revision = "first";
        let asked = 0;
        await page.route(/\/app\/revision/, async (route) => {
          asked += 1;
          await route.fulfill({ json: { revision } });
        });
        let readings = 0;
        page.on("request", (request) => {
          if (/_data=routes%2Fapp\.origins/.test(request.url())) readings += 1;
        });
        await page.clock.install();
        await page.goto(stage.url("/app/origins"));
        const app = await own.app();
        await takenOver(app.locator("h1").first());
        // The page's clock would go on by itself, so a slow machine's seconds would be longer than those counted here.
        await page.clock.pauseAt((await app.evaluate(() => Date.now())) + 1_000);
        /** How often it has asked, once the time has passed and the answers came. */
        const after = async (seconds: number): Promise<number> => {
          const before = asked;
          for (let second = 0; second < seconds; second += 1) {
            await page.clock.runFor(1_000);
            await app.evaluate(() => fetch("/health").catch(() => null));
          }
          return asked - before;
        };
        /** Lets the page's time pass until it has read its list again: on a slow machine an answer comes after more of it. */
        const untilReadAgain = async (begin = () => Promise.resolve()) => {
          const before = readings;
          await begin();
          while (readings === before) await after(1);
        };
        // On a slow machine it may have done so before its clock stood still.
        while (readings === 0) await after(1);
        // Ten seconds after a change it asks each second, which the answer to a press needs.
        await after(20);
        expect(await after(10)).toBe(2);
        await after(120);
        expect(await after(30)).toBe(2);
        const show = (state: DocumentVisibilityState) =>
          app.evaluate((seen) => {
            Object.defineProperty(document, "visibilityState", { value: seen, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
          }, state);
        await show("hidden");
        await after(16);
        expect(await after(60)).toBe(0);
        revision = "second";
        await untilReadAgain(() => show("visible"));
        await own.close();
      },
    );

    test("an open page follows what happens elsewhere, without a press", async () => {
      const { sandbox } = stage;
      await tab.page.setViewportSize(WIDE);
      await tab.page.goto(stage.url("/app/origins"));
      const app = await tab.app();
      await takenOver(app.locator("h1").first());
      const banner = app.getByText(say(language, "shell:connection.failing.title"));
      expect(await banner.count()).toBe(0);
      await sandbox.shipping!.goDown();
      await stage.refreshConnection();
      await banner.waitFor();
      await sandbox.shipping!.comeUp();
      await stage.refreshConnection();
      await banner.waitFor({ state: "detached" });
    });
  });
});
