import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import { CONTACT_FIELDS, eachField, SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { DEFAULT_POLICIES, type AddressTemplate } from "../../app/domain/records.ts";
import { templateIntent } from "../../app/routes/app.address-book.$templateId/schema.ts";
import { newTemplateIntent } from "../../app/routes/app.address-book.new/schema.ts";
import { manyIntent } from "../../app/routes/api.origins_.many/schema.ts";
import { originIntent } from "../../app/routes/app.origins.$locationId/schema.ts";
import { moveIntent } from "../../app/routes/app.origins.$locationId_.move/schema.ts";
import { PLACE_FIELDS } from "../../app/domain/address/place.ts";
import { originsIntent } from "../../app/routes/app.origins._index/schema.ts";
import { reviewIntent } from "../../app/routes/app.review/schema.ts";
import { settingsIntent } from "../../app/routes/app.settings/schema.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import type { Theirs } from "./stage.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";

/**
 * What an owner can send to each route, naming what another shop has. A route file that is not here, and an intent of a schema that is not
 * here, fail the test (`forgotten`).
 *
 * Long, because it is one table of all routes.
 */

export interface Attack {
  method: "GET" | "POST";
  path: string;
  body?: object;
  /** What the intruder is to get: `none`, for what is not theirs; `own`, for their own things, in which nothing of the victim's stands. */
  gets: "none" | "own";
}

interface Route {
  /** Anybody may ask. */
  open?: boolean;
  /** What a command's `intent` may be. */
  intents?: z.ZodType;
  attacks: (theirs: Theirs) => Attack[];
}

const get = (path: string, gets: Attack["gets"]): Attack => ({ method: "GET", path, gets });
const post = (path: string, gets: Attack["gets"], body: object = {}): Attack => ({ method: "POST", path, gets, body });

const values = eachField(SPLIT_FIELDS, () => "x");
const carriers = ["fedex"];
const query = ALL_ORIGINS;
const draft = { ...SUPPLIER, default: false, address_attributes: { ...NO_ADDRESS, ...SUPPLIER.address_attributes } };
const baseOf = (id: string): AddressTemplate => ({
  id,
  alias_name: "x",
  address_type: "from",
  default: false,
  address: { ...NO_ADDRESS, tax_id_number: null, tax_id_type: null },
  verified_carriers: [],
});
const credentials = {
  environment: "test",
  clientId: "nobody",
  clientSecret: "nothing",
  scope: null,
  redirectUri: null,
};
const nobody = eachField(CONTACT_FIELDS, () => null);
const contact = { ...nobody, name: "Luz", email: "luz@example.com", phone: "5552640101", reference: "x" };

const day = { hour: null, keepFormer: true };
const MOVES = [
  ...["again", "cancel"].map((intent) => ({ intent })),
  { intent: "plan", place: eachField(PLACE_FIELDS, () => "x"), ...day },
  ...[
    { intent: "day", ...day },
    { intent: "press", anyway: true },
  ],
  { intent: "settle", keep: "shopify", revision: 0, readFrom: "" },
];

const ROUTES: Record<string, Route> = {
  _index: { open: true, attacks: () => [get("/", "own")] },
  "api.origins": {
    attacks: ({ locationId }) => [get(`/api/origins?locations=${encodeURIComponent(locationId)}`, "own")],
  },
  "api.origins_.$legacyLocationId.details": {
    attacks: ({ legacyLocationId: id }) => [
      post(`/api/origins/${id}/details`, "none", { revision: 0, readFrom: "", values: {} }),
    ],
  },
  "api.origins_.$legacyLocationId.sync": {
    attacks: ({ legacyLocationId: id }) => [post(`/api/origins/${id}/sync`, "none")],
  },
  "api.origins_.$legacyLocationId.verify": {
    attacks: ({ legacyLocationId: id }) => [post(`/api/origins/${id}/verify`, "none", { carriers })],
  },
  "api.origins_.many": {
    intents: manyIntent,
    attacks: ({ legacyLocationId: id }) => [
      post("/api/origins/many", "own", { intent: "read", locations: [id] }),
      ...["verify", "sync"].map((intent) => post("/api/origins/many", "none", { intent, locations: [id] })),
    ],
  },
  "app.$": { attacks: () => [get("/app/nowhere", "none")] },
  "app._index": { attacks: () => [get("/app?index", "own"), post("/app?index", "own")] },
  "app.help": { attacks: () => [get("/app/help", "own")] },
  "app.activity": {
    attacks: ({ locationId }) => [get(`/app/activity?location=${encodeURIComponent(locationId)}`, "own")],
  },
  "app.activity_.export": {
    attacks: ({ locationId }) => [
      get(`/app/activity/export?language=en&location=${encodeURIComponent(locationId)}`, "own"),
    ],
  },
  "app.origins.export": {
    attacks: ({ legacyLocationId }) => [get(`/app/origins/export?language=en&locations=${legacyLocationId}`, "own")],
  },
  "app.vitals": { attacks: () => [post("/app/vitals", "own", [])] },
  // A body that is no form is a 400 whatever it names. Which shop's locations a file may name: test/spreadsheet/import-details.test.ts.
  "app.origins.import": { attacks: () => [get("/app/origins/import", "own")] },
  "app.address-book.$templateId": {
    intents: templateIntent,
    attacks: ({ templateId, draftId }) => {
      const path = `/app/address-book/${templateId}`;
      return [
        get(path, "none"),
        post(path, "none", { intent: "save", draftId, draft, base: baseOf(templateId) }),
        post(path, "none", { intent: "save", draftId: "another", draft, base: baseOf(templateId) }),
        post(path, "none", { intent: "delete", draftId }),
        post(path, "none", { intent: "verify", carriers }),
        post(path, "none", { intent: "refresh" }),
      ];
    },
  },
  "app.address-book._index": {
    attacks: () => [get("/app/address-book?index", "own"), post("/app/address-book?index", "own", { force: false })],
  },
  "app.address-book.new": {
    intents: newTemplateIntent,
    attacks: ({ draftId }) => [
      get("/app/address-book/new", "own"),
      post("/app/address-book/new", "own", { intent: "save", draftId, draft, base: null }),
    ],
  },
  "app.jobs.$jobId": {
    attacks: ({ jobId }) => [get(`/app/jobs/${jobId}`, "none"), post(`/app/jobs/${jobId}`, "none")],
  },
  "app.postal-codes.$code": {
    attacks: () => [get("/app/postal-codes/06700", "own")],
  },
  "app.revision": { attacks: () => [get("/app/revision", "own")] },
  "app.origins.$locationId": {
    intents: originIntent,
    attacks: ({ legacyLocationId, templateId, draftId }) => {
      const path = `/app/origins/${legacyLocationId}`;
      const plain = ["sync", "include", "unlink", "makeAgain", "createAnyway", "pause", "resume", "refresh"];
      return [
        get(path, "none"),
        ...plain.map((intent) => post(path, "none", { intent })),
        post(path, "none", { intent: "save", revision: 0, readFrom: "", values }),
        post(path, "none", { intent: "link", templateId, templateVersion: "x" }),
        post(path, "none", { intent: "delete", draftId }),
        post(path, "none", { intent: "resolve", choices: [{ field: "reference", choice: "ours", theirs: null }] }),
        post(path, "none", { intent: "verify", carriers }),
      ];
    },
  },
  "app.origins.$locationId_.move": {
    intents: moveIntent,
    attacks: ({ legacyLocationId }) => [
      get(`/app/origins/${legacyLocationId}/move`, "none"),
      ...MOVES.map((body) => post(`/app/origins/${legacyLocationId}/move`, "none", body)),
    ],
  },
  "app.origins.$locationId_.report": {
    attacks: ({ legacyLocationId }) => [get(`/app/origins/${legacyLocationId}/report`, "none")],
  },
  "app.origins.$locationId_.link.$templateId": {
    attacks: ({ legacyLocationId, templateId }) => [get(`/app/origins/${legacyLocationId}/link/${templateId}`, "none")],
  },
  "app.origins._index": {
    intents: originsIntent,
    attacks: ({ locationId }) => [
      get("/app/origins?index", "own"),
      ...["sync", "verify", "pause", "resume"].map((intent) =>
        post("/app/origins?index", "none", { intent, locationIds: [locationId], query }),
      ),
    ],
  },
  "app.settings": {
    intents: settingsIntent,
    attacks: ({ locationId: defaultLocationId }) => {
      const policies = { ...DEFAULT_POLICIES, defaultLocationId };
      return [
        get("/app/settings", "own"),
        post("/app/settings", "none", { intent: "save", revision: 0, settings: { language: null, contact, policies } }),
        ...["introspect", "disconnect"].map((intent) => post("/app/settings", "own", { intent })),
        post("/app/settings", "own", { intent: "confirm_account", connectionId: "theirs", same: true }),
        post("/app/settings", "own", { intent: "switch_environment", environment: "production" }),
        ...["test", "connect"].map((intent) => post("/app/settings", "own", { intent, ...credentials })),
      ];
    },
  },
  "app.review": {
    intents: reviewIntent,
    attacks: ({ locationId, templateId }) => {
      const row = { locationId, revision: 0, readFrom: "", values, templateId, templateVersion: null };
      return [
        get("/app/review", "own"),
        post("/app/review", "own", { intent: "confirm", contact, contactRevision: 0, rows: [row] }),
        post("/app/review", "none", { intent: "exclude", locationId }),
        post("/app/review", "none", { intent: "includeAgain", locationId }),
      ];
    },
  },
  app: { attacks: () => [post("/app", "own", { intent: "refresh_connection" })] },
  "auth.$": { attacks: () => [get("/auth/anything", "own")] },
  "auth.login": { open: true, attacks: () => [get("/auth/login", "own")] },
  // Signed by Shopify, as webhooks are (`webhooks.ts`).
  "flow.verify-origin": { open: true, attacks: () => [] },
  "flow.triggers": { open: true, attacks: () => [] },
};

/** Every attack, with the route that answers. */
export function attacksOn(theirs: Theirs): (Attack & { route: string; open: boolean })[] {
  return Object.entries(ROUTES).flatMap(([route, { open = false, attacks }]) =>
    attacks(theirs).map((attack) => ({ ...attack, route, open })),
  );
}

/** Route files and intents that nobody attacks. */
export function forgotten(theirs: Theirs): string[] {
  const folder = join(import.meta.dirname, "../../app/routes");
  const files = readdirSync(folder).map((name) => name.replace(/\.tsx?$/, ""));
  const intents = Object.entries(ROUTES).flatMap(([route, { intents: schema, attacks }]) => {
    const sent = attacks(theirs).map(({ body }) => (body as { intent?: string } | undefined)?.intent);
    return schema
      ? intentsOf(schema)
          .filter((intent) => !sent.includes(intent))
          .map((intent) => `${route}: ${intent}`)
      : [];
  });
  return [
    ...files.filter((name) => !(name in ROUTES)),
    ...Object.keys(ROUTES).filter((name) => !files.includes(name)),
    ...intents,
  ];
}

interface Shape {
  oneOf?: Shape[];
  anyOf?: Shape[];
  properties?: { intent?: { const?: string; enum?: string[] } };
}

function intentsOf(schema: z.ZodType): string[] {
  const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape;
  return (whole.oneOf ?? whole.anyOf ?? [whole]).flatMap(({ properties }) => {
    const { const: only, enum: some = [] } = properties?.intent ?? {};
    return only === undefined ? some : [only];
  });
}
