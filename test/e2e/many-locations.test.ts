import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame, Locator } from "playwright-core";
import type { LocationInput } from "../sandbox/admin/locations.ts";
import type { OrderRecord } from "../sandbox/admin/state.ts";
import { prepareJob } from "../sandbox/play/job.ts";
import type { Job } from "../sandbox/play/job.ts";
import * as pages from "../sandbox/play/pages.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import type { ShippingServiceOptions } from "../sandbox/shipping/options.ts";
import { findBrowser, keepScreenshot, takenOver } from "./browser.ts";
import { eachStepNeedsTheLast, startJobStage } from "./job-stage.ts";
import type { JobStage } from "./job-stage.ts";
import { ORDER_SCOPES } from "./orders/order-stage.ts";
import { IS_WHOLE } from "../whole.ts";

/**
 * A store of many locations, a third of them unsure, finished in Review without opening one. In a whole run they are sixty: the service's
 * two calls a second alone make that half a minute.
 */

const executable = findBrowser();
/** Every carrier accepts at once. */
const ACCEPTING: ShippingServiceOptions = {
  verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "verified" } },
};

const CITIES = [
  ["Puebla", "PUE", "72"],
  ["Mérida", "YUC", "97"],
  ["Querétaro", "QRO", "76"],
] as const;

const MANY = IS_WHOLE ? 60 : 24;
/** How many of them the selected orders leave from. */
const ORIGINS = 20;
const ORDERS = 250;
const UNSURE = MANY / 3;
const isUnsure = (index: number): boolean => index % 3 === 0;

/** As Shopify's own form writes them, but for every third, typed by somebody in a hurry: the colonia has to be asked. */
const LOCATIONS: LocationInput[] = Array.from({ length: MANY }, (_one, index) => {
  const [city, provinceCode, zip] = CITIES[index % CITIES.length]!;
  const hurried = { address1: `Calle ${index + 3} x ${index + 10} y ${index + 12}`, address2: null };
  const neat = { address1: `Calle Allende \u2060${index + 10}`, address2: "\u2060Centro" };
  return {
    name: `${city} ${String(index + 1).padStart(2, "0")}`,
    address: {
      countryCode: "MX",
      provinceCode,
      city,
      zip: `${zip}${100 + index}`,
      phone: `+52 55 5264 01${String(index).padStart(2, "0")}`,
      ...(isUnsure(index) ? hurried : neat),
    },
  };
});

/** No carrier is asked before somebody presses. */
async function askNobody(shop: Job): Promise<void> {
  const { revision, settings } = await pages.settings(shop);
  const policies = { ...settings.policies, verifyAfterChange: false };
  const { outcome } = await pages.askSettings(shop, { intent: "save", revision, settings: { ...settings, policies } });
  if (outcome.kind !== "saved") throw new Error(`The settings were not saved: ${JSON.stringify(outcome)}`);
}

/** Orders that leave from these locations, one after another. */
function ordersOver(locationIds: number[]): OrderRecord[] {
  return Array.from({ length: ORDERS }, (_one, at) => ({
    id: 7_700_000_000_001 + at,
    number: 2001 + at,
    createdAtMs: Date.now() - at * 60_000,
    customerName: "Iker Montaño",
    destination: "Oaxaca, OAX",
    totalMxn: "310.00",
    fulfillmentOrders: [
      {
        id: 8_800_000_000_001 + at,
        status: "OPEN",
        locationId: locationIds[at % locationIds.length]!,
        snapshot: null,
        lines: [{ title: "Juego de portavasos", quantity: 1 }],
      },
    ],
  }));
}

describe.skipIf(!executable)(`a store of ${MANY} locations`, () => {
  let stage: JobStage;
  let app: Frame;

  eachStepNeedsTheLast();

  beforeAll(async () => {
    stage = await startJobStage(executable!, { shops: 1, locations: LOCATIONS, shipping: ACCEPTING });
    const job = prepareJob(stage.sandbox);
    const [open, connect, seeLocations] = STEPS;
    for (const step of [open, connect, seeLocations]) await step!.run(job);
    await askNobody(job);
    app = await stage.open("/app/review");
    await app.getByRole("list", { name: "Locations to review" }).waitFor();
    await takenOver(confirm());
  });

  afterAll(() => stage?.close());

  const confirm = () => app.getByRole("button", { name: /^Confirm/ });
  const rows = () => app.getByRole("list", { name: "Locations to review" }).getByRole("listitem");
  const colonia = (name: string) => app.getByRole("textbox", { name: `Neighborhood, ${name}`, exact: true });
  const hasFocus = (field: Locator) => field.evaluate((one) => one === document.activeElement);
  const open = LOCATIONS.filter((_one, index) => isUnsure(index)).map((one) => one.name!);

  test("opens what lacks something, first, and keeps the rest to a line each", async () => {
    // The rows below the screen come once the page stands.
    await rows()
      .nth(MANY - 1)
      .waitFor();
    expect(await rows().count()).toBe(MANY);
    const heights = await rows().evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    // Sixty such lines, with all that stands around them, are less than 3,000 px.
    expect(Math.max(...heights.slice(UNSURE))).toBeLessThan(44);
    const names = await rows().locator("label:has([type=checkbox])").allInnerTexts();
    expect(names.slice(0, UNSURE)).toEqual(open);
    expect(await app.getByRole("textbox", { name: /^Neighborhood, / }).count()).toBe(UNSURE);
    expect(await confirm().count()).toBe(1);
  });

  test("leads to what is open, by a press that could not confirm and by the way there", async () => {
    await confirm().click();
    await app.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
    expect(await hasFocus(app.getByLabel("Contact name", { exact: true }))).toBe(true);
    // Whatever hides the row, it is shown.
    const search = app.getByRole("searchbox");
    await search.fill(LOCATIONS[1]!.name!);
    await expect.poll(() => rows().count()).toBe(1);
    await app.getByRole("button", { name: "Go to the next one" }).click();
    await expect.poll(() => hasFocus(colonia(open[0]!))).toBe(true);
    expect(await rows().count()).toBe(MANY);
    expect(await search.inputValue()).toBe("");
    await app.getByRole("button", { name: "Go to the next one" }).click();
    await expect.poll(() => hasFocus(colonia(open[1]!))).toBe(true);
  });

  test("copies a value into the rows that lack it, takes it back, and loses nothing that was typed", async () => {
    // The contact is still open, and every row lacks it.
    await app.getByRole("button", { name: `To do (${MANY})` }).click();
    await expect.poll(() => rows().count()).toBe(MANY);
    await colonia(open[0]!).fill("Centro");
    await colonia(open[1]!).fill("La Paz");
    // Mended rows stay where they are.
    expect(await rows().count()).toBe(MANY);
    const copy = rows()
      .first()
      .getByRole("button", { name: /^Copy to / });
    await copy.click();
    await expect.poll(() => colonia(open.at(-1)!).inputValue()).toBe("Centro");
    expect(await colonia(open[1]!).inputValue()).toBe("La Paz");
    await colonia(open[2]!).fill("Analco");
    await app.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => colonia(open.at(-1)!).inputValue()).toBe("");
    expect(await colonia(open[2]!).inputValue()).toBe("Analco");
    for (const name of open.slice(1, 3)) await colonia(name).fill("Centro");
    await copy.click();
    await app.getByRole("button", { name: `Edit ${open[1]}` }).click();
    await app.getByRole("button", { name: `Close ${open[1]}` }).click();
    expect(await colonia(open[1]!).count()).toBe(0);
    await app.getByRole("button", { name: `All (${MANY})` }).click();
    await app.getByRole("button", { name: `Edit ${open[1]}` }).click();
    expect(await colonia(open[1]!).inputValue()).toBe("Centro");
  });

  test("says the contact once, finishes the open rows in place, and confirms all at once", async () => {
    await app.getByLabel("Contact name", { exact: true }).fill("Marisol Cervantes");
    await app.getByLabel("Email", { exact: true }).fill("envios@taller-copal.example");
    await app.getByLabel("Delivery reference", { exact: true }).fill("Portón de madera");
    await keepScreenshot(stage.page, "many-1-filled");
    await app.getByRole("button", { name: `Confirm and save ${MANY} origins` }).click();
    await app.getByRole("progressbar").first().waitFor();
    await keepScreenshot(stage.page, "many-2-progress");
  });

  test("shows the sync's progress until all are in the address book, each once", async () => {
    await app
      .getByRole("heading", { name: `All ${MANY} origins were synced` })
      .first()
      .waitFor();
    const templates = stage.templates();
    expect(templates).toHaveLength(MANY);
    expect(
      templates.filter(({ address }) => (address as { area_level3: string }).area_level3 === "Centro"),
    ).toHaveLength(MANY);
    const { mostInSecond, duplicates } = stage.sandbox.shipping!.report();
    expect([mostInSecond <= 2, duplicates.total]).toEqual([true, 0]);
    await keepScreenshot(stage.page, "many-3-done");
    expect(stage.tab.complaints).toEqual([]);
  });

  test.runIf(IS_WHOLE)(
    "shows 250 selected orders by their origins with few questions, and verifies all with a call each",
    async () => {
      const { page, sandbox } = stage;
      const shop = sandbox.admin.state.shops.get("taller-copal.myshopify.com")!;
      const used = [...shop.locations.keys()].slice(0, ORIGINS);
      shop.orders.splice(0, Infinity, ...ordersOver(used));
      for (const scope of ORDER_SCOPES) shop.installation!.grantedOptionalScopes.add(scope);
      const calls = () => sandbox.shipping!.report().callsByOperation;
      const verified = () => calls().verify ?? 0;
      await expect.poll(() => statesOf(used)).toEqual(["unverified"]);

      // Where the extensions are older than their sources, this waits until they are built.
      expect((await fetch(`${sandbox.adminUrl}/extension-host/taller-copal/manifest.json`)).status).toBe(200);
      await page.goto(`${sandbox.adminUrl}/store/taller-copal/orders`);
      await page.getByLabel("Select all").check();
      await page.getByText(`Actions for selected orders (${ORDERS})`).click();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      const before = JSON.stringify(calls());
      const startedAtMs = performance.now();
      await page.getByRole("button", { name: "See shipping origins" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(`${ORIGINS} of ${ORIGINS} need attention.`).waitFor();
      const tookMs = performance.now() - startedAtMs;
      process.stderr.write(`The origins of ${ORDERS} orders stood after ${Math.round(tookMs)} ms\n`);
      expect(asked.filter((one) => one.endsWith("/graphql")).length).toBe(ORDERS / 50);
      expect(asked.filter((one) => one.includes("POST /api/"))).toEqual(["POST /api/origins/many"]);
      expect(JSON.stringify(calls())).toBe(before);
      await keepScreenshot(page, "many-4-orders");

      await dialog.getByRole("button", { name: `Verify all (${ORIGINS})` }).click();
      await dialog.getByText(`Verification of ${ORIGINS} origins started.`).waitFor();
      await expect.poll(verified).toBe(ORIGINS);
      await dialog.getByText("Nothing needs attention.").waitFor();
      expect(verified()).toBe(ORIGINS);
      await keepScreenshot(page, "many-5-verified");
      expect(sandbox.shipping!.report().mostInSecond).toBeLessThanOrEqual(2);
      expect(stage.tab.complaints).toEqual([]);
    },
    300_000,
  );

  /** The different states of these locations' origins, as the app's list says. */
  async function statesOf(ids: number[]): Promise<string[]> {
    const { visitor } = prepareJob(stage.sandbox);
    const path = `/app/origins?index&locations=${ids.join(",")}`;
    const { view } = await visitor.load<{ view: { rows: { state: string }[] } }>(path, "routes/app.origins._index");
    return [...new Set(view.rows.map(({ state }) => state))];
  }
});
