import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findBrowser, launchBrowser, newWindow } from "../../e2e/browser.ts";
import { CREDENTIALS, startFixture, STORE } from "./admin-fixture.ts";
import type { Fixture } from "./admin-fixture.ts";

const executablePath = findBrowser();

let browser: Browser;
let sandbox: Fixture;
let page: Page;
let problems: string[];

const documentWith = (body: string): string => `<!doctype html><html lang="en"><head><title>Small app</title>
  <script data-api-key="${CREDENTIALS.apiKey}" src="${sandbox.admin.url}/app-bridge.js"></script></head><body>${body}</body></html>`;

const NAVIGATION = `<ui-nav-menu><a href="/" rel="home">Home</a><a href="/second">Second</a></ui-nav-menu>
  <script>addEventListener("shopify:navigate", (event) => {
    history.pushState(null, "", event.target.getAttribute("href")); document.body.dataset.at = location.pathname; });</script>`;

async function open(body: string, path = ""): Promise<Frame> {
  sandbox.app.answer = ({ url }) => {
    if (url.pathname === "/data") return { status: 200, body: "data" };
    return { status: 200, headers: { "Content-Type": "text/html" }, body: documentWith(body) };
  };
  await page.goto(`${sandbox.admin.url}/store/${STORE}/apps/origen${path}`);
  const frame = await (await page.waitForSelector("iframe#app")).contentFrame();
  if (!frame) throw new Error("no frame");
  await frame.waitForFunction(() => document.readyState === "complete");
  return frame;
}

describe.skipIf(!executablePath)("the App Bridge, in Chromium, on another site than the admin", () => {
  beforeAll(async () => {
    browser = await launchBrowser(executablePath ?? "");
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    sandbox = await startFixture({ locale: "en" });
    page = await (await newWindow(browser)).newPage();
    problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
  });
  afterEach(async () => {
    await page.context().close();
    await sandbox.stop();
  });

  test("knows the store, and throws on what Shopify's types do not have", async () => {
    const frame = await open("");
    const said = await frame.evaluate(async () => {
      const bridge = window.shopify as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>;
      const attempts: (() => unknown)[] = [
        () => bridge.banner,
        () => bridge.toast?.flash,
        () => bridge.toast?.show?.("x", { tone: "success" }),
        () => bridge.config?.token,
        () => (bridge.resourcePicker as unknown as (options: unknown) => unknown)({ type: "product" }),
        () => document.body.append(Object.assign(document.createElement("ui-modal"), { id: "m" })),
      ];
      const outcomes = attempts.map((attempt) => {
        try {
          attempt();
          return "ran";
        } catch (error) {
          return (error as Error).message;
        }
      });
      return { config: { ...window.shopify.config }, environment: { ...window.shopify.environment }, outcomes };
    });
    expect(said.config).toMatchObject({ apiKey: CREDENTIALS.apiKey, shop: `${STORE}.myshopify.com`, locale: "en" });
    expect(said.environment).toEqual({ mobile: false, embedded: true, pos: false, intent: false });
    expect(said.outcomes).toEqual([
      "shopify.banner is not in @shopify/app-bridge-types",
      "shopify.toast.flash is not in @shopify/app-bridge-types",
      'shopify.toast.show has no option "tone" in @shopify/app-bridge-types',
      "shopify.config.token is not in @shopify/app-bridge-types",
      "shopify.resourcePicker is not in the sandbox",
      "ran",
    ]);
    expect(problems).toEqual([]);
  });

  test("loses nothing an app says, however late the admin's own script comes", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/assets/app-frame.js", async (route) => {
      await held;
      await route.continue();
    });
    const opening = open(NAVIGATION);
    await page.waitForSelector("iframe#app");
    // The frame has every chance to be first.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 300))));
    release();
    const frame = await opening;
    await page.getByRole("navigation").getByRole("link", { name: "Second" }).waitFor();
    expect(await frame.evaluate(async () => (await window.shopify.idToken()).split(".").length)).toBe(3);
  });

  test("an attribute that the types do not give an element is an error of the page", async () => {
    await open(`<ui-title-bar title="x" subtitle="y"></ui-title-bar>`);
    await expect
      .poll(() => problems)
      .toEqual(['<ui-title-bar> has no attribute "subtitle" in @shopify/app-bridge-types']);
  });

  test("puts a session token on the app's own requests and asks again when told so", async () => {
    const frame = await open("");
    sandbox.app.answer = ({ url, headers }) => {
      if (url.pathname !== "/data") return { status: 200 };
      const first = sandbox.app.received.filter((one) => one.url.pathname === "/data").length === 1;
      if (first) return { status: 401, headers: { "X-Shopify-Retry-Invalid-Session-Request": "1" } };
      return { status: 200, body: String(headers.authorization).slice(0, 7) };
    };
    const answer = await frame.evaluate(async () => (await fetch("/data", { method: "POST", body: "kept" })).text());
    expect(answer).toBe("Bearer ");
    const calls = sandbox.app.received.filter((one) => one.url.pathname === "/data");
    expect(calls.map((one) => one.body)).toEqual(["kept", "kept"]);
    expect(calls[0]?.headers.authorization).not.toBe(calls[1]?.headers.authorization);
  });

  test("the bounce page comes back with a fresh token", async () => {
    await open("", "/auth/session-token?shopify-reload=%2Fsecond%3Fkept%3D1");
    await expect.poll(() => sandbox.app.received.some((one) => one.url.pathname === "/second")).toBe(true);
    const back = sandbox.app.received.find((one) => one.url.pathname === "/second")?.url.searchParams;
    expect(back?.get("kept")).toBe("1");
    expect(back?.get("id_token")?.split(".")).toHaveLength(3);
  });

  test("the admin draws the app's navigation, and its address follows the app's", async () => {
    const frame = await open(NAVIGATION);
    await page.getByRole("navigation").getByRole("link", { name: "Second" }).click();
    await expect.poll(() => frame.evaluate(() => document.body.dataset.at)).toBe("/second");
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/store/${STORE}/apps/origen/second`);
    await expect.poll(() => page.getByRole("link", { name: "Second" }).getAttribute("aria-current")).toBe("page");
  });

  test("unsaved changes hold the person back until saved or discarded", async () => {
    const frame = await open(`${NAVIGATION}<ui-save-bar id="bar">
      <button variant="primary" onclick="document.body.dataset.saved = '1'; shopify.saveBar.hide('bar')"></button>
      <button onclick="shopify.saveBar.hide('bar')"></button></ui-save-bar>`);
    await frame.evaluate(() => window.shopify.saveBar.show("bar"));
    // The bar is another window's: it comes a message later.
    await page.getByRole("button", { name: "Save" }).waitFor();
    await page.getByRole("link", { name: "Second" }).click();
    await page.getByRole("link", { name: "Orders" }).click();
    await expect.poll(() => page.getByText("Save or discard your changes first").isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe(`/store/${STORE}/apps/origen`);
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => frame.evaluate(() => document.body.dataset.saved)).toBe("1");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Second" }).click();
    await expect.poll(() => frame.evaluate(() => document.body.dataset.at)).toBe("/second");
  });

  test("leaveConfirmation waits for the person's word", async () => {
    const frame = await open(
      `<ui-save-bar id="bar"><button variant="primary"></button><button></button></ui-save-bar>`,
    );
    await frame.evaluate(() => window.shopify.saveBar.show("bar"));
    await page.getByRole("button", { name: "Save" }).waitFor();
    await frame.evaluate(
      () => void window.shopify.saveBar.leaveConfirmation().then(() => (document.body.dataset.left = "yes")),
    );
    await page.getByRole("button", { name: "Leave page" }).click();
    await expect.poll(() => frame.evaluate(() => document.body.dataset.left)).toBe("yes");
  });

  test("a form with data-save-bar shows the bar when touched, and Discard resets it", async () => {
    const frame = await open(`<form data-save-bar><input id="field" value="before"></form>`);
    await frame.fill("#field", "after");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => frame.inputValue("#field")).toBe("before");
    await expect.poll(() => page.getByText("Unsaved changes").isVisible()).toBe(false);
  });

  test("title bar, toast and modal work by their real elements", async () => {
    const frame =
      await open(`<ui-title-bar title="Origins"><button variant="primary" onclick="shopify.modal.show('ask')">Ask</button></ui-title-bar>
      <ui-modal id="ask"><p>Sure?</p><ui-title-bar title="Question">
      <button variant="primary" onclick="shopify.toast.show('Done'); shopify.modal.hide('ask')">Do it</button></ui-title-bar></ui-modal>`);
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Origins");
    await page.getByRole("button", { name: "Ask" }).click();
    const dialog = frame.getByRole("dialog", { name: "Question" });
    await dialog.getByRole("button", { name: "Do it" }).click();
    await expect.poll(() => page.getByText("Done").isVisible()).toBe(true);
    expect(await dialog.isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  test("optional scopes are granted in the admin's dialog, undeclared ones refused", async () => {
    const frame = await open("");
    const asked = frame.evaluate(() => window.shopify.scopes.request(["read_orders"]));
    await page.getByRole("button", { name: "Update" }).click();
    expect(await asked).toMatchObject({
      result: "granted-all",
      detail: { granted: ["read_locations", "read_orders"] },
    });
    await expect(frame.evaluate(() => window.shopify.scopes.request(["write_products"]))).rejects.toThrow(
      "write_products",
    );
  });
});
