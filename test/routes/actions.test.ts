import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import {
  CONTACT_FIELDS,
  eachField,
  FORM_CONTACT_FIELDS,
  LONGEST_ADDRESS,
  SPLIT_FIELDS,
} from "../../app/domain/address/form-fields.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import type { Services } from "../../app/ports.ts";
import { act } from "./posting.ts";
import type { Route } from "./posting.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";

/**
 * Bad input is refused before anything is read or written. What good input does is in a file for each family of routes beside this one;
 * the last test compares both with the routes that there are.
 */

const ROUTES = {
  settings: () => import("../../app/routes/app.settings/route.tsx"),
  book: () => import("../../app/routes/app.address-book._index/route.tsx"),
  newTemplate: () => import("../../app/routes/app.address-book.new/route.tsx"),
  template: () => import("../../app/routes/app.address-book.$templateId/route.tsx"),
  origins: () => import("../../app/routes/app.origins._index/route.tsx"),
  origin: () => import("../../app/routes/app.origins.$locationId/route.tsx"),
  move: () => import("../../app/routes/app.origins.$locationId_.move/route.tsx"),
  review: () => import("../../app/routes/app.review/route.tsx"),
  many: () => import("../../app/routes/api.origins_.many/route.ts"),
  details: () => import("../../app/routes/api.origins_.$legacyLocationId.details/route.ts"),
  verify: () => import("../../app/routes/api.origins_.$legacyLocationId.verify/route.ts"),
  vitals: () => import("../../app/routes/app.vitals/route.ts"),
};

const params = { templateId: "t-1", locationId: "7", legacyLocationId: "7" };

/** Whoever asks one of these for anything fails. */
const untouched = new Proxy({} as Services, {
  get: (_none, name) => {
    throw new Error(`bad input reached ${String(name)}`);
  },
});

const place = eachField(SPLIT_FIELDS, (field) => `the ${field}`);
const contact = eachField(CONTACT_FIELDS, (field) => `the ${field}`);
const own = eachField(FORM_CONTACT_FIELDS, (field) => `the ${field}`);
const attributes = eachField(ADDRESS_FIELDS, (field) => `the ${field}`);
const draft = { alias_name: "Bodega", address_type: "from", default: false, address_attributes: attributes };
const query = ALL_ORIGINS;
const shown = { revision: 3, readFrom: "as shown" };
const row = { locationId: "gid://shopify/Location/7", ...shown, templateId: null };
const settings = { language: null, contact, policies: DEFAULT_POLICIES };
const longAddress = "x".repeat(LONGEST_ADDRESS + 1);

describe("bad input is refused, and nothing is asked of any service", () => {
  test.each<[keyof typeof ROUTES, string, unknown]>([
    ...(Object.keys(ROUTES) as (keyof typeof ROUTES)[]).flatMap((route): [keyof typeof ROUTES, string, unknown][] => [
      [route, "no JSON", "{"],
      [route, "nothing", {}],
      [route, "another intent", { intent: "drop" }],
    ]),
    ["settings", "half a contact", { intent: "save", revision: 3, settings: { ...settings, contact: { name: "" } } }],
    ["book", "a word for a yes", { force: "yes" }],
    ["newTemplate", "a deletion", { intent: "delete", draftId: "d" }],
    [
      "template",
      "half an address",
      { intent: "save", draftId: "d", base: null, draft: { ...draft, address_attributes: {} } },
    ],
    ["origins", "another tab", { intent: "sync", locationIds: [], query: { ...query, tab: "none" } }],
    ["origin", "half a place", { intent: "save", ...shown, values: own }],
    [
      "origin",
      "a choice for no field",
      { intent: "resolve", choices: [{ field: "id", choice: "ours", theirs: null }] },
    ],
    [
      "origin",
      "the text of no address",
      { intent: "save", ...shown, readFrom: longAddress, values: { ...place, ...own } },
    ],
    ["origin", "a link without what was shown", { intent: "link", templateId: "t" }],
    ["origin", "no carrier", { intent: "verify", carriers: [" "] }],
    ["move", "half a place", { intent: "plan", place, hour: null, keepFormer: true }],
    ["move", "the text of no address", { intent: "settle", keep: "held", ...shown, readFrom: longAddress }],
    ["review", "half a row", { intent: "confirm", contact, contactRevision: 1, rows: [{ ...row, values: own }] }],
    [
      "review",
      "the text of no address",
      {
        intent: "confirm",
        contact,
        contactRevision: 1,
        rows: [{ ...row, readFrom: longAddress, values: place, templateVersion: null }],
      },
    ],
    ["details", "the text of no address", { ...shown, readFrom: longAddress, values: {} }],
    ["details", "a field that the form has not", { ...shown, values: { postal_code: "06700" } }],
    ["verify", "no carrier", { carriers: [] }],
    ["many", "no locations", { intent: "read" }],
    ["many", "an id that is none", { intent: "verify", locations: ["gid://shopify/Location/7"] }],
  ])("%s: %s", async (name, _what, body) => {
    const route = (await ROUTES[name]()) as unknown as Route;
    expect((await act(route, { services: untouched, params, body })).status).toBe(400);
  });
});

const routes = resolve(import.meta.dirname, "../../app/routes");
const filesOf = (folder: string, recursive: boolean) =>
  readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("every route that reads a body has its schema and its perform beside it, and its place in this table", () => {
  const reading = filesOf(routes, true).filter((file) =>
    /readIntent\(|readBody\(|request\.(?:json|text|formData)\(/.test(readFileSync(file, "utf8")),
  );
  const here = readFileSync(import.meta.filename, "utf8");
  for (const file of reading) {
    expect(file).toMatch(/\/route\.tsx?$/);
    expect(here).toContain(relative(routes, file));
    for (const beside of ["schema.ts", "perform.ts"]) expect(existsSync(join(file, "..", beside)), file).toBe(true);
  }
  expect(reading).toHaveLength(Object.keys(ROUTES).length);
});

/**
 * `api.origins.ts` only refuses, and `app.tsx` reads no body. Vitals are posted to the built server, in server.test.ts. A file
 * is uploaded in the browser (test/e2e/spreadsheet), and what is done with it is played in test/spreadsheet.
 */
const NOT_PLAYED = ["api.origins.ts", "app.origins.import.tsx", "app.tsx", "app.vitals/route.ts"];

test("every route with an action, and every perform, is played on the world in a file beside this one", () => {
  const files = filesOf(routes, true);
  const acting = files.filter((file) =>
    /export (?:async )?(?:function|const) action\b/.test(readFileSync(file, "utf8")),
  );
  const performing = files.filter((file) => file.endsWith("/perform.ts")).map(dirname);
  expect(performing.filter((folder) => !acting.some((file) => dirname(file) === folder))).toEqual([]);
  const playing = filesOf(import.meta.dirname, false)
    .filter((file) => file !== import.meta.filename)
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const isPlayed = (file: string) => playing.includes(`() => import("../../app/routes/${relative(routes, file)}")`);
  expect(
    acting
      .filter((file) => !isPlayed(file))
      .map((file) => relative(routes, file))
      .sort(),
  ).toEqual(NOT_PLAYED);
});
