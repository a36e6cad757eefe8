import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deriveElements, ELEMENTS_FILE } from "../admin/extension-host/derive-elements.ts";

test("what crosses from an extension's worker is what Shopify's types give its elements", () => {
  expect(JSON.parse(readFileSync(ELEMENTS_FILE, "utf8"))).toEqual(deriveElements());
});
