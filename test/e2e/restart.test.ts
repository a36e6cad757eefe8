import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { makeNextRelease } from "../sandbox/next-release.ts";
import { until } from "../sandbox/play/until.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { startAwayStage } from "./away/away-stage.ts";
import type { AwayStage } from "./away/away-stage.ts";
import { formsOf, isOfPress } from "./away/forms.ts";
import { placesIn, SENT_FROM } from "./away/places.ts";
import type { Place, PlaceName } from "./away/places.ts";
import { findBrowser, keepScreenshot, launchBrowser, takenOver, visit } from "./browser.ts";
import type { Visit } from "./browser.ts";
import { say } from "./dialogs.ts";
import type { PageLanguage } from "./dialogs.ts";
import { STEP_MS } from "../patience.ts";
import { IS_WHOLE, LANGUAGES } from "../whole.ts";

/**
 * The app is killed under every open page and form (`away/places.ts`). Each stays as it is, keeps what was typed, and goes on when the app is
 * back. A short run looks at four of them and leaves the app away for five seconds, in Spanish; the long form for a minute, and in English
 * too.
 */

const executable = findBrowser();

const AWAY_MS = process.env.WHOLE === "1" ? 60_000 : 5_000;
/** A page that only shows, one with a save bar, one with rows, and one whose form makes something. */
const SHORT: PlaceName[] = ["home", "an origin", "review", "new address"];
/** More pages than these at once take a small machine longer to open than a page may take. */
const AT_ONCE = 4;
/** What the browser itself says of answers that did not come, and of a token that has grown old; App Bridge asks again with a new one. */
const NO_ANSWER = /status of (?:50[02]|401)|net::ERR_/;

describe.skipIf(!executable)("while the app is away", () => {
  let stage: AwayStage;
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    stage = await startAwayStage();
    sandbox = stage.sandbox;
    browser = await launchBrowser(executable!);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  afterEach(async () => {
    // A page that is left open by a failure would go on asking.
    for (const context of browser.contexts()) await context.close();
    if (!sandbox.app.running()) await sandbox.app.start();
  });

  interface Open extends Place {
    name: PlaceName;
    tab: Visit;
    app: Frame;
    heading: string;
  }

  async function openAll(language: PageLanguage, added: string, names?: readonly PlaceName[]): Promise<Open[]> {
    sandbox.admin.settings.locale = language;
    const open = async ([name, place]: [PlaceName, Place]): Promise<Open> => {
      const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US", ignores: NO_ANSWER });
      const store = place.store ?? stage.shop.state.handle;
      await tab.page.goto(`${sandbox.adminUrl}/store/${store}/apps/origen${place.path()}`);
      const app = await tab.app();
      await takenOver(app.locator("h1").first());
      await place.open?.(app);
      for (const { field, text } of place.typed?.(app) ?? []) await field.fill(text);
      // What the page asks by itself on opening may keep its button busy.
      await place.press?.(app, tab.page).waitFor();
      return { ...place, name, tab, app, heading: await app.locator("h1").first().innerText() };
    };
    const places = Object.entries(placesIn(stage, language, added)) as [PlaceName, Place][];
    const wanted = places.filter(([name]) => !names || names.includes(name));
    for (const [, place] of wanted) await place.ready?.();
    const opened: Open[] = [];
    for (let first = 0; first < wanted.length; first += AT_ONCE)
      opened.push(...(await Promise.all(wanted.slice(first, first + AT_ONCE).map(open))));
    return opened;
  }

  /** A dialog has closed where it was sent; what was typed in it is there when it is opened again. */
  async function reopen({ app, tab, open, press }: Open): Promise<void> {
    if (open && !(await press!(app, tab.page).isVisible())) await open(app);
  }

  const asItWas = async (each: Open) => {
    await reopen(each);
    const { name, app, heading } = each;
    const fields = each.typed?.(app) ?? [];
    const values = await Promise.all(fields.map(({ field }) => field.inputValue()));
    const shown = { name, heading: await app.locator("h1").first().innerText(), values };
    expect(shown).toEqual({ name, heading, values: fields.map(({ text }) => text) });
  };

  test("no command of the app is sent from elsewhere than these", () => {
    const places = Object.keys(placesIn(stage, "es", "none"));
    const from = Object.values(SENT_FROM).flatMap((commands) =>
      Object.values(commands).map((place: PlaceName | { as: PlaceName }) =>
        typeof place === "string" ? place : place.as,
      ),
    );
    expect(from.filter((name) => !places.includes(name))).toEqual([]);
  });

  test.each(LANGUAGES)("every page and form stays, and goes on when it is back (%s)", async (language) => {
    const open = await openAll(language, `Norte ${language}`, IS_WHOLE ? undefined : SHORT);
    const asked = new Map(open.map(({ name }) => [name, 0]));
    for (const { name, tab } of open)
      tab.page.on("response", (answer) => {
        if (answer.status() === 502) asked.set(name, asked.get(name)! + 1);
      });

    await sandbox.app.kill();
    const awayFrom = Date.now();
    const unanswered = say(language, "shell:unanswered.title");
    await Promise.all(
      open.map(async ({ name, app, tab, press }) => {
        if (!press) return;
        await press(app, tab.page).click();
        const notes = app.getByText(unanswered, { exact: true });
        await notes.first().waitFor();
        expect([name, await notes.count()]).toEqual([name, 1]);
        await keepScreenshot(tab.page, `away-${name.replaceAll(/\W+/g, "-")}-${language}`);
      }),
    );
    await until({
      what: "The end of the absence, with every page asking meanwhile",
      read: () => [...asked].filter(([, times]) => times === 0).map(([name]) => name),
      holds: (silent) => silent.length === 0 && Date.now() - awayFrom > AWAY_MS,
    });
    for (const each of open) await asItWas(each);

    // To another page, by the admin's menu.
    const home = open.find(({ name }) => name === "home")!;
    const link = home.tab.page.locator('#app-nav a[data-path="/app/origins"]');
    await link.click();
    const again = home.app.getByRole("button", { name: say(language, "shell:unopened.action"), exact: true });
    await again.waitFor();
    await asItWas(home);
    await keepScreenshot(home.tab.page, `away-unopened-${language}`);

    await sandbox.app.start();
    await again.click();
    await until({
      what: "The other page",
      read: () => home.app.locator("h1").first().innerText(),
      holds: (heading) => heading !== home.heading,
    });
    expect(await again.count()).toBe(0);
    for (const each of open) {
      if (!each.press) continue;
      await reopen(each);
      const answer = each.tab.page.waitForResponse(isOfPress, { timeout: STEP_MS });
      await each.press(each.app, each.tab.page).click();
      expect([each.name, (await answer).status()]).toEqual([each.name, 200]);
      await until({
        what: `${each.name} without the note that it was not answered`,
        read: async () => ({
          notes: await each.app.getByText(unanswered, { exact: true }).allInnerTexts(),
          forms: await formsOf(each.app),
        }),
        holds: ({ notes }) => notes.length === 0,
      });
      if (each.isDone) await until({ what: `What ${each.name} sent`, read: each.isDone, holds: Boolean });
    }
    for (const { tab } of open) {
      expect(tab.complaints).toEqual([]);
      await tab.close();
    }
  });

  test("a form that arrived, and whose answer was lost, is not done twice by the next press", async () => {
    const [form] = await openAll("en", "Norte lost", ["new address"]);
    const { app, tab, press, isDone } = form!;
    await tab.page.route(/address-book\/new.*_data/, async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await press!(app, tab.page).click();
    await app.getByText(say("en", "shell:unanswered.title"), { exact: true }).waitFor();
    await asItWas(form!);
    expect(await isDone!()).toBe(true);
    await tab.page.unrouteAll({ behavior: "wait" });
    await press!(app, tab.page).click();
    await app.getByRole("heading", { name: "Proveedor Norte lost" }).waitFor();
    expect(await isDone!()).toBe(true);
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  test("a newer release behind an open page loads itself where nothing is typed, and waits where something is", async () => {
    // The new stores of the language have taken their first steps above.
    const all = (Object.keys(placesIn(stage, "en", "none")) as PlaceName[]).filter((name) => !name.startsWith("first"));
    const open = await openAll("en", "Norte later", IS_WHOLE ? all : ["origins", "settings"]);
    await sandbox.app.kill();
    await sandbox.app.start({}, makeNextRelease(join(sandbox.dataDir, "next-release")));
    const isNew = ({ app }: Open) =>
      app
        .evaluate(() =>
          (window as unknown as { __remixManifest: { version: string } }).__remixManifest.version.startsWith("next-"),
        )
        .catch(() => false);
    const isTyped = ({ typed, open: opens }: Open) => typed !== undefined || opens !== undefined;
    for (const each of open.filter((one) => !isTyped(one))) {
      await until({
        what: `The newer release of ${each.name}`,
        read: () => isNew(each),
        holds: Boolean,
      });
      expect(await each.app.locator("h1").first().innerText()).toBe(each.heading);
    }
    for (const each of open.filter(isTyped)) {
      await each.app.getByText(say("en", "shell:newer.title"), { exact: true }).waitFor();
      await asItWas(each);
      expect(await isNew(each)).toBe(false);
    }
    await keepScreenshot(open.find(({ name }) => name === "settings")!.tab.page, "newer-release-en");
    // What is saved leaves nothing typed.
    const saved = open.find(({ name }) => name === "settings")!;
    await saved.press!(saved.app, saved.tab.page).click();
    await until({
      what: "The newer release after the save",
      read: () => isNew(saved),
      holds: Boolean,
    });
    expect(await saved.isDone!()).toBe(true);
    for (const { tab } of open) {
      expect(tab.complaints).toEqual([]);
      await tab.close();
    }
  });
});
