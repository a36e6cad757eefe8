import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame, Page } from "playwright-core";
import { findBrowser, takenOver } from "./browser.ts";
import { CLIENT, eachStepNeedsTheLast, LOCATION, QUICK_CARRIERS, startJobStage } from "./job-stage.ts";
import type { JobStage } from "./job-stage.ts";
import { createKeyboard } from "./keyboard.ts";
import type { Keyboard } from "./keyboard.ts";
import { IS_WHOLE } from "../whole.ts";

/** The whole job by a person who has a keyboard and a screen reader, and neither mouse nor patience. */

const executable = findBrowser();

describe.skipIf(!executable)("the main job, by keyboard alone", () => {
  let stage: JobStage;
  let page: Page;
  let keyboard: Keyboard;
  let app: Frame;
  let heard: string[];

  beforeAll(async () => {
    stage = await startJobStage(executable!, { shops: 1, shipping: QUICK_CARRIERS });
    page = stage.page;
    heard = [];
    await page.exposeFunction("heard", (words: string) => void heard.push(words));
    await stage.tab.context.addInitScript(listenToLiveRegions);
    keyboard = createKeyboard(page);
    app = await stage.open("");
    // Before that the menu's press leads nowhere.
    await takenOver(app.locator("h1").first());
  });

  afterAll(() => stage?.close());
  eachStepNeedsTheLast();

  const templates = () => stage.templates();
  const hears = (words: RegExp) => expect.poll(() => heard.join("\n")).toMatch(words);
  const isFocused = (name: RegExp) => expect.poll(keyboard.focused).toMatch(name);

  async function go(menu: string, heading: string): Promise<void> {
    await keyboard.tabTo(menu, { back: true });
    await keyboard.press("Enter");
    await app.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await hears(new RegExp(heading));
  }

  test("connects; wrong credentials bring the focus to the field that is wrong", async () => {
    await go("Settings", "Settings");
    await keyboard.tabTo("Client ID");
    await keyboard.type(CLIENT);
    await keyboard.tabTo("Client secret");
    await keyboard.type("not-the-secret");
    await keyboard.tabTo("Connect");
    await keyboard.press("Enter");
    await isFocused(/^Client secret$/);
    await keyboard.type("production-secret-1");
    await keyboard.press("Enter");
    await app.getByText("Connected", { exact: true }).first().waitFor();
    await hears(/Connected/);
  });

  test("says what all locations share; a failed save brings the focus to the field that is wrong", async () => {
    await keyboard.tabTo("Contact name");
    await keyboard.type("Marisol Cervantes");
    await keyboard.tabTo("Email");
    await keyboard.type("no address");
    await keyboard.tabTo("Phone");
    await keyboard.type("55 5264 0100");
    await keyboard.tabTo("Delivery reference");
    await keyboard.type("Portón de madera");
    await keyboard.tabTo("Save");
    await keyboard.press("Enter");
    await hears(/Not saved: check one field/);
    await isFocused(/^Email$/);
    await keyboard.type("envios@taller-copal.example");
    await keyboard.tabTo("Save");
    await keyboard.press("Enter");
    await hears(/^Saved$/m);
  });

  test("leaving with unsaved changes asks first, and staying loses nothing", async () => {
    await go("Origins", "Origins");
    await keyboard.tabTo(LOCATION);
    await keyboard.press("Enter");
    await app.getByRole("heading", { name: LOCATION }).waitFor();
    await keyboard.tabTo("Neighborhood");
    await keyboard.type("Centro");
    await keyboard.tabTo(/^Origins$/, { back: true });
    await keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Leave page with unsaved changes?" }).waitFor();
    await keyboard.press("Escape");
    expect(await app.getByLabel("Neighborhood").inputValue()).toBe("Centro");
  });

  test("saves a location: its template is made, and that is said", async () => {
    await keyboard.tabTo("Neighborhood");
    await keyboard.press("Enter");
    await expect.poll(templates).toHaveLength(1);
    await app.getByText(/In the address book as/).waitFor();
    await hears(/saved|address book/i);
  });

  test("verifies: each change of state is said", async () => {
    const before = heard.length;
    await keyboard.tabTo(/^Verify with/);
    await keyboard.press("Enter");
    await app.getByText("Refused", { exact: true }).first().waitFor();
    await expect.poll(() => heard.slice(before).join("\n")).toMatch(/Refused by a carrier/);
  });

  test("a dialog has the focus while it is open and gives it back", async () => {
    await keyboard.tabTo("Delete from the address book", { back: true });
    await keyboard.press("Enter");
    const dialog = app.getByRole("dialog");
    await dialog.waitFor();
    expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await keyboard.tabTo("Cancel");
    await keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await isFocused(/^Delete from the address book$/);
    await keyboard.press("Enter");
    await dialog.waitFor();
    await keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await isFocused(/^Delete from the address book$/);
    expect(templates()).toHaveLength(1);
  });

  test.runIf(IS_WHOLE)("changes the location in the admin, and the template follows", async () => {
    await keyboard.tabTo("Locations", { back: true });
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Locations" }).waitFor();
    await keyboard.tabTo(new RegExp(LOCATION));
    await keyboard.press("Enter");
    await page.getByLabel("House number").waitFor();
    await keyboard.tabTo("Street");
    await keyboard.type("Avenida Colón");
    await keyboard.tabTo(/^House number/);
    await keyboard.type("127");
    await keyboard.tabTo("Neighborhood");
    await keyboard.type("García Ginerés");
    await keyboard.press("Enter");
    await expect.poll(() => templates()[0]!.address).toMatchObject({ street_number: "127" });
  });

  test("no page complained", () => {
    expect(stage.tab.complaints).toEqual([]);
  });
});

/** Runs in every document: what a screen reader would say of its live regions. */
function listenToLiveRegions(): void {
  const tell = (window as unknown as { heard?: (words: string) => void }).heard;
  if (!tell) return;
  const live = "[aria-live]:not([aria-live='off']), [role='status'], [role='alert']";
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
      const words = region?.textContent?.trim();
      if (words) tell(words);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}
