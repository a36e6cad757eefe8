import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "playwright-core";
import type { LocationInput } from "../sandbox/admin/locations.ts";
import { prepareJob } from "../sandbox/play/job.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import { findBrowser, keepScreenshot } from "./browser.ts";
import { startJobStage } from "./job-stage.ts";
import type { JobStage } from "./job-stage.ts";

/** A store of sixty locations, twenty of them unsure, finished in Review without opening one. */

const executable = findBrowser();
const CITIES = [
  ["Puebla", "PUE", "72"],
  ["Mérida", "YUC", "97"],
  ["Querétaro", "QRO", "76"],
] as const;

const isUnsure = (index: number): boolean => index % 3 === 0;

/** As Shopify's own form writes them, but for every third, typed by somebody in a hurry: number and colonia have to be guessed or asked. */
const LOCATIONS: LocationInput[] = Array.from({ length: 60 }, (_one, index) => {
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

describe.skipIf(!executable)("a store of sixty locations", () => {
  let stage: JobStage;
  let app: Frame;

  beforeAll(async () => {
    stage = await startJobStage(executable!, { shops: 1, locations: LOCATIONS });
    const job = prepareJob(stage.sandbox, 60_000);
    const [open, connect, seeLocations] = STEPS;
    for (const step of [open, connect, seeLocations]) await step!.run(job);
    app = await stage.open("/app/review");
    await app.getByRole("table").waitFor();
  });

  afterAll(() => stage?.close());

  test("says the contact once, finishes the twenty in place, and confirms all at once", async () => {
    // The rows below the screen come once the page stands.
    await app.getByRole("checkbox").nth(59).waitFor();
    expect(await app.getByRole("checkbox").count()).toBe(60);
    await app.getByLabel("Contact name", { exact: true }).fill("Marisol Cervantes");
    await app.getByLabel("Email", { exact: true }).fill("envios@taller-copal.example");
    await app.getByLabel("Delivery reference", { exact: true }).fill("Portón de madera");
    await app
      .getByRole("button", { name: /^Confirm 40 origins/ })
      .first()
      .waitFor();

    const open = LOCATIONS.filter((_one, index) => isUnsure(index));
    for (const [index, { name }] of open.entries()) {
      await app.getByRole("textbox", { name: `Exterior number, ${name}`, exact: true }).fill(String(100 + index));
      await app.getByRole("textbox", { name: `Neighborhood, ${name}`, exact: true }).fill("Centro");
    }
    await keepScreenshot(stage.page, "sixty-1-filled");
    await app
      .getByRole("button", { name: /^Confirm 60 origins/ })
      .first()
      .click();
    await app.getByRole("progressbar").first().waitFor();
    await keepScreenshot(stage.page, "sixty-2-progress");
  });

  test("shows the sync's progress until all are in the address book, each once", async () => {
    await app.getByRole("heading", { name: "All 60 origins are synced" }).first().waitFor({ timeout: 90_000 });
    const templates = stage.templates();
    expect(templates).toHaveLength(60);
    expect(
      templates.filter(({ address }) => (address as { area_level3: string }).area_level3 === "Centro"),
    ).toHaveLength(60);
    const { mostInSecond, duplicates } = stage.sandbox.shipping!.report();
    expect([mostInSecond <= 2, duplicates.total]).toEqual([true, 0]);
    await keepScreenshot(stage.page, "sixty-3-done");
    expect(stage.tab.complaints).toEqual([]);
  });
});
