import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Locator, Page, Request } from "playwright-core";
import { until } from "../sandbox/play/until.ts";
import { violationsIn } from "./axe.ts";
import { findBrowser, keepScreenshot, launchBrowser, NARROW, visit, WIDE } from "./browser.ts";
import type { Visit } from "./browser.ts";
import { FORBIDDEN, OVERREACHING } from "./orders/planted-bundles.ts";
import { ORDER_SCOPES, ORDERS, startOrderStage, STORE } from "./orders/order-stage.ts";
import type { OrderStage } from "./orders/order-stage.ts";
import { byTurns, IS_WHOLE } from "../whole.ts";

/**
 * The built extensions in the admin's order pages, each in a worker of its own, as a person meets them.
 *
 * Long, because one sandbox and one browser serve all its cases, and a second file would start both again.
 */

const executable = findBrowser();

const WAYS = [
  ["wide", "en", WIDE],
  ["wide", "es", WIDE],
  ["narrow", "en", NARROW],
  ["narrow", "es", NARROW],
] as const;

describe.skipIf(!executable)("the order page", () => {
  let stage: OrderStage;
  let browser: Browser;
  let tab: Visit;
  let page: Page;

  beforeAll(async () => {
    stage = await startOrderStage();
    await stage.extensions();
    browser = await launchBrowser(executable!);
    // A planted bundle throws this in its worker. The browser reports that to the page at times, and the page shows it always.
    tab = await visit(browser, { ignores: /^uncaught: later$/ });
    page = tab.page;
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.sandbox.stop();
  });

  // What stood there when something did not come.
  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    const places = page.locator("[data-extension-blocks], dialog");
    process.stderr.write(`${task.name} ${JSON.stringify(await places.allInnerTexts())}\n`);
  });

  const block = () => page.locator("s-admin-block");
  const dialog = () => page.getByRole("dialog");
  const badge = (within: Locator, text: string) => within.locator("s-badge", { hasText: text });
  const speak = (locale: "en" | "es") => stage.control("PUT", "settings", { locale });

  async function open(order: number, store = STORE): Promise<void> {
    await page.goto(`${stage.sandbox.adminUrl}/store/${store}/orders/${order}`);
    await block().waitFor();
  }

  /** The app has told of this origin: its name, which Shopify tells earlier, leads to its page. */
  const answered = (name: string) => block().getByRole("link", { name }).waitFor();

  async function openAction(name = "See shipping origins"): Promise<void> {
    await page.getByText(stage.sandbox.admin.state.words.moreActions).click();
    await page.getByRole("button", { name }).click();
    await dialog().locator("s-admin-action").waitFor();
  }

  test("an origin is completed, verified and synced without leaving the order", async () => {
    await open(ORDERS.incomplete);
    await badge(block(), "To review").waitFor();
    await block().getByText("Missing: Neighborhood").waitFor();
    await keepScreenshot(page, "order-1-incomplete");

    await block().getByRole("button", { name: "Finish missing details" }).click();
    await dialog().getByText("Complete these details").waitFor();
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByText("Not saved").waitFor();
    await dialog().getByText("Required", { exact: true }).waitFor();
    await keepScreenshot(page, "order-2-refused");

    const colonia = dialog().getByLabel("Neighborhood *");
    await dialog().getByLabel("Neighborhoods of this postal code").selectOption("Mérida Centro");
    await expect.poll(() => colonia.inputValue()).toBe("Mérida Centro");
    await keepScreenshot(page, "order-2-choices");
    await colonia.fill("Centro");
    await dialog().getByRole("button", { name: "Save" }).click();
    await dialog().getByRole("button", { name: "Verify" }).waitFor();
    await keepScreenshot(page, "order-3-saved");
    const [template] = stage.sandbox.shipping!.templates(stage.job.credentials.clientId, "production");
    expect(template).toMatchObject({ address: { area_level3: "Centro", postal_code: "97000" } });

    await dialog().getByLabel("Paquetexpress").check();
    await dialog().getByRole("button", { name: "Verify" }).click();
    await badge(dialog(), "Paquetexpress").waitFor();
    await badge(dialog(), "FedEx: Accepted").waitFor();
    await badge(dialog(), "Estafeta: Inconclusive answer").waitFor();
    await keepScreenshot(page, "order-4-verified");
    await dialog().getByRole("button", { name: "Close" }).click();
    await dialog().waitFor({ state: "detached" });

    // The action left a note, and the block looked again.
    await badge(block(), "FedEx: Accepted").waitFor();
    const before = stage.sandbox.shipping!.report().callsByOperation.get ?? 0;
    await block().getByRole("button", { name: "Sync now" }).click();
    await expect.poll(() => stage.sandbox.shipping!.report().callsByOperation.get ?? 0).toBeGreaterThan(before);
    await expect.poll(() => block().getByRole("button", { name: "Verify" }).isEnabled()).toBe(true);
    await keepScreenshot(page, "order-5-block");
    const { mostInSecond, duplicates } = stage.sandbox.shipping!.report();
    expect([mostInSecond <= 2, duplicates.total]).toEqual([true, 0]);
  });

  test("the block sees what an action did that was opened from the menu", async () => {
    await open(ORDERS.incomplete);
    await badge(block(), "Verified").or(badge(block(), "Not verified yet")).waitFor();
    await openAction();
    await dialog().getByLabel("J&T Express").check();
    await dialog().getByRole("button", { name: "Verify" }).click();
    await badge(block(), "J&T Express").waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  test("the app is asked across origins, by nobody's origin, with a session token", async () => {
    // The block that stands open from before may still be following a verification.
    await page.goto("about:blank");
    const asked: Request[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/origins") && request.method() === "GET") asked.push(request);
    });
    await open(ORDERS.twoOrigins);
    await answered("Taller Tlaquepaque");
    // The extension asks from a worker, of whose requests the browser may tell later than the page shows their answer.
    await until({ what: "The extension's request", read: () => asked.length, holds: (count) => count > 0 });
    expect(asked.map((request) => new URL(request.url()).origin)).toEqual([stage.sandbox.appUrl]);
    const headers = await asked[0]!.allHeaders();
    expect(headers).toMatchObject({ origin: "null", authorization: expect.stringMatching(/^Bearer ey/) });
    expect(headers.cookie).toBeUndefined();
    page.removeAllListeners("request");
  });

  test("links lead into the app and to the location in Shopify", async () => {
    await open(ORDERS.twoOrigins);
    const id = stage.locationId("Taller Tlaquepaque");
    const inShopify = block().getByRole("link", { name: "Open the location in Shopify" });
    expect(await inShopify.getAttribute("href")).toBe(`/store/${STORE}/settings/locations/${id}`);
    await block().getByRole("link", { name: "Open in Origen" }).last().click();
    await page.waitForURL(`**/store/${STORE}/apps/origen/app/origins/${id}`);
    await (await tab.app()).getByText("Taller Tlaquepaque").first().waitFor();
    await open(ORDERS.twoOrigins);
    await openAction();
    await dialog().getByRole("link", { name: "See this order’s origins in Origen" }).click();
    await page.waitForURL("**/apps/origen/app/origins?locations=*");
    const app = await tab.app();
    await app.getByText("Only this order’s origins").waitFor();
    expect(await app.locator("tbody [data-primary-link]").count()).toBe(2);
  });

  test("each thing that stands in the way is one plain line", async () => {
    const says = async (order: number, line: string): Promise<void> => {
      await open(order);
      await block().getByText(line).waitFor();
    };
    await says(ORDERS.pastSixtyDays, "more than 60 days old");
    await says(ORDERS.fulfilledByAService, "Nothing in this order ships from your own locations");
    await stage.control("PUT", "settings", { protectedDataApproved: false });
    await says(ORDERS.complete, "not yet approved Origen to read orders");
    await stage.control("PUT", "settings", { protectedDataApproved: true });
    await stage.control("POST", `shops/${STORE}/scopes`, { scopes: ORDER_SCOPES, granted: false });
    await says(ORDERS.complete, "needs your permission to read orders");
    await keepScreenshot(page, "order-6-scope");
    await block().getByRole("link", { name: "Open Settings" }).click();
    await (await tab.app()).getByRole("button", { name: "Grant access" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Update" }).click();
    await (await tab.app()).getByText("Access granted").first().waitFor();
    await says(ORDERS.complete, "Sucursal Coyoacán");

    const monterrey = stage.locationId("Bodega Monterrey");
    await stage.control("PATCH", `shops/${STORE}/locations/${monterrey}`, {
      address: { address1: "Av. Universidad 900" },
    });
    await says(ORDERS.snapshotted, "keeps the address the location had when fulfillment began: Av. Ruiz Cortines");
    await stage.control("DELETE", `shops/${STORE}/locations/${monterrey}`);
    await says(ORDERS.snapshotted, "no longer exists in Shopify");

    await stage.control("POST", "shops/tienda-3/scopes", { scopes: ORDER_SCOPES });
    await open(ORDERS.complete, "tienda-3");
    await block().getByText("Your shipping account is not connected yet.").waitFor();
    expect(await block().getByRole("link", { name: "Connect" }).getAttribute("href")).toBe(
      "/store/tienda-3/apps/origen/app/settings",
    );
  });

  test.runIf(IS_WHOLE)("an app that is away is said, and tried again", async () => {
    await stage.sandbox.app.stop();
    await open(ORDERS.twoOrigins);
    await block().getByText("Origen could not be reached.").waitFor();
    await keepScreenshot(page, "order-7-unreachable");
    await stage.sandbox.app.start();
    await block().getByRole("button", { name: "Try again" }).click();
    await answered("Taller Tlaquepaque");
  });

  test("the action is offered where its condition says so", async () => {
    await open(ORDERS.fulfilledByAService);
    await block().getByText("Nothing in this order").waitFor();
    // The condition asks Shopify as the block did, and has been answered once the menu's busy sign is gone.
    await page.getByText(stage.sandbox.admin.state.words.moreActions).click();
    await page.locator("[data-extension-menu]:not([aria-busy])").waitFor();
    expect(await page.getByRole("button", { name: "See shipping origins" }).count()).toBe(0);
    await open(ORDERS.complete);
    await openAction();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  test.each(byTurns(WAYS, 3))(
    "block and action are whole and accessible, %s, in %s",
    async (width, locale, viewport) => {
      await page.setViewportSize(viewport);
      await speak(locale);
      await open(ORDERS.twoOrigins);
      await answered("Taller Tlaquepaque");
      const name = `order-${width}-${locale}`;
      await keepScreenshot(page, `${name}-block`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await violationsIn(page.mainFrame(), "[data-extension]")).toEqual([]);
      await openAction(locale === "es" ? "Ver orígenes de envío" : "See shipping origins");
      await dialog().getByRole("combobox").waitFor();
      await dialog().getByRole("combobox").selectOption("Taller Tlaquepaque");
      await dialog().getByRole("textbox").first().waitFor();
      await keepScreenshot(page, `${name}-action`);
      expect(await violationsIn(page.mainFrame(), "dialog")).toEqual([]);
      await page.setViewportSize(WIDE);
      await speak("en");
    },
  );

  test.each(byTurns(WAYS, 1))(
    "the list's action is whole and accessible, %s, in %s",
    async (width, locale, viewport) => {
      await page.setViewportSize(viewport);
      await speak(locale);
      await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/orders`);
      const { selectAll, withSelected } = stage.sandbox.admin.state.words;
      await page.getByLabel(selectAll).check();
      await page.getByText(withSelected).click();
      await page
        .getByRole("button", { name: locale === "es" ? "Ver orígenes de envío" : "See shipping origins" })
        .click();
      await dialog().getByRole("link", { name: "Taller Tlaquepaque" }).waitFor();
      await dialog()
        .getByText(locale === "es" ? "más de 60 días" : "more than 60 days old")
        .waitFor();
      await keepScreenshot(page, `order-list-${width}-${locale}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await violationsIn(page.mainFrame(), "dialog")).toEqual([]);
      expect(await violationsIn(page.mainFrame(), "main")).toEqual([]);
      await page.setViewportSize(WIDE);
      await speak("en");
    },
  );

  test("the list's action says why nothing can be shown, with the block's button", async () => {
    await stage.control("POST", `shops/${STORE}/scopes`, { scopes: ORDER_SCOPES, granted: false });
    await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/orders`);
    await page.getByLabel("Select all").check();
    await page.getByText("Actions for selected orders").click();
    await page.getByRole("button", { name: "See shipping origins" }).click();
    await dialog().getByText("needs your permission to read orders").waitFor();
    await keepScreenshot(page, "order-list-scope");
    expect(await dialog().getByRole("link", { name: "Open Settings" }).count()).toBe(1);
    await stage.control("POST", `shops/${STORE}/scopes`, { scopes: ORDER_SCOPES });
    // The selection is the menu's condition.
    await page.keyboard.press("Escape");
    await page.getByLabel("Select all").uncheck();
    await expect.poll(() => page.getByText("Actions for selected orders").isVisible()).toBe(false);
  });

  test.each(byTurns(FORBIDDEN, 0))("a planted bundle that %s fails", async (action, source, reason) => {
    await stage.control("PUT", "extensions/order-origin", source);
    await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/orders/${ORDERS.complete}`);
    const failed = page.locator("[data-extension-failed]");
    await failed.waitFor();
    expect(await failed.textContent()).toContain(reason);
    await stage.control("DELETE", "extensions");
  });

  test.runIf(IS_WHOLE)("only what the types give an element crosses", async () => {
    await stage.control("PUT", "extensions/order-origin", OVERREACHING);
    await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/orders/${ORDERS.complete}`);
    const drawn = page.locator("[data-extension] s-text");
    await drawn.waitFor();
    expect(
      await drawn.evaluate((element) => [
        element.getAttributeNames(),
        element.getAttribute("title"),
        (element as unknown as { tone: string }).tone,
      ]),
    ).toEqual([["style"], null, "critical"]);
    expect(await drawn.getAttribute("style")).not.toContain("red");
    expect(await drawn.textContent()).toContain("seen by null");
    expect(await drawn.textContent()).toContain(" 0");
    await stage.control("DELETE", "extensions");
  });
});
