import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { wordsOf } from "../../../app/i18n/words.ts";
import { csvOf } from "../../spreadsheet/import-shop.ts";
import { rowsOf } from "../../spreadsheet/sheets.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { violationsIn } from "../axe.ts";
import { findBrowser, keepWholePage, takenOver, visit } from "../browser.ts";
import type { Visit } from "../browser.ts";
import { say } from "../dialogs.ts";
import { clippedText } from "../states/legible.ts";
import { CLIENT, startPlayedStage, STORE, VISITS } from "../job-stage.ts";
import { IS_WHOLE, LANGUAGES } from "../../whole.ts";

/** Origins and activity as spreadsheets, out and in again, as their owner does it. */

const executable = findBrowser();

/** Two that are well formed. */
const RFCS = { es: "ABC010203AB9", en: "XAXX010101000" };

describe.skipIf(!executable)("a spreadsheet", () => {
  let sandbox: Sandbox;
  let browser: Browser;

  beforeAll(async () => {
    ({ sandbox, browser } = await startPlayedStage(executable!));
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  const open = async (tab: Visit, path: string): Promise<Frame> => {
    await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
    return tab.app();
  };

  /** Presses the page's button of that name, on a phone in the menu of the page's actions, and takes the file. */
  const downloaded = async (tab: Visit, app: Frame, name: string) => {
    const direct = app.getByRole("button", { name, exact: true });
    const menu = app
      .locator(".Polaris-Page-Header__RightAlign, .Polaris-Page-Header__Actions")
      .getByRole("button")
      .first();
    await takenOver(menu);
    if (!(await direct.isVisible())) await menu.click();
    const [file] = await Promise.all([tab.page.waitForEvent("download"), direct.click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };

  describe.each(VISITS.filter(([language]) => LANGUAGES.includes(language)))("(%s, %s)", (language, size, viewport) => {
    let tab: Visit;
    beforeAll(async () => {
      sandbox.admin.settings.locale = language;
      tab = await visit(browser, { viewport, locale: language === "es" ? "es-MX" : "en-US" });
    });
    afterAll(() => tab?.close());
    const words = (key: string) => say(language, key);
    const t = wordsOf(language === "es" ? "es-MX" : "en");
    const idOf = words("spreadsheet:heading.location_id");

    test("the list of origins is saved as a file named by the day", async () => {
      const app = await open(tab, "/app/origins");
      const { name, text } = await downloaded(tab, app, words("origins:download"));
      expect(name).toMatch(language === "es" ? /^origenes-\d{4}-\d\d-\d\d\.csv$/ : /^origins-\d{4}-\d\d-\d\d\.csv$/);
      expect(text.charCodeAt(0)).toBe(0xfeff);
      expect(rowsOf(text).map((row) => row[words("spreadsheet:heading.location_name")])).toContain("Tienda Roma Norte");
      expect(await violationsIn(app)).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `spreadsheet-origins-${language}-${size}` });
    });

    /** Chooses a file on the page of imports, and waits until it has been read. */
    const chosen = async (app: Frame, file: { name: string; text: string | Buffer }) => {
      const button = app.getByRole("button", { name: words("import:choose"), exact: true });
      const another = app.getByRole("button", { name: words("import:another"), exact: true });
      await takenOver(button.or(another));
      await app.locator("input[type=file]").setInputFiles({
        name: file.name,
        mimeType: "text/csv",
        buffer: Buffer.from(file.text as string),
      });
      await another.waitFor();
    };
    /** An origin that is saved in the account. */
    const isUsed = (row: Record<string, string>) =>
      row[words("spreadsheet:heading.missing")] === "" &&
      row[words("spreadsheet:heading.state")] !== words("origins:state.not_included");
    /** The press was answered, and the job that it began has ended. */
    const saved = async (app: Frame, total: number) => {
      await app.getByRole("button", { name: words("import:choose"), exact: true }).waitFor();
      await app
        .getByText(t("origins:job.import.done", { total, failed: 0 }))
        .first()
        .waitFor();
    };
    const cell = (key: string) => words(`common:fields.${key}`);

    test("out and in again changes nothing, and the page says so", async () => {
      const list = await open(tab, "/app/origins");
      const file = await downloaded(tab, list, words("origins:download"));
      const app = await open(tab, "/app/origins/import");
      await keepWholePage({ page: tab.page, app, name: `import-${language}-${size}` });
      expect(await violationsIn(app)).toEqual([]);
      await chosen(app, file);
      const rows = rowsOf(file.text).length;
      await app.getByText(t("import:summary.unchanged", { count: rows })).waitFor();
      expect(await app.getByRole("button", { name: words("common:save") }).count()).toBe(0);
      await keepWholePage({ page: tab.page, app, name: `import-unchanged-${language}-${size}` });
    });

    test("what changes and what is refused is shown, and saved in the account once its owner says so", async () => {
      const list = await open(tab, "/app/origins");
      const file = await downloaded(tab, list, words("origins:download"));
      const rows = rowsOf(file.text);
      const nameOf = words("spreadsheet:heading.location_name");
      const company = `Copal ${language}`;
      const [first, second, third, fourth] = rows.filter(isUsed);
      Object.assign(first!, { [cell("company")]: company, [cell("postal_code")]: "" });
      Object.assign(second!, { [cell("phone")]: "5.51234E+11" });
      Object.assign(third!, { [cell("postal_code")]: "01000" });
      Object.assign(fourth!, { [cell("reference")]: `Zaguán azul ${language}`, [cell("company")]: company });
      const app = await open(tab, "/app/origins/import");
      await chosen(app, { name: "sucursales.csv", text: csvOf(rows, ";") });
      await app.getByRole("heading", { name: t("import:changed.title", { count: 2 }) }).waitFor();
      await app.getByRole("heading", { name: t("import:refused.title", { count: 2 }) }).waitFor();
      await app.getByText("5.51234E+11").waitFor();
      expect(await violationsIn(app)).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `import-preview-${language}-${size}` });
      await app.getByRole("button", { name: t("import:confirm", { count: 2 }), exact: true }).click();
      await saved(app, 2);
      await keepWholePage({ page: tab.page, app, name: `import-saved-${language}-${size}` });
      const templates = sandbox.shipping!.templates(CLIENT);
      const theirs = templates.find(({ alias_name }) => String(alias_name).startsWith(first![nameOf]!))!;
      expect(theirs.address).toMatchObject({ company });
    });

    test.runIf(IS_WHOLE)("what changed since it was shown is shown anew before anything is saved", async () => {
      const list = await open(tab, "/app/origins");
      const file = await downloaded(tab, list, words("origins:download"));
      const rows = rowsOf(file.text);
      const some = rows.filter(isUsed).slice(0, 3);
      for (const row of some) Object.assign(row, { [cell("company")]: `Nopal ${language}` });
      const app = await open(tab, "/app/origins/import");
      await chosen(app, { name: "sucursales.csv", text: csvOf(rows) });
      await app.getByRole("heading", { name: t("import:changed.title", { count: 3 }) }).waitFor();
      // Somebody else saves one of them in another tab.
      const other = await visit(browser, { viewport, locale: language === "es" ? "es-MX" : "en-US" });
      const [theirs] = rowsOf(file.text).filter((row) => row[idOf] === some[1]![idOf]);
      const beside = await open(other, "/app/origins/import");
      await chosen(beside, { name: "otra.csv", text: csvOf([{ ...theirs!, [cell("rfc")]: RFCS[language] }]) });
      await beside.getByRole("button", { name: t("import:confirm", { count: 1 }), exact: true }).click();
      await saved(beside, 1);
      await other.close();
      const confirm = app.getByRole("button", { name: t("import:confirm", { count: 3 }), exact: true });
      await confirm.click();
      await app.getByRole("heading", { name: words("import:differs.title") }).waitFor();
      await app.getByText(words("import:changed.news")).waitFor();
      expect(await app.getByText(words("import:changed.news")).count()).toBe(1);
      expect(await violationsIn(app)).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `import-differs-${language}-${size}` });
      await keepWholePage({ page: tab.page, app, name: `import-again-${language}-${size}` });
      await confirm.click();
      await saved(app, 3);
    });

    test.runIf(IS_WHOLE).each([
      ["a workbook", Buffer.from("PK\u0003\u0004xl/workbook.xml"), "import:file.workbook"],
      [
        "an open quotation mark",
        `${words("spreadsheet:heading.location_name")},${cell("phone")}\r\nA,"5\r\n`,
        "import:file.quote_open",
      ],
      ["headings of another file", "SKU,Precio\r\n1,2\r\n", "import:file.no_headings"],
    ])("%s is refused in words", async (what, text, key) => {
      const app = await open(tab, "/app/origins/import");
      await chosen(app, { name: "otra.csv", text });
      await app.getByText(t(key, { row: 2 })).waitFor();
      expect(await violationsIn(app)).toEqual([]);
      await keepWholePage({
        page: tab.page,
        app,
        name: `import-refused-${what.replaceAll(" ", "-")}-${language}-${size}`,
      });
    });

    test.runIf(IS_WHOLE)("the activity that the filters leave is saved as a file named by the day", async () => {
      const app = await open(tab, "/app/activity?actor=owner&topic=origins");
      expect(await clippedText(app)).toEqual([]);
      const { name, text } = await downloaded(tab, app, words("activity:download"));
      expect(name).toMatch(language === "es" ? /^actividad-/ : /^activity-/);
      const rows = rowsOf(text);
      expect(rows.length).toBeGreaterThan(5);
      const who = rows.map((row) => row[words("spreadsheet:activity.who")]!);
      expect(who.filter((one) => !one.startsWith(words("activity:actor.owner")))).toEqual([]);
      await keepWholePage({ page: tab.page, app, name: `spreadsheet-activity-${language}-${size}` });
    });
  });
});
