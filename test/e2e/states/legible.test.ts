import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { findBrowser, launchBrowser, newWindow } from "../browser.ts";
import { atTheEdge, clippedText, oddWords } from "./legible.ts";

/** The checks that every page is put to, put to the test themselves. */

test.each([
  "not_verified",
  "shell:nav.home",
  "nav.home",
  "postalCode",
  "{count} orígenes",
  "undefined",
  "NaN",
  "INVALID_ADDRESS",
])("%s is no word for a person", (word) => expect(oddWords(`Hay ${word} aquí`)).not.toEqual([]));

test.each([
  "Guardar",
  "FedEx, DHL",
  "hola@tienda_norte.example",
  "production-client-1",
  "un identificador de 54 caracteres",
  "San Pedro Tlaquepaque, Jal.",
])("%s is", (word) => expect(oddWords(`Hay ${word} aquí`)).toEqual([]));

const executable = findBrowser();

describe.skipIf(!executable)("a text", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(executable!);
  });
  afterAll(() => browser?.close());

  const WORDS = "San Pedro Tlaquepaque, Jalisco";
  test.each([
    ["in a box that is too narrow", `<div style="width: 60px; overflow: hidden; white-space: nowrap">${WORDS}</div>`],
    ["in a box that is too low", `<div style="width: 60px; height: 12px; overflow: clip">${WORDS}</div>`],
    [
      "of a select that Polaris draws",
      `<div class="Polaris-Select__Content" aria-hidden="true"><span style="display: block; width: 60px; overflow: hidden; white-space: nowrap">${WORDS}</span></div>`,
    ],
    ["longer than its field", `<input style="width: 60px" value="${WORDS}">`],
  ])("%s is cut off", async (_how, html) => {
    const context = await newWindow(browser);
    const page = await context.newPage();
    await page.setContent(html);
    expect(await clippedText(page.mainFrame())).toHaveLength(1);
    await context.close();
  });

  test.each([
    ["that wraps", `<div style="width: 200px; overflow: hidden">${WORDS}</div>`],
    ["that can be scrolled to", `<div style="height: 12px; width: 60px; overflow: auto">${WORDS}</div>`],
    ["for screen readers", `<div style="position: absolute; width: 1px; height: 1px; overflow: hidden">${WORDS}</div>`],
  ])("%s is not", async (_how, html) => {
    const context = await newWindow(browser);
    const page = await context.newPage();
    await page.setContent(html);
    expect(await clippedText(page.mainFrame())).toEqual([]);
    await context.close();
  });

  test("in no card touches the edge of a phone's page, and one in a card does not", async () => {
    const context = await newWindow(browser);
    const page = await context.newPage();
    await page.setContent(`<body style="margin: 0"><p>${WORDS}</p><div style="padding: 16px"><p>Guardar</p></div>`);
    expect(await atTheEdge(page.mainFrame())).toEqual([WORDS]);
    await context.close();
  });
});
