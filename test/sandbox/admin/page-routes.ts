import { readFileSync } from "node:fs";
import express from "express";
import type { Response } from "express";
import { appBridgeScript, hostScript, plainScript } from "./app-bridge/bundle.ts";
import { install, uninstall } from "./locations.ts";
import type { LocationOutcome } from "./locations.ts";
import { framePage, installPage } from "./pages/app-frame.ts";
import { homePage, storesPage, uninstallPage } from "./pages/home.ts";
import { locationInput, locationPage, locationsPage } from "./pages/locations.ts";
import { flowPage } from "./pages/flow.ts";
import { orderPage, ordersPage } from "./pages/orders.ts";
import { playRoutes } from "./play-routes.ts";
import type { Admin } from "./admin.ts";
import { shopByHandle } from "./state.ts";
import type { ShopState } from "./state.ts";
import type { Words } from "./words.ts";

const asset = (name: string): string => readFileSync(new URL(`assets/${name}`, import.meta.url), "utf8");

/** What a person with a browser sees. */
export function pageRoutes(admin: Admin): express.Router {
  const router = express.Router();
  router.use(express.text({ type: "application/x-www-form-urlencoded" }));
  assetRoutes(router);
  // The app's pages may be framed by the admin under its own name alone, as on a Shopify store.
  router.get(/.*/, (request, response, next) => {
    if (request.hostname !== "127.0.0.1") return next();
    response.redirect(307, `http://localhost:${request.socket.localPort}${request.originalUrl}`);
  });
  router.use((request, _response, next) => {
    const asked = admin.settings.followsVisitor && request.acceptsLanguages("es", "en");
    if (asked) admin.settings.locale = asked;
    next();
  });
  router.get("/", (_request, response) => void response.send(storesPage(admin.state)));
  router.post("/locale", (request, response) => {
    const form = new URLSearchParams(String(request.body));
    admin.settings.locale = form.get("locale") === "en" ? "en" : "es";
    admin.settings.followsVisitor = false;
    const back = form.get("back") ?? "/";
    response.redirect(303, back.startsWith("/store/") ? back : "/");
  });
  router.use("/store/:handle", (request, response, next) => {
    const shop = shopByHandle(admin.state, request.params.handle as string);
    if (!shop) return next("router");
    response.locals.shop = shop;
    next();
  });
  router.get("/store/:handle", (_request, response) => void response.send(homePage(admin.state, shopOf(response))));
  locationRoutes(router, admin);
  orderRoutes(router, admin);
  flowRoutes(router, admin);
  playRoutes(router, admin);
  appRoutes(router, admin);
  return router;
}

function assetRoutes(router: express.Router): void {
  router.get("/assets/admin.css", (_request, response) => void response.type("css").send(asset("admin.css")));
  const scripts = {
    "menu.js": plainScript(asset("menu.ts")),
    "play-bar.js": plainScript(asset("play-bar.ts")),
    "side-by-side.js": plainScript(asset("side-by-side.ts")),
    "app-frame.js": hostScript(),
  };
  for (const [name, script] of Object.entries(scripts)) {
    router.get(`/assets/${name}`, (_request, response) => void response.type("js").send(script));
  }
  const bridge = appBridgeScript();
  router.get(
    "/app-bridge.js",
    (_request, response) => void response.type("js").set("Cache-Control", "max-age=300").send(bridge),
  );
}

function locationRoutes(router: express.Router, { state, locations }: Admin): void {
  const base = "/store/:handle/settings/locations";
  const list = (shop: ShopState, notice: string): string =>
    `/store/${shop.handle}/settings/locations?notice=${encodeURIComponent(notice)}`;
  router.get(base, (request, response) => {
    const notice = typeof request.query.notice === "string" ? request.query.notice : undefined;
    response.send(locationsPage(state, shopOf(response), notice));
  });
  router.get(
    `${base}/new`,
    (_request, response) => void response.send(locationPage({ state, shop: shopOf(response), location: null })),
  );
  router.post(`${base}/new`, (request, response) => {
    const shop = shopOf(response);
    const outcome = locations.create(shop, locationInput(new URLSearchParams(String(request.body))));
    if (outcome.ok) return void response.redirect(303, list(shop, state.words.done.added(outcome.location.name)));
    response.status(422).send(locationPage({ state, shop, location: null, problem: outcome.problem }));
  });
  router.get(`${base}/:id`, (request, response, next) => {
    const shop = shopOf(response);
    const location = shop.locations.get(Number(request.params.id));
    if (!location) return next();
    response.send(locationPage({ state, shop, location }));
  });
  const act = (
    path: string,
    done: keyof Words["done"],
    run: (shop: ShopState, id: number, form: URLSearchParams) => LocationOutcome,
  ): void => {
    router.post(`${base}/:id${path}`, (request, response) => {
      const shop = shopOf(response);
      const id = Number(request.params.id);
      const outcome = run(shop, id, new URLSearchParams(String(request.body)));
      if (outcome.ok) return void response.redirect(303, list(shop, state.words.done[done](outcome.location.name)));
      const location = shop.locations.get(id) ?? null;
      response.status(422).send(locationPage({ state, shop, location, problem: outcome.problem }));
    });
  };
  act("", "saved", (shop, id, form) => locations.change(shop, id, locationInput(form)));
  act("/activate", "activated", (shop, id) => locations.setActive(shop, id, true));
  act("/deactivate", "deactivated", (shop, id) => locations.setActive(shop, id, false));
  act("/delete", "deleted", (shop, id) => locations.delete(shop, id));
}

function orderRoutes(router: express.Router, { state }: Admin): void {
  router.get("/store/:handle/orders", (_request, response) => void response.send(ordersPage(state, shopOf(response))));
  router.get("/store/:handle/orders/:id", (request, response, next) => {
    const shop = shopOf(response);
    const order = shop.orders.find((one) => one.id === Number(request.params.id));
    if (!order) return next();
    response.send(orderPage(state, shop, order));
  });
}

function flowRoutes(router: express.Router, { state, flow, flowTriggers }: Admin): void {
  const base = "/store/:handle/flow";
  const pageOf = (shop: ShopState, problem?: string) => flowPage({ state, shop, flow, flowTriggers, problem });
  const tell = async (response: express.Response, work: (shop: ShopState) => Promise<unknown>): Promise<void> => {
    const shop = shopOf(response);
    try {
      await work(shop);
      response.redirect(303, `/store/${shop.handle}/flow`);
    } catch (error) {
      response.status(422).send(pageOf(shop, (error as Error).message));
    }
  };
  router.get(base, (_request, response) => void response.send(pageOf(shopOf(response))));
  router.post(`${base}/triggers/:trigger`, (request, response) => {
    const isUsed = new URLSearchParams(String(request.body)).get("is") === "on";
    return tell(response, (shop) => flowTriggers.turn(shop, request.params.trigger, isUsed));
  });
  router.post(`${base}/:action`, (request, response) => {
    const properties = Object.fromEntries(new URLSearchParams(String(request.body)));
    return tell(response, (shop) => flow.run(shop, request.params.action, { properties }));
  });
}

function appRoutes(router: express.Router, { state, webhooks, settings }: Admin): void {
  // Shopify opens an app by its handle or its client id.
  const isApp = (name: string | undefined): boolean =>
    name === state.config.handle || name === state.credentials.apiKey;
  router.get(
    "/store/:handle/apps/:app/uninstall",
    (_request, response) => void response.send(uninstallPage(state, shopOf(response))),
  );
  router.post("/store/:handle/apps/:app/uninstall", (_request, response) => {
    const shop = shopOf(response);
    if (shop.installation) uninstall(shop, webhooks);
    response.redirect(303, `/store/${shop.handle}`);
  });
  router.post("/store/:handle/apps/:app/install", (_request, response) => {
    const shop = shopOf(response);
    if (!shop.installation) install(shop);
    response.redirect(303, `/store/${shop.handle}/apps/${state.config.handle}`);
  });
  router.get(/^\/store\/([^/]+)\/apps\/([^/]+)(\/.*)?$/, (request, response, next) => {
    const [, app, path = "/"] = [request.params[0], request.params[1], request.params[2]];
    const shop = shopOf(response);
    if (!isApp(app)) return next();
    if (!shop.installation) return void response.send(installPage(state, shop));
    const search = request.originalUrl.includes("?") ? request.originalUrl.slice(request.originalUrl.indexOf("?")) : "";
    response.send(framePage({ state, shop, appUrl: settings.appUrl, locale: settings.locale, path: path + search }));
  });
}

function shopOf(response: Response): ShopState {
  return response.locals.shop as ShopState;
}
