import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPERATIONS } from "../app/adapters/shipping/retry.ts";
import { ADDRESS_FIELDS, SHOPIFYS_OWN } from "../app/domain/address/address.ts";
import { FORM_FIELDS } from "../app/domain/address/form-fields.ts";
import { DEFAULT_POLICIES } from "../app/domain/records.ts";
import { NAMES } from "./adapters/shipping/support/operations.ts";
import { VITAL_PAGES } from "../app/views/vitals.ts";
import { ADDRESS_FIELDS as STAND_IN_FIELDS } from "./sandbox/shipping/validation.ts";

/**
 * Files that the compiler does not name when one more field, page, operation or policy is added and they are forgotten.
 * docs/design/changes.md tells what to touch for each.
 */

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The text of every source file below a folder. */
const allOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => read(join(folder, file)))
    .join("\n");

test("the sandbox's shipping service keeps the fields that the app sends", () => {
  expect(STAND_IN_FIELDS.toSorted()).toEqual(ADDRESS_FIELDS.toSorted());
});

test("a field of an address is asked for in a form, or is Shopify's own", () => {
  const asked: readonly string[] = [...FORM_FIELDS, ...SHOPIFYS_OWN];
  expect(ADDRESS_FIELDS.filter((field) => !asked.includes(field))).toEqual([]);
});

test("docs/shipping-interface.md names every field of an address", () => {
  const address = read("docs/shipping-interface.md").split("### 2.2 Address")[1]!.split("### 2.3")[0]!;
  expect(ADDRESS_FIELDS.filter((field) => !address.includes(`\`${field}\``))).toEqual([]);
});

/** The frame of all pages, and what is shown where there is none. */
const NO_PAGES = ["app.tsx", "app.$.tsx"];
/** A route is a file or a folder. */
const fileOf = (name: string) => {
  if (/\.tsx?$/.test(name)) return join("app/routes", name);
  const files = readdirSync(join(root, "app/routes", name));
  return join("app/routes", name, files.includes("route.tsx") ? "route.tsx" : "route.ts");
};

test("a page is linked from somewhere in the app, and a person opens it in a browser's test", () => {
  const pages = readdirSync(join(root, "app/routes"))
    .filter((name) => name.startsWith("app.") && !NO_PAGES.includes(name))
    .filter((name) => /^export default /m.test(read(fileOf(name))))
    .map(
      (name) =>
        `/${name
          .replace(/\.tsx$/, "")
          .replace(/\._index$/, "")
          .replace(/\$.*$/, "")
          .replaceAll(".", "/")}`,
    );
  const [links, browser] = [allOf("app/components"), allOf("test/e2e") + allOf("test/sandbox/play")];
  expect(pages.length).toBeGreaterThan(7);
  expect.soft(pages.filter((page) => !links.includes(page))).toEqual([]);
  expect.soft(pages.filter((page) => !browser.includes(page))).toEqual([]);
});

test("the vitals of a page are kept", () => {
  const isPage = (name: string) => /^export default /m.test(read(fileOf(name)));
  const pages = readdirSync(join(root, "app/routes")).filter((name) => name.startsWith("app.") && isPage(name));
  const ids = pages.filter((name) => !NO_PAGES.includes(name)).map((name) => `routes/${name.replace(/\.tsx$/, "")}`);
  expect(ids.toSorted()).toEqual(VITAL_PAGES.toSorted());
});

test("an operation of the service is called in every test of all of them", () => {
  expect(NAMES).toHaveLength(Object.keys(OPERATIONS).length);
});

test("a change of a policy has a name in the activity log, and a test sets the policy", () => {
  const names = Object.keys(DEFAULT_POLICIES);
  const named = (JSON.parse(read("app/i18n/locales/en/activity.json")) as { field: object }).field;
  expect.soft(names.filter((name) => !(name in named))).toEqual([]);
  const rooms = ["domain", "jobs", "origins", "scenarios", "shop", "sync"];
  const tests = rooms.map((room) => allOf(`test/${room}`)).join("\n");
  expect.soft(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
});

test("a policy can be set on the page of settings, and something follows it", () => {
  const names = Object.keys(DEFAULT_POLICIES);
  const page = allOf("app/components/settings");
  expect.soft(names.filter((name) => !page.includes(`values.${name}`))).toEqual([]);
  const rules = ["domain", "jobs", "verification", "sync"].map((room) => allOf(`app/${room}`)).join("\n");
  expect.soft(names.filter((name) => !rules.includes(`olicies.${name}`))).toEqual([]);
});
