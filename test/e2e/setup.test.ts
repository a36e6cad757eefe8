import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "playwright-core";
import { findBrowser, keepScreenshot, takenOver } from "./browser.ts";
import { violationsIn } from "./axe.ts";
import { say } from "./dialogs.ts";
import type { PageLanguage } from "./dialogs.ts";
import { startJobStage } from "./job-stage.ts";
import type { JobStage } from "./job-stage.ts";
import {
  ALONE,
  ANSWERS,
  clientOf,
  handleOf,
  handOf,
  LOCATIONS,
  makeThere,
  MOST_FIELDS,
  MOST_PRESSES,
  SIX,
  STORES,
  THERE,
  WALKS,
} from "./setup/setup-stage.ts";
import type { Hand } from "./setup/setup-stage.ts";
import { IS_WHOLE } from "../whole.ts";

/**
 * A new store, from the install to origins that the carriers have verified, on one page. Each press and each field that is filled in is
 * counted. A short run does it in Spanish with a mouse, with an empty address book; a whole one with either, in both languages, and by keyboard.
 */

const executable = findBrowser();

describe.skipIf(!executable)("a new store is set up on Home", () => {
  let stage: JobStage;

  beforeAll(async () => {
    const verdicts = { fedex: "verified", dhl: "verified", estafeta: "verified" };
    stage = await startJobStage(executable!, {
      stores: STORES,
      shipping: { verification: { stepMs: [50, 100], verdicts } },
    });
  });
  afterAll(() => stage?.close());

  async function open(index: number): Promise<Frame> {
    await stage.page.goto(`${stage.sandbox.adminUrl}/store/${handleOf(index)}/apps/origen`);
    return stage.tab.app();
  }

  /** Installs the app and opens Home. */
  async function install(index: number, language: PageLanguage): Promise<Frame> {
    stage.sandbox.admin.settings.locale = language;
    const app = await open(index);
    await takenOver(app.locator("form").first());
    return app;
  }

  async function connect(hand: Hand, index: number, language: PageLanguage): Promise<void> {
    const { clientId, clientSecret } = clientOf(index);
    await hand.fill(say(language, "settings:connection.clientId"), clientId);
    await hand.fill(say(language, "settings:connection.clientSecret"), clientSecret);
    await hand.press(say(language, "settings:connection.connect"));
  }

  /** Fills in whatever is asked, and nothing else. */
  async function answer(app: Frame, hand: Hand, language: PageLanguage): Promise<void> {
    for (const [key, value] of Object.entries(ANSWERS)) {
      const label = say(language, key);
      if ((await app.getByLabel(label, { exact: true }).count()) > 0) await hand.fill(label, value);
    }
  }

  const confirmButton = (language: PageLanguage): RegExp =>
    language === "es" ? /^Confirmar y guardar 6 orígenes$/ : /^Confirm and save 6 origins$/;

  for (const [index, { language, book, by }] of WALKS.entries()) {
    test(`six origins, ${book} book, ${language}, by ${by}`, async () => {
      const { clientId } = clientOf(index);
      const templates = () => stage.templates(clientId);
      if (book === "complete") for (let number = 1; number <= SIX; number += 1) makeThere(stage, clientId, number);
      const app = await install(index, language);
      const hand = handOf({ page: stage.page, app, by });
      await connect(hand, index, language);
      await app.getByText(say(language, "home:setup.confirm.text")).waitFor();
      if (book === "empty") await answer(app, hand, language);
      await app.getByRole("button", { name: confirmButton(language) }).waitFor();
      expect(await violationsIn(app)).toEqual([]);
      await keepScreenshot(stage.page, `setup-${book}-${language}-confirm`);
      await hand.press(confirmButton(language));

      const saved = app
        .locator(".setup-card .origen-row")
        .getByText(say(language, "home:setup.save.saved"), { exact: true });
      await expect.poll(() => saved.count()).toBe(SIX);
      // What the carriers say follows without a press; two calls a second make it long, so a short run sees it of one location below.
      if (IS_WHOLE) await app.getByText(language === "es" ? "6 de 6 orígenes" : "6 of 6 origins").waitFor();
      await keepScreenshot(stage.page, `setup-${book}-${language}-done`);
      expect(new URL(app.url()).pathname).toBe("/app");
      expect(hand.presses).toBeLessThanOrEqual(MOST_PRESSES);
      expect(hand.fields).toBeLessThanOrEqual(MOST_FIELDS[book]);

      // One template a location; what the book knew of it is kept.
      expect(templates()).toHaveLength(SIX);
      const names = new Set(templates().map(({ address }) => (address as { name: string }).name));
      expect([...names]).toEqual([book === "complete" ? THERE.name : ANSWERS["common:fields.name"]]);
    });
  }

  test("one location: the same on its page, and no word of others", async () => {
    const app = await install(ALONE, "es");
    const hand = handOf({ page: stage.page, app, by: "mouse" });
    const { clientId, clientSecret } = clientOf(ALONE);
    const id = say("es", "settings:connection.clientId");
    await hand.fill(id, clientId);
    // The store had none so far: its page becomes the location's under the fingers of whoever types.
    const { state, locations } = stage.sandbox.admin;
    locations.create(state.shops.get(`${handleOf(ALONE)}.myshopify.com`)!, LOCATIONS[0]!);
    await app.getByRole("heading", { name: "Tienda 1", level: 1 }).waitFor();
    expect(await app.getByLabel(id, { exact: true }).inputValue()).toBe(clientId);
    await hand.fill(say("es", "settings:connection.clientSecret"), clientSecret);
    await hand.press(say("es", "settings:connection.connect"));
    await app.getByText(say("es", "home:setup.confirm.text")).waitFor();
    await answer(app, hand, "es");
    const reference = say("es", "common:fields.reference");
    await hand.fill(`${reference}, Tienda 1`, "Portón de madera");
    expect(await app.locator("main").innerText()).not.toMatch(/sucursales|orígenes/);
    await hand.press(say("es", "home:setup.confirm.confirmOne"));
    const steps = app.locator(".setup-step");
    await steps.getByText(say("es", "origins:state.ready"), { exact: true }).waitFor();
    await app.getByRole("heading", { name: say("es", "home:setup.end.one") }).waitFor();
    expect([hand.presses, hand.fields]).toEqual([2, 5]);
    expect(stage.templates(clientOf(ALONE).clientId)).toHaveLength(1);
  });

  test("says so where it was connected when the connection breaks, and mends it there", async () => {
    const app = await stage.tab.app();
    const { clientId, clientSecret } = clientOf(ALONE);
    const shipping = stage.sandbox.shipping!;
    shipping.faults.set({ kind: "invalid-client" });
    shipping.revokeTokens(clientId);
    await app.getByRole("button", { name: say("es", "origin:sync"), exact: true }).click();
    const broken = app.locator('.setup-step[data-state="broken"]');
    await broken.waitFor();
    await keepScreenshot(stage.page, "setup-broken");
    shipping.faults.clear();
    await broken.getByLabel(say("es", "settings:connection.clientSecret"), { exact: true }).fill(clientSecret);
    await broken.getByRole("button", { name: say("es", "settings:connection.swap"), exact: true }).click();
    await app.locator(".setup-step").first().getByText(say("es", "home:setup.connect.done")).waitFor();
    await app.getByRole("heading", { name: say("es", "home:setup.end.one") }).waitFor();
    // Finished, so that what was broken is asked for no more.
    await app.getByText(say("es", "home:setup.save.verifies")).waitFor({ state: "hidden" });
  });

  test("leaves when it is finished, and does not come back", async () => {
    for (const _time of ["it is put away", "it stays so"]) {
      const app = await open(ALONE);
      await takenOver(app.locator("h1").first());
      await app.getByText("Guardada en la libreta de direcciones").first().waitFor();
      expect(await app.locator(".setup-card").count()).toBe(0);
    }
  });

  test("the service saw 2 at most in any sliding second and no duplicate; no page complained", () => {
    const { mostInSecond, duplicates } = stage.sandbox.shipping!.report();
    expect([mostInSecond <= 2, duplicates.total]).toEqual([true, 0]);
    expect(stage.tab.complaints).toEqual([]);
  });
});
