import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "playwright-core";
import type { OrderOriginsView, OrderOriginView } from "../../../app/views/order-origins.ts";
import { IS_WHOLE } from "../../whole.ts";

/** What Shopify and the app may answer an order page's block, each of which changes what it shows. */

type Answering = (route: Route) => Promise<void>;

export interface Case {
  /** The locations the order leaves from, as Shopify tells it; one that the store does not have was deleted. Default: the true order. */
  order?: string[];
  /** What Shopify says instead. */
  refusal?: object;
  /** What becomes of the app's answer. Default: it goes through. */
  app?: Answering;
  store?: string;
  /** Shopify's answer leaves nothing to ask the app. */
  final?: boolean;
  /** A key of the extension's words. */
  shows: string;
  /** The block asks again by itself; what becomes of that answer, and what is shown then. */
  later?: { app?: Answering; shows: string };
}

const OWN = "Sucursal Coyoacán";
const TWO = [OWN, "Tienda Roma Norte"];
const THREE = [...TWO, "Taller Tlaquepaque"];

/** The app's own answer, changed on its way. */
function changed(change: (view: OrderOriginsView) => void): Answering {
  return async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    const view = (await response.json()) as OrderOriginsView;
    change(view);
    await route.fulfill({ response, json: view });
  };
}

const halted = (connection: OrderOriginsView["connection"]) =>
  changed((view) => {
    view.connection = connection;
    for (const origin of view.origins) Object.assign(origin, { canSync: false, canVerify: false });
  });

const away = changed((view) => {
  view.connection = "failing";
});

const each = (change: Partial<OrderOriginView>) =>
  changed(({ origins }) => {
    for (const origin of origins) Object.assign(origin, change);
  });

/** Every carrier was asked and none has answered. */
export const asked = changed(({ origins }) => {
  for (const origin of origins) {
    origin.moving = true;
    for (const carrier of origin.carriers) carrier.outcome = "pending";
  }
});

const denied = (message: string) => ({ data: null, errors: [{ message, extensions: { code: "ACCESS_DENIED" } }] });

export const CASES: Record<string, Case> = {
  "one location": { order: [OWN], shows: "state.unverified" },
  "two locations": { order: TWO, shows: "state.unverified" },
  "three locations": { order: THREE, shows: "state.unverified" },
  "five locations": { order: [...THREE, "Almacén Mérida", "Bodega Monterrey"], shows: "state.unverified" },
  "a location that lacks details": { order: ["Almacén Mérida"], shows: "missing" },
  "no shipping location": { order: ["Envíos del Bajío"], shows: "exclusion.fulfillment_service" },
  "an app that is away": { app: (route) => route.abort(), shows: "problem.unreachable" },
  "two locations and an app that is away": {
    order: TWO,
    app: (route) => route.abort(),
    shows: "problem.unreachable",
  },
  "an app that goes away": {
    app: asked,
    shows: "carrier.pending",
    later: { app: (route) => route.abort(), shows: "problem.unreachable" },
  },
  "a service that is away": { app: away, shows: "connection.failing" },
  "two locations and a service that is away": { order: TWO, app: away, shows: "connection.failing" },
  "refused credentials": { app: halted("invalid"), shows: "connection.invalid" },
  "two locations and refused credentials": {
    order: TWO,
    app: halted("invalid"),
    shows: "connection.invalid",
  },
  "an account to confirm": { app: halted("unconfirmed"), shows: "connection.unconfirmed" },
  "the test account in use": { app: halted("test"), shows: "connection.test" },
  "two locations and no account for production": {
    order: TWO,
    app: halted("test_only"),
    shows: "connection.test_only",
  },
  "no connection": { store: "tienda-3", shows: "connection.none" },
  "an update under way": {
    app: each({ state: "changing", moving: true }),
    shows: "note.changing",
    later: { shows: "checked" },
  },
  "a first update under way": {
    app: each({ state: "changing", moving: true, canVerify: false, checkedAtMs: null }),
    shows: "note.changing",
    later: { shows: "checked" },
  },
  "an update that waits": {
    app: each({ state: "waiting", moving: true }),
    shows: "note.waiting",
    later: { shows: "checked" },
  },
  "carriers under way": { app: asked, shows: "carrier.pending", later: { shows: "carrier.not_asked" } },
  "a deleted location": { order: ["Bodega de antes"], final: true, shows: "deleted" },
  "no scope": { refusal: denied("Access denied for order field"), final: true, shows: "problem.scope" },
  "no approval": { refusal: denied("This app is not approved"), final: true, shows: "problem.protected" },
  "an old order": { refusal: { data: { order: null } }, final: true, shows: "problem.tooOld" },
  "nothing from a location": { order: [], final: true, shows: "problem.noOrigin" },
};

/** Those that differ most: what every run looks at. */
const FEW = ["the test account in use", "three locations", "a service that is away", "an update under way"];

/** Also looked at where the page is wide. */
const MORE = [
  ...FEW,
  "one location",
  "a location that lacks details",
  "refused credentials",
  "no connection",
  "no scope",
];

/** A whole run plays every case where the page is narrow and words break; where it is wide those that differ most. */
export const PLAYED = { wide: MORE, narrow: IS_WHOLE ? Object.keys(CASES) : FEW };

export interface Words {
  [key: string]: string | Words;
}

const read = (language: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../../extensions/order-origin/locales/${language}.json`), "utf8"),
  ) as Words;

/** The extension's own. */
export const WORDS = { en: read("en.default"), es: read("es") };
