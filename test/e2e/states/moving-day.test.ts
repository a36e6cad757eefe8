import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame, Response } from "playwright-core";
import type { MoveAnswer } from "../../../app/components/move/move-intent.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { IS_WHOLE, LANGUAGES } from "../../whole.ts";
import { findBrowser, launchBrowser } from "../browser.ts";
import { say } from "../dialogs.ts";
import { eachStepNeedsTheLast, LOCATION } from "../job-stage.ts";
import { hourAfter, movingOwner, placeOn, planOf, startMovingStore } from "./moving-stage.ts";
import type { Hour, MovingOwner } from "./moving-stage.ts";

/**
 * A location moves: its owner enters the coming address, carriers verify it, and the link passes over at the hour or at a press. What an hour
 * finds is planned first and looked at last, so that nothing only waits for it.
 *
 * Long, because one store plays the whole day, and each of its questions is asked and answered in it.
 */

const executable = findBrowser();

/** Other addresses in each language, so that each is a move. */
const STREETS = {
  es: {
    ...{ press: "Calle Durango", hour: "Calle Frontera", missing: "Calle Jalapa", refused: "Calle Tabasco" },
    ...{ paused: "Calle Orizaba", second: "Calle Chihuahua" },
  },
  en: {
    ...{ press: "Calle Colima", hour: "Calle Mérida", missing: "Calle Zacatecas", refused: "Calle Guanajuato" },
    ...{ paused: "Calle Puebla", second: "Calle Querétaro" },
  },
} as const;
/** Both answers to each question: one a language. */
const KEEPS = { es: "held", en: "shopify" } as const;
const MOVES = {
  ...{ hour: "Tienda Roma Norte", missing: "Bodega Monterrey", refused: "Sucursal Coyoacán" },
  ...{ paused: "Taller Tlaquepaque" },
} as const;
/** What an hour finds that asks its owner; in a short run the first of them. */
const ASKING = (["missing", "refused", "paused"] as const).slice(0, IS_WHOLE ? 3 : 1);
/** Within that the day is said, mostly. */
const SAID_WITHIN_MS = 10_000;

const isMovesAnswer = (answer: Response) =>
  answer.request().method() === "POST" && new URL(answer.url()).pathname.endsWith("/move");

/** Says an hour, and a later one where that had come meanwhile. */
async function saidInTime(say: (next: Hour) => Promise<MoveAnswer>): Promise<Hour> {
  for (;;) {
    const next = hourAfter(SAID_WITHIN_MS);
    const { kind } = await say(next);
    if (kind === "done") return next;
    expect(kind).toBe("hour");
  }
}

describe.skipIf(!executable)("a moving day", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startMovingStore();
    browser = await launchBrowser(executable!);
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  describe.each(LANGUAGES)("%s", (language) => {
    eachStepNeedsTheLast();
    const streets = STREETS[language];
    let owner: MovingOwner;
    /** A page that stays open until the hour. */
    let watcher: MovingOwner;
    let watched: Frame;
    let atMs: number;

    beforeAll(async () => {
      owner = await movingOwner({ sandbox, browser }, language);
      watcher = await movingOwner({ sandbox, browser }, language);
    });
    afterAll(async () => {
      await watcher?.tab.close();
      await owner?.tab.close();
    });

    async function fill(app: Frame, street: string): Promise<void> {
      for (const [name, value] of Object.entries(placeOn(street)))
        if (name !== "country_code" && value !== "") await app.locator(`[name="${name}"]`).fill(value);
    }

    /** Below what a move has left to decide the form is asked for. */
    const formOf = (app: Frame) => owner.button(app, "plan.another").or(owner.button(app, "plan.submit"));
    async function openForm(app: Frame): Promise<void> {
      await formOf(app).waitFor();
      const another = owner.button(app, "plan.another");
      if ((await another.count()) > 0) await another.click();
    }

    test("is planned for an hour", async () => {
      const app = await owner.movePage(MOVES.hour);
      await openForm(app);
      await owner.button(app, "plan.submit").click();
      await app.locator("[aria-invalid=true]").first().waitFor();
      await owner.looksWell(app, "move-lacks");
      await fill(app, streets.hour);
      const hour = app.locator('[name="hour"]');
      await hour.fill("2026-01-01T10:00");
      await owner.button(app, "plan.submit").click();
      await app.getByText(owner.words("answer.hour")).waitFor();
      await expect.poll(() => hour.evaluate((field) => field === document.activeElement)).toBe(true);
      // Said once, beside the field.
      expect(await owner.tab.page.getByText(owner.words("answer.hour")).count()).toBe(0);
      await hour.fill("");
      await owner.button(app, "plan.submit").click();
      for (const one of ASKING)
        expect(await owner.ask(MOVES[one], planOf(streets[one]))).toMatchObject({ kind: "done" });
      const made: Record<string, string> = {};
      for (const one of ["hour", ...ASKING] as const) {
        const { coming } = await owner.untilView(MOVES[one], (view) => view.coming?.templateId != null);
        made[one] = coming!.templateId!;
      }
      if (made.refused) {
        // A carrier that is still to be asked would answer anew.
        await owner.untilView(MOVES.refused, ({ coming }) =>
          coming!.standings.every(({ outcome }) => outcome === "accepted"),
        );
        sandbox.shipping!.setVerdict({ templateId: made.refused, carrier: "dhl", status: "rejected" });
      }
      sandbox.shipping!.deleteTemplate(made.missing!);
      watched = await watcher.movePage(MOVES.hour);
      await watched.getByText(watcher.words("news.by_hand")).first().waitFor();
      // An hour that has come by the time it is said is refused, and another one is said.
      for (const one of ASKING)
        await saidInTime(async ({ hour }) => owner.ask(MOVES[one], { intent: "day", hour, keepFormer: true }));
      ({ atMs } = await saidInTime(async ({ hour }) => {
        const answered = owner.tab.page.waitForResponse(isMovesAnswer);
        await app.locator('[name="hour"]').fill(hour);
        await owner.button(app, "day.save").click();
        return (await answered).json() as Promise<MoveAnswer>;
      }));
      await owner.looksWell(app, "move-planned");
      if (made.paused) expect(await owner.askOrigin(MOVES.paused, { intent: "pause" })).toMatchObject({ kind: "done" });
    });

    test("is verified, told everywhere, and passes over at a press", async () => {
      const before = owner.streets();
      let app = await owner.movePage(LOCATION);
      await openForm(app);
      await fill(app, streets.press);
      await owner.button(app, "plan.submit").click();
      await expect.poll(owner.streets, { timeout: 30_000 }).toContain(streets.press);
      expect(owner.streets()).toHaveLength(before.length + 1);
      await owner.button(app, "coming.press").waitFor();
      // The page reads by itself what carriers say meanwhile.
      await app.getByText("FedEx: ").first().waitFor();
      await owner.looksWell(app, "move-coming");
      const { id } = owner.location(LOCATION);
      app = await owner.open(`/app/origins/${id}`);
      await app.getByText(owner.words("news.by_hand")).first().waitFor();
      app = await owner.movePage(LOCATION);
      await owner.sure(app, "coming.press");
      await app.getByText(owner.words("news.held")).first().waitFor();
      await owner.looksWell(app, "move-passed");
      expect(owner.streets()).toHaveLength(before.length + 1);
      app = await owner.open(`/app/origins/${id}`);
      await app.getByText(owner.words("news.held")).first().waitFor();
      app = await owner.open("/app/activity");
      await app.getByText(say(language, "activity:kind.moved")).first().waitFor();
    });

    test("passes over by itself when the hour comes, and the open page says so", async () => {
      await watched.getByText(watcher.words("news.held")).first().waitFor();
      expect(Date.now()).toBeGreaterThanOrEqual(atMs);
      await watcher.looksWell(watched, "move-hour-passed");
      expect(await watched.getByText(streets.hour).count()).toBeGreaterThan(0);
      const { now } = await owner.view(MOVES.hour);
      expect(now.join()).toContain(streets.hour);
    });

    test("asks where the coming address is not in the account, and nothing passes", async () => {
      await owner.untilView(MOVES.missing, ({ news }) => news?.code === "missing");
      const { now } = await owner.view(MOVES.missing);
      expect(now.join()).not.toContain(streets.missing);
      const app = await owner.movePage(MOVES.missing);
      await app.getByText(owner.words("news.missing")).waitFor();
      await owner.looksWell(app, "move-missing");
      const home = await watcher.open("/app");
      await home.getByText(owner.words("news.missing")).first().waitFor();
      await watcher.looksWell(home, "move-asked-home");
      if (language === "en") {
        await owner.sure(app, "coming.cancel");
        await formOf(app).waitFor();
        expect((await owner.view(MOVES.missing)).now).toEqual(now);
        return;
      }
      await owner.button(app, "coming.again").click();
      await owner.button(app, "coming.press").waitFor();
      expect(owner.streets()).toContain(streets.missing);
      await owner.sure(app, "coming.press");
      await app.getByText(owner.words("news.held")).first().waitFor();
      expect((await owner.view(MOVES.missing)).now.join()).toContain(streets.missing);
    });

    test.runIf(IS_WHOLE)("asks where a carrier refuses the coming address, and nothing passes", async () => {
      await owner.untilView(MOVES.refused, ({ news }) => news?.code === "refused");
      const { now } = await owner.view(MOVES.refused);
      expect(now.join()).not.toContain(streets.refused);
      const app = await owner.movePage(MOVES.refused);
      await app.getByText(owner.words("news.refused")).waitFor();
      await owner.looksWell(app, "move-refused");
      let corrected = app;
      if (language === "es") await owner.sure(app, "coming.anyway");
      else {
        await app.getByRole("link", { name: owner.words("coming.correct") }).click();
        await expect.poll(() => app.locator('[name="street_number"]').inputValue(), { timeout: 30_000 }).toBe("210");
        await app.locator('[name="street_number"]').fill("212");
        await owner.tab.page.getByRole("button", { name: "Save", exact: true }).click();
        await expect
          .poll(() => owner.templateAt({ street1: streets.refused, street_number: "212" }), { timeout: 30_000 })
          .toEqual(expect.any(String));
        // The carriers are asked about the address as it is now.
        sandbox.shipping!.setVerdict({
          templateId: owner.templateOn(streets.refused)!,
          carrier: "dhl",
          status: "verified",
        });
        await owner.untilView(MOVES.refused, ({ coming }) =>
          coming!.standings.every(({ outcome, stale }) => outcome === "accepted" && !stale),
        );
        corrected = await owner.movePage(MOVES.refused);
        await owner.looksWell(corrected, "move-corrected");
        await owner.sure(corrected, "coming.press");
      }
      await corrected.getByText(owner.words("news.held")).first().waitFor();
      expect((await owner.view(MOVES.refused)).now.join()).toContain(streets.refused);
    });

    test.runIf(IS_WHOLE)("asks where the location was paused on the day, and nothing passes", async () => {
      await owner.untilView(MOVES.paused, ({ news }) => news?.code === "no_origin");
      const { now } = await owner.view(MOVES.paused);
      expect(now.join()).not.toContain(streets.paused);
      let app = await owner.movePage(MOVES.paused);
      await app.getByText(owner.words("news.no_origin")).waitFor();
      await owner.looksWell(app, "move-paused");
      expect(await owner.button(app, "coming.press").isDisabled()).toBe(true);
      // A page that was open before it was paused may press.
      expect(await owner.ask(MOVES.paused, { intent: "press", anyway: false })).toMatchObject({ asks: "no_origin" });
      expect((await owner.view(MOVES.paused)).now).toEqual(now);
      expect(await owner.askOrigin(MOVES.paused, { intent: "resume" })).toMatchObject({ kind: "done" });
      app = await owner.movePage(MOVES.paused);
      await owner.sure(app, "coming.press");
      await app.getByText(owner.words("news.held")).first().waitFor();
      expect((await owner.view(MOVES.paused)).now.join()).toContain(streets.paused);
    });

    test.runIf(IS_WHOLE)(
      "a location that has moved may move again while Shopify still shows another address",
      async () => {
        const app = await owner.movePage(LOCATION);
        await app.getByRole("heading", { name: owner.words("held.moved") }).waitFor();
        expect(await owner.button(app, "plan.submit").count()).toBe(0);
        await owner.button(app, "plan.another").click();
        await fill(app, streets.second);
        await owner.button(app, "plan.submit").click();
        await owner.button(app, "coming.press").waitFor();
        const headings = await app.locator("h2").allTextContents();
        const at = ["coming.heading", "held.moved"].map((key) => headings.indexOf(owner.words(key)));
        expect(at[0]).toBeGreaterThanOrEqual(0);
        expect(at[1]).toBeGreaterThan(at[0]!);
        await owner.looksWell(app, "move-again");
      },
    );

    test.runIf(IS_WHOLE)("asks where the coming address is another location's by now, and nothing passes", async () => {
      const { coming, now } = await owner.view(LOCATION);
      expect(await owner.takeAway(coming!.templateId!, MOVES.paused)).toMatchObject({ kind: "done" });
      const app = await owner.movePage(LOCATION);
      await owner.sure(app, "coming.press");
      await app.getByText(owner.words("news.taken")).first().waitFor();
      await owner.looksWell(app, "move-taken");
      expect((await owner.view(LOCATION)).now).toEqual(now);
      await owner.sure(app, "coming.cancel");
      await owner.button(app, "plan.another").waitFor();
    });

    test("asks where Shopify shows a third address, and does as its owner says", async () => {
      const app = await owner.movePage(MOVES.hour);
      await app.getByText(owner.words("news.held")).first().waitFor();
      const third = language === "es" ? "Avenida Chapultepec" : "Avenida Oaxaca";
      owner.shows(MOVES.hour, { address1: `${third} \u206055`, zip: "06700" });
      await app.getByText(owner.words("held.elsewhere")).waitFor();
      expect(await owner.button(app, "plan.submit").count()).toBe(0);
      await owner.looksWell(app, "move-elsewhere");
      const templateId = owner.templateOn(streets.hour)!;
      const keep = KEEPS[language];
      await owner.button(app, keep === "held" ? "held.keep" : "held.shopify").click();
      await app.getByText(owner.words("held.elsewhere")).waitFor({ state: "hidden" });
      const holds = keep === "held" ? streets.hour : third;
      await owner.untilView(MOVES.hour, ({ now }) => now.join().includes(holds));
      await expect
        .poll(() => owner.templateOn(holds), { timeout: 30_000 })
        .toEqual(keep === "held" ? templateId : expect.any(String));
      await owner.looksWell(app, "move-third-settled");
      expect(owner.tab.complaints.concat(watcher.tab.complaints)).toEqual([]);
    });
  });
});
