import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { ActionFunctionArgs } from "@remix-run/node";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { OriginIntent } from "../../app/components/origin/origin-intent.ts";
import type { OriginsIntent } from "../../app/components/origins/origins-intent.ts";
import type { ReviewIntent } from "../../app/components/review/review-intent.ts";
import type { SettingsRequest } from "../../app/components/settings/settings-actions.ts";
import type { TemplateIntent } from "../../app/components/address-book/template-intent.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import {
  CONTACT_FIELDS,
  eachField,
  FORM_CONTACT_FIELDS,
  LONGEST_VALUE,
  SPLIT_FIELDS,
} from "../../app/domain/address/form-fields.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";

/**
 * Each action is posted what its form sends, and the function that it calls notes what it got; bad input reaches none.
 *
 * Long, because one table holds every action, and the last test compares that table with the routes there are.
 */

const { got, standIn } = vi.hoisted(() => {
  const noted: [string, unknown][] = [];
  const standIn = (name: string, answer: unknown) => ({
    [name]: async (_services: unknown, input: unknown) => {
      noted.push([name, input]);
      return answer;
    },
  });
  return { got: noted, standIn };
});

vi.mock("../../app/services.server.ts", () => ({
  services: { random: { id: () => "next" } },
  log: { error: () => undefined },
}));
vi.mock("../../app/shopify.server.ts", () => ({
  authenticate: { admin: async () => ({ session: { shop: "a-shop" }, cors: (answer: Response) => answer }) },
}));
vi.mock("../../app/account/confirm-account.ts", () => standIn("confirmAccount", null));
vi.mock("../../app/account/connect-account.ts", () => standIn("connectAccount", { kind: "connected" }));
vi.mock("../../app/account/disconnect-account.ts", () => standIn("disconnectAccount", null));
vi.mock("../../app/account/introspect-token.ts", () => standIn("introspectToken", { kind: "active" }));
vi.mock("../../app/account/test-credentials.ts", () => standIn("testCredentials", { kind: "accepted" }));
vi.mock("../../app/shop/save-settings.ts", () => standIn("saveSettings", { kind: "saved" }));
vi.mock("../../app/book/refresh-address-book.ts", () => standIn("refreshAddressBook", "read"));
vi.mock("../../app/by-hand/save-template.ts", () => standIn("saveTemplate", { kind: "done" }));
vi.mock("../../app/jobs/confirm-review.ts", () =>
  standIn("confirmReview", { kind: "confirmed", count: 1, refused: [] }),
);
vi.mock("../../app/jobs/start-job.ts", () => standIn("startJob", { kind: "started", count: 2 }));
vi.mock("../../app/pages/finish-details.ts", () =>
  standIn("finishDetails", { kind: "done", progress: { kind: "done" } }),
);
vi.mock("../../app/pages/read-origins.ts", () => ({ findOriginIds: async () => ["found-1", "found-2"] }));
vi.mock("../../app/verification/verify-template.ts", () => standIn("verifyTemplate", { kind: "done" }));
vi.mock("../../app/origins/create-anyway.ts", () => standIn("createAnyway", { kind: "quiet" }));
vi.mock("../../app/origins/delete-origin-template.ts", () => standIn("deleteOriginTemplate", { kind: "done" }));
vi.mock("../../app/origins/exclude-origin.ts", () => standIn("excludeOrigin", "excluded"));
vi.mock("../../app/origins/include-origin.ts", () => standIn("includeOrigin", { kind: "quiet" }));
vi.mock("../../app/origins/link-origin.ts", () => standIn("linkOrigin", { kind: "quiet" }));
vi.mock("../../app/origins/make-again.ts", () => standIn("makeAgain", { kind: "quiet" }));
vi.mock("../../app/origins/pause-origin.ts", () => standIn("pauseOrigin", 2));
vi.mock("../../app/origins/refresh-origin.ts", () => ({
  ...standIn("refreshOrigin", null),
  ...standIn("refreshTemplate", null),
}));
vi.mock("../../app/origins/remove-template.ts", () => standIn("removeTemplate", { kind: "done" }));
vi.mock("../../app/origins/resolve-difference.ts", () => standIn("resolveDifference", { kind: "quiet" }));
vi.mock("../../app/origins/save-origin-details.ts", () => standIn("saveOriginDetails", { kind: "stale" }));
vi.mock("../../app/origins/sync-origin.ts", () => standIn("syncOrigin", { kind: "quiet" }));
vi.mock("../../app/origins/unlink-origin.ts", () => standIn("unlinkOrigin", "unlinked"));
vi.mock("../../app/origins/verify-origin.ts", () =>
  standIn("verifyOrigin", { kind: "done", progress: { kind: "done" } }),
);

interface Route {
  action(args: ActionFunctionArgs): Promise<Response>;
  params: Record<string, string>;
}

const ROUTES = {
  settings: async () => ({ ...(await import("../../app/routes/app.settings/route.tsx")), params: {} }),
  book: async () => ({ ...(await import("../../app/routes/app.address-book._index/route.tsx")), params: {} }),
  newTemplate: async () => ({ ...(await import("../../app/routes/app.address-book.new/route.tsx")), params: {} }),
  template: async () => ({
    ...(await import("../../app/routes/app.address-book.$templateId/route.tsx")),
    params: { templateId: "t-1" },
  }),
  origins: async () => ({ ...(await import("../../app/routes/app.origins._index/route.tsx")), params: {} }),
  origin: async () => ({
    ...(await import("../../app/routes/app.origins.$locationId/route.tsx")),
    params: { locationId: "7" },
  }),
  review: async () => ({ ...(await import("../../app/routes/app.review/route.tsx")), params: {} }),
  details: async () => ({
    ...(await import("../../app/routes/api.origins_.$legacyLocationId.details/route.ts")),
    params: { legacyLocationId: "7" },
  }),
  verify: async () => ({
    ...(await import("../../app/routes/api.origins_.$legacyLocationId.verify/route.ts")),
    params: { legacyLocationId: "7" },
  }),
} satisfies Record<string, () => Promise<Route>>;

/** The status of the answer, also of one that is thrown. */
async function post(name: keyof typeof ROUTES, body: unknown): Promise<number> {
  const { action, params } = (await ROUTES[name]()) as Route;
  const request = new Request("http://app.test/", {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const answer = await action({ request, params, context: {} } as ActionFunctionArgs).catch((error: unknown) => error);
  if (!(answer instanceof Response)) throw answer;
  return answer.status;
}

const shop = "a-shop";
const place = eachField(SPLIT_FIELDS, (field) => `the ${field}`);
const contact = eachField(CONTACT_FIELDS, (field) => `the ${field}`);
const own = eachField(FORM_CONTACT_FIELDS, (field) => `the ${field}`);
const credentials = { environment: "test", clientId: "id", clientSecret: "s", scope: null, redirectUri: null } as const;
const attributes = eachField(ADDRESS_FIELDS, (field) => `the ${field}`);
const draft = { alias_name: "Bodega", address_type: "from", default: false, address_attributes: attributes };
const query = { tab: "all", state: null, search: "", sort: "name", descending: false, page: 1 } as const;
const locationId = "gid://shopify/Location/7";
const one = { shop, locationId };
const shown = { revision: 3, readFrom: "as shown" };
const row = { locationId, ...shown, templateId: null };
const settings = { language: null, contact, policies: { ...DEFAULT_POLICIES, carriers: ["FedEx", "fedex"] } };

const sent = {
  settings: (body: SettingsRequest) => body,
  template: (body: TemplateIntent) => body,
  origins: (body: OriginsIntent) => body,
  origin: (body: OriginIntent) => body,
  review: (body: ReviewIntent) => body,
};

beforeEach(() => {
  got.length = 0;
});

describe("what a form sends is what the called function gets", () => {
  test.each<[keyof typeof ROUTES, unknown, string, unknown]>([
    ["settings", sent.settings({ intent: "connect", ...credentials }), "connectAccount", { shop, stated: credentials }],
    ["settings", sent.settings({ intent: "test", ...credentials }), "testCredentials", { shop, stated: credentials }],
    ["settings", sent.settings({ intent: "disconnect" }), "disconnectAccount", { shop }],
    ["settings", sent.settings({ intent: "introspect" }), "introspectToken", { shop }],
    ["settings", sent.settings({ intent: "confirm_account", same: true }), "confirmAccount", { shop, same: true }],
    [
      "settings",
      sent.settings({ intent: "save", revision: 3, settings }),
      "saveSettings",
      { shop, revision: 3, settings: { ...settings, policies: { ...settings.policies, carriers: ["fedex"] } } },
    ],
    ["book", { force: true }, "refreshAddressBook", { shop, force: true }],
    [
      "newTemplate",
      sent.template({ intent: "save", draftId: "d", draft, base: null }),
      "saveTemplate",
      { shop, draftId: "d", templateId: null, draft, base: null },
    ],
    [
      "template",
      sent.template({ intent: "save", draftId: "d", draft, base: null }),
      "saveTemplate",
      { shop, templateId: "t-1", draftId: "d", draft, base: null },
    ],
    [
      "template",
      sent.template({ intent: "delete", draftId: "d" }),
      "removeTemplate",
      { shop, templateId: "t-1", draftId: "d" },
    ],
    [
      "template",
      sent.template({ intent: "verify", carriers: ["FedEx"] }),
      "verifyTemplate",
      { shop, templateId: "t-1", carriers: ["fedex"] },
    ],
    ["template", sent.template({ intent: "refresh" }), "refreshTemplate", { shop, templateId: "t-1" }],
    [
      "origins",
      sent.origins({ intent: "sync", locationIds: ["a", "b"], query }),
      "startJob",
      { shop, kind: "sync", carriers: null, locationIds: ["a", "b"], lookThere: true },
    ],
    [
      "origins",
      sent.origins({ intent: "verify", locationIds: "filter", query }),
      "startJob",
      { shop, kind: "verify", carriers: null, locationIds: ["found-1", "found-2"], lookThere: false },
    ],
    [
      "origins",
      sent.origins({ intent: "pause", locationIds: ["a"], query }),
      "pauseOrigin",
      { shop, locationIds: ["a"], paused: true },
    ],
    [
      "origins",
      sent.origins({ intent: "resume", locationIds: ["a"], query }),
      "pauseOrigin",
      { shop, locationIds: ["a"], paused: false },
    ],
    [
      "origin",
      sent.origin({ intent: "save", ...shown, values: { ...place, ...own } }),
      "saveOriginDetails",
      { shop, stated: { locationId, ...shown, split: place, contact: { ...own, reference: null } } },
    ],
    [
      "origin",
      sent.origin({ intent: "save", ...shown, values: { ...place, street_number: " ", email: "" } }),
      "saveOriginDetails",
      {
        shop,
        stated: {
          locationId,
          ...shown,
          split: { ...place, street_number: null },
          contact: { email: null, reference: null },
        },
      },
    ],
    ["origin", sent.origin({ intent: "sync" }), "syncOrigin", one],
    ["origin", sent.origin({ intent: "include" }), "includeOrigin", one],
    ["origin", sent.origin({ intent: "unlink" }), "unlinkOrigin", one],
    ["origin", sent.origin({ intent: "makeAgain" }), "makeAgain", one],
    ["origin", sent.origin({ intent: "createAnyway" }), "createAnyway", one],
    ["origin", sent.origin({ intent: "refresh" }), "refreshOrigin", one],
    ["origin", sent.origin({ intent: "pause" }), "pauseOrigin", { shop, locationIds: [locationId], paused: true }],
    ["origin", sent.origin({ intent: "resume" }), "pauseOrigin", { shop, locationIds: [locationId], paused: false }],
    ["origin", sent.origin({ intent: "link", templateId: "t" }), "linkOrigin", { ...one, templateId: "t" }],
    ["origin", sent.origin({ intent: "delete", draftId: "d" }), "deleteOriginTemplate", { ...one, draftId: "d" }],
    [
      "origin",
      sent.origin({ intent: "resolve", choices: [{ field: "street1", choice: "ours", theirs: null }] }),
      "resolveDifference",
      { ...one, choices: [{ field: "street1", choice: "ours", theirs: null }] },
    ],
    ["origin", sent.origin({ intent: "verify", carriers: ["FedEx"] }), "verifyOrigin", { ...one, carriers: ["fedex"] }],
    [
      "review",
      sent.review({ intent: "confirm", contact, contactRevision: 1, rows: [{ ...row, values: place }] }),
      "confirmReview",
      { shop, contact, contactRevision: 1, rows: [{ ...row, contact: {}, split: place }] },
    ],
    ["review", sent.review({ intent: "exclude", locationId }), "excludeOrigin", one],
    ["details", { ...shown, values: own }, "finishDetails", { shop, finished: { ...shown, locationId, values: own } }],
    ["verify", { carriers: ["FedEx", " "] }, "verifyOrigin", { ...one, carriers: ["fedex"] }],
  ])("%s %#", async (route, body, name, input) => {
    expect(await post(route, body)).toBeLessThan(500);
    expect(got).toEqual([[name, input]]);
  });
});

const long = "x".repeat(LONGEST_VALUE + 1);

describe("bad input is refused, and no function gets it", () => {
  test.each<[keyof typeof ROUTES, string, unknown]>([
    ...(Object.keys(ROUTES) as (keyof typeof ROUTES)[]).flatMap((route): [keyof typeof ROUTES, string, unknown][] => [
      [route, "no JSON", "{"],
      [route, "nothing", {}],
      [route, "another intent", { intent: "drop" }],
    ]),
    ["settings", "half a contact", { intent: "save", revision: 3, settings: { ...settings, contact: { name: "" } } }],
    [
      "settings",
      "an absurd contact",
      { intent: "save", revision: 3, settings: { ...settings, contact: { ...contact, name: long } } },
    ],
    ["book", "a word for a yes", { force: "yes" }],
    ["newTemplate", "a deletion", { intent: "delete", draftId: "d" }],
    [
      "template",
      "half an address",
      { intent: "save", draftId: "d", base: null, draft: { ...draft, address_attributes: {} } },
    ],
    ["origins", "another tab", { intent: "sync", locationIds: [], query: { ...query, tab: "none" } }],
    ["origin", "half a place", { intent: "save", ...shown, values: own }],
    ["origin", "an absurd street", { intent: "save", ...shown, values: { ...place, street1: long } }],
    [
      "origin",
      "a choice for no field",
      { intent: "resolve", choices: [{ field: "id", choice: "ours", theirs: null }] },
    ],
    ["origin", "no carrier", { intent: "verify", carriers: [" "] }],
    ["review", "half a row", { intent: "confirm", contact, contactRevision: 1, rows: [{ ...row, values: own }] }],
    ["details", "a field that the form has not", { ...shown, values: { postal_code: "06700" } }],
    ["details", "an absurd street", { ...shown, values: { street1: long } }],
    ["verify", "no carrier", { carriers: [] }],
  ])("%s: %s", async (route, _what, body) => {
    expect(await post(route, body)).toBe(400);
    expect(got).toEqual([]);
  });
});

test("every route that reads a body has its schema and its perform beside it, and its place in these tables", () => {
  const folder = resolve(import.meta.dirname, "../../app/routes");
  const reading = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /readIntent\(|readBody\(|request\.(?:json|text|formData)\(/.test(readFileSync(file, "utf8")));
  const here = readFileSync(import.meta.filename, "utf8");
  for (const file of reading) {
    expect(file).toMatch(/\/route\.tsx?$/);
    expect(here).toContain(relative(folder, file));
    for (const beside of ["schema.ts", "perform.ts"]) expect(existsSync(join(file, "..", beside)), file).toBe(true);
  }
  expect(reading).toHaveLength(Object.keys(ROUTES).length);
});
