import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { findBrowser, keepScreenshot } from "./browser.ts";
import { CLIENT, eachStepNeedsTheLast, LOCATION, QUICK_CARRIERS, startJobStage, STORE } from "./job-stage.ts";
import type { JobStage } from "./job-stage.ts";

/** The main job as a shop owner does it, in the admin, with a mouse and a keyboard. */

const executable = findBrowser();

describe.skipIf(!executable)("the main job, in a browser", () => {
  let stage: JobStage;
  let page: Page;

  beforeAll(async () => {
    stage = await startJobStage(executable!, { shipping: QUICK_CARRIERS });
    page = stage.page;
  });

  afterAll(() => stage?.close());
  eachStepNeedsTheLast();

  const templates = () => stage.templates();
  const open = (path: string) => stage.open(path);
  const picture = (name: string) => keepScreenshot(page, name, { always: true });

  test("connects with the credentials, and says so when they are wrong", async () => {
    const app = await open("/app/settings");
    await app.getByLabel("Client ID", { exact: true }).fill(CLIENT);
    await app.getByLabel("Client secret", { exact: true }).fill("not-the-secret");
    await app.getByRole("button", { name: "Connect", exact: true }).click();
    // Where the hint sends whoever reads it: the choice is folded away until then.
    await app.getByText(/may belong to the test environment/).waitFor();
    await app.getByLabel("Test", { exact: false }).first().waitFor();
    await picture("job-1-wrong-secret");
    expect(await app.getByLabel("Client ID", { exact: true }).inputValue()).toBe(CLIENT);

    await app.getByLabel("Client secret", { exact: true }).fill("production-secret-1");
    await app.getByRole("button", { name: "Connect", exact: true }).click();
    await app.getByText("Connected", { exact: true }).first().waitFor();
    await picture("job-2-connected");
    await app.getByRole("link", { name: "Next", exact: true }).click();
    await app.getByRole("heading", { name: "Review" }).first().waitFor();
  });

  test("says once what all locations share", async () => {
    const app = await open("/app/settings");
    await app.getByLabel("Contact name").fill("Marisol Cervantes");
    await app.getByLabel("Delivery reference").fill("Portón de madera");
    await app.getByLabel("Phone", { exact: true }).fill("55 5264 0100");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Save", exact: true }).waitFor({ state: "hidden" });
    await picture("job-3-contact");
    expect(templates()).toEqual([]);
  });

  test("completes a location and saves it: its template is made", async () => {
    const app = await open("/app/origins");
    await app.getByRole("link", { name: LOCATION }).click();
    await app.getByRole("heading", { name: LOCATION }).waitFor();
    await picture("job-4-incomplete");
    await app.getByLabel("Neighborhood").fill("Centro");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(templates).toHaveLength(1);
    const [template] = templates();
    expect(template!.address).toMatchObject({
      name: "Marisol Cervantes",
      street1: "Calle 60",
      street_number: "455",
      area_level1: "Yucatán",
      area_level2: "Mérida",
      area_level3: "Centro",
      postal_code: "97000",
    });
    await app.getByText(/In the address book as/).waitFor();
    await picture("job-5-saved");
  });

  test("verifies until the carriers have answered", async () => {
    const app = await stage.tab.app();
    const ask = app.getByRole("button", { name: /^Verify with/ });
    if (await ask.isEnabled()) await ask.click();
    await app.getByText("Accepted", { exact: false }).first().waitFor();
    await app.getByText("Refused", { exact: false }).first().waitFor();
    await picture("job-6-verified");
  });

  test("changes the location in the admin, and the template follows by itself", async () => {
    await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/settings/locations`);
    await page.getByRole("link", { name: new RegExp(LOCATION) }).click();
    await page.getByLabel("Street", { exact: true }).fill("Avenida Colón");
    await page.getByLabel("House number").fill("127");
    await page.getByLabel("Neighborhood").fill("García Ginerés");
    await page.getByLabel("Postal code").fill("97070");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(() => templates()[0]!.address)
      .toMatchObject({
        street1: "Avenida Colón",
        street_number: "127",
        area_level3: "García Ginerés",
        postal_code: "97070",
      });
    const app = await open("/app/origins");
    // The list has the town; the whole address is told to whoever points at it.
    await app
      .getByTitle(/Avenida Colón 127/)
      .first()
      .waitFor();
    await picture("job-7-followed");
  });

  test("deletes the location in Shopify: its template is unlinked and stays", async () => {
    await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/settings/locations`);
    await page.getByRole("link", { name: new RegExp(LOCATION) }).click();
    await page.getByRole("button", { name: "Deactivate location" }).click();
    await page.getByRole("link", { name: new RegExp(LOCATION) }).click();
    await page.getByRole("button", { name: "Delete location" }).click();
    const leftOver = async () => {
      const book = await open("/app/address-book");
      await book.getByText("Avenida Colón 127").waitFor();
      return book.locator("tbody").getByText("No location", { exact: true }).count();
    };
    await expect.poll(leftOver, { interval: 1_000 }).toBeGreaterThan(0);
    await picture("job-8-deleted");
    expect(templates()).toHaveLength(1);
  });

  test("the service saw 2 at most in any sliding second and no duplicate; no page complained", () => {
    const report = stage.sandbox.shipping!.report();
    expect(report.mostInSecond).toBeLessThanOrEqual(2);
    expect(report.secondsOverLimit).toBe(0);
    expect(report.duplicates.total).toBe(0);
    expect(stage.tab.complaints).toEqual([]);
  });
});
