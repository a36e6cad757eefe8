// The control interface: what tests and the play do that no owner's page can. Described in ../README.md.
import express from "express";
import type { Request, Response } from "express";
import type { AdminFaultRule } from "./faults.ts";
import type { FlowRunOptions } from "./flow.ts";
import { changeScopes } from "./internal-routes.ts";
import { install, uninstall } from "./locations.ts";
import type { LocationInput, LocationOutcome } from "./locations.ts";
import { compliancePayload, locationPayload, scopesPayload, shopPayload } from "./payloads.ts";
import type { Admin } from "./admin.ts";
import { embeddedQuery, sessionToken } from "./signing.ts";
import type { SessionTokenOptions } from "./signing.ts";
import { grantedScopes, shopByHandle } from "./state.ts";
import type { ShopState } from "./state.ts";
import type { DeliveryOptions } from "./webhooks.ts";

export function controlRoutes(admin: Admin): express.Router {
  const router = express.Router();
  router.use("/sandbox", express.json({ limit: "5mb" }));
  router.get("/sandbox/state", (_request, response) => void response.json(describe(admin)));
  router.put(
    "/sandbox/settings",
    (request, response) => void response.json(applySettings(admin, request.body as Settings)),
  );
  router.put("/sandbox/toml", express.text({ type: "text/plain" }), (request, response) => {
    attempt(response, () => {
      admin.deploy(String(request.body));
      return describe(admin);
    });
  });
  router.get("/sandbox/webhooks", (_request, response) => void response.json(admin.webhooks.deliveries));
  router.post("/sandbox/webhooks/settled", async (_request, response) => {
    await admin.webhooks.idle();
    response.json({});
  });
  router.put("/sandbox/shopify/faults", (request, response) =>
    attempt(response, () => {
      admin.faults.set(request.body as AdminFaultRule | AdminFaultRule[]);
      return admin.faults.list();
    }),
  );
  router.delete("/sandbox/shopify/faults", (_request, response) => attempt(response, () => (admin.faults.clear(), {})));
  shopRoutes(router, admin);
  locationRoutes(router, admin);
  shippingRoutes(router, admin);
  return router;
}

interface Settings {
  locale?: string;
  protectedDataApproved?: boolean;
  accessTokenLifetimeSeconds?: number;
  webhookRetryDelaysMs?: number[];
}

function applySettings(admin: Admin, settings: Settings): unknown {
  if (settings.locale !== undefined) admin.settings.locale = settings.locale;
  if (settings.protectedDataApproved !== undefined) admin.state.protectedDataApproved = settings.protectedDataApproved;
  if (settings.accessTokenLifetimeSeconds !== undefined)
    admin.tokens.lifetimeSeconds = settings.accessTokenLifetimeSeconds;
  if (settings.webhookRetryDelaysMs !== undefined) admin.webhooks.retryDelaysMs = settings.webhookRetryDelaysMs;
  return describe(admin);
}

function shopRoutes(router: express.Router, admin: Admin): void {
  const base = "/sandbox/shops/:handle";
  const { state } = admin;
  const post = (path: string, run: (shop: ShopState, body: Record<string, unknown>) => unknown): void => {
    router.post(`${base}/${path}`, (request, response) =>
      withShop(admin, request, response, (shop) => run(shop, bodyOf(request))),
    );
  };
  post("session-token", (shop, body) => ({ token: sessionToken(state, shop, body as SessionTokenOptions) }));
  post("frame", (shop, body) => {
    const url = new URL(String(body.path ?? "/"), admin.settings.appUrl);
    for (const [key, value] of embeddedQuery(state, shop, admin.settings.locale)) url.searchParams.set(key, value);
    return { url: url.href };
  });
  post("scopes", (shop, body) => changeScopes(admin, shop, body.scopes as string[], body.granted !== false));
  post("uninstall", (shop) => (uninstall(shop, admin.webhooks), {}));
  post("install", (shop) => (install(shop), {}));
  post("expire-tokens", (shop) => (admin.tokens.expireAll(shop), {}));
  post("webhooks", (shop, body) => deliver(admin, shop, body));
  router.get("/sandbox/flow/arrived", (_request, response) => void response.json(admin.flowTriggers.arrived));
  router.put(`${base}/flow-triggers/:trigger`, async (request, response) => {
    const shop = shopByHandle(state, request.params.handle);
    if (!shop) return void response.status(404).json({ error: "There is no such store" });
    const { isUsed = true } = bodyOf(request) as { isUsed?: boolean };
    await admin.flowTriggers.turn(shop, request.params.trigger, isUsed).then(
      () => response.json({}),
      (error: Error) => response.status(422).json({ error: error.message }),
    );
  });
  router.post(`${base}/flow/:action`, async (request, response) => {
    const shop = shopByHandle(state, request.params.handle);
    if (!shop) return void response.status(404).json({ error: "There is no such store" });
    const { properties = {}, ...options } = bodyOf(request) as FlowRunOptions & { properties?: Record<string, string> };
    await admin.flow.run(shop, request.params.action, { ...options, properties }).then(
      (run) => response.json(run),
      (error: Error) => response.status(422).json({ error: error.message }),
    );
  });
}

type DeliverBody = DeliveryOptions & { topic?: string; payload?: unknown; locationId?: number };

function deliver(admin: Admin, shop: ShopState, body: DeliverBody): unknown {
  const { topic, payload, locationId, ...options } = body;
  if (!topic) throw new Error("Name the topic");
  return admin.webhooks.deliver(shop, topic, payload ?? defaultPayload(admin, shop, topic, locationId), options);
}

function defaultPayload(admin: Admin, shop: ShopState, topic: string, locationId: number | undefined): unknown {
  if (topic.startsWith("locations/")) {
    const location = locationId === undefined ? [...shop.locations.values()][0] : shop.locations.get(locationId);
    return location && topic !== "locations/delete" ? locationPayload(location) : { id: locationId };
  }
  if (topic === "app/uninstalled") return shopPayload(shop);
  if (topic === "app/scopes_update") return scopesPayload(shop, [], grantedScopes(admin.state, shop));
  return compliancePayload(shop, topic);
}

function locationRoutes(router: express.Router, admin: Admin): void {
  const { locations } = admin;
  const base = "/sandbox/shops/:handle/locations";
  router.post(base, (request, response) =>
    withShop(admin, request, response, (shop) => answerOf(locations.create(shop, bodyOf(request) as LocationInput))),
  );
  router.patch(`${base}/:id`, (request, response) =>
    withShop(admin, request, response, (shop) =>
      answerOf(locations.change(shop, idOf(request), bodyOf(request) as LocationInput)),
    ),
  );
  for (const verb of ["activate", "deactivate"]) {
    router.post(`${base}/:id/${verb}`, (request, response) =>
      withShop(admin, request, response, (shop) =>
        answerOf(locations.setActive(shop, idOf(request), verb === "activate")),
      ),
    );
  }
  router.delete(`${base}/:id`, (request, response) =>
    withShop(admin, request, response, (shop) => answerOf(locations.delete(shop, idOf(request), { force: true }))),
  );
}

function shippingRoutes(router: express.Router, admin: Admin): void {
  const offered = (response: Response, run: (shipping: NonNullable<Admin["shipping"]>) => unknown): void => {
    const { shipping } = admin;
    if (!shipping) return void response.status(404).json({ error: "No stand-in of the shipping service runs here" });
    attempt(response, () => run(shipping) ?? {});
  };
  router.get("/sandbox/shipping/report", (_request, response) => offered(response, (shipping) => shipping.report()));
  router.get("/sandbox/shipping/templates/:clientId", (request, response) =>
    offered(response, (shipping) => shipping.templates(request.params.clientId)),
  );
  router.put("/sandbox/shipping/faults", (request, response) =>
    offered(response, (shipping) => shipping.faults.set(request.body as never)),
  );
  router.delete("/sandbox/shipping/faults", (_request, response) =>
    offered(response, (shipping) => shipping.faults.clear()),
  );
}

function withShop(admin: Admin, request: Request, response: Response, run: (shop: ShopState) => unknown): void {
  const shop = shopByHandle(admin.state, request.params.handle ?? "");
  if (!shop) return void response.status(404).json({ error: "There is no such store" });
  attempt(response, () => run(shop));
}

function attempt(response: Response, run: () => unknown): void {
  try {
    response.json(run());
  } catch (error) {
    response.status(422).json({ error: (error as Error).message });
  }
}

function answerOf(outcome: LocationOutcome): unknown {
  if (!outcome.ok) throw new Error(outcome.problem);
  return { ...outcome.location, gid: `gid://shopify/Location/${outcome.location.id}` };
}

function bodyOf(request: Request): Record<string, unknown> {
  return (request.body ?? {}) as Record<string, unknown>;
}

function idOf(request: Request): number {
  return Number(request.params.id);
}

function describe(admin: Admin): unknown {
  const { state, tokens, settings, webhooks } = admin;
  return {
    appUrl: settings.appUrl,
    locale: settings.locale,
    protectedDataApproved: state.protectedDataApproved,
    scopes: state.config.scopes,
    optionalScopes: state.config.optionalScopes,
    subscriptions: Object.fromEntries(state.config.subscriptions),
    accessTokensIssued: tokens.issued,
    deliveries: webhooks.deliveries.length,
    shops: [...state.shops.values()].map((shop) => ({
      handle: shop.handle,
      domain: shop.domain,
      name: shop.name,
      installed: shop.installation !== null,
      grantedScopes: grantedScopes(state, shop),
      locations: [...shop.locations.values()],
      orders: shop.orders,
    })),
  };
}
