// What the app's server calls: the token endpoint and the Admin API of each store.
import express from "express";
import { runGraphql } from "./graphql/execute.ts";
import type { GraphqlRequest } from "./graphql/execute.ts";
import { SCHEMA_VERSION } from "./graphql/schema.ts";
import { scopesPayload } from "./payloads.ts";
import type { Admin } from "./admin.ts";
import { grantedScopes } from "./state.ts";
import type { ShopState } from "./state.ts";

export function apiRoutes(admin: Admin): express.Router {
  const router = express.Router();
  router.use("/shops", express.json({ limit: "1mb" }), express.urlencoded({ extended: false }));

  router.post("/shops/:domain/admin/oauth/access_token", (request, response) => {
    const shop = admin.state.shops.get(request.params.domain);
    if (!shop) return void response.status(404).json({ errors: "Not Found" });
    const { grant_type: grant } = request.body as Record<string, unknown>;
    const call = {
      shop: shop.domain,
      on: "token" as const,
      grant: typeof grant === "string" ? grant : null,
      document: null,
    };
    if (admin.faults.strike(call, response)) return;
    const { status, body } = admin.tokens.answer(shop, request.body as Record<string, unknown>);
    response.status(status).json(body);
  });

  router.post("/shops/:domain/admin/api/:version/graphql.json", async (request, response) => {
    const shop = admin.state.shops.get(request.params.domain);
    if (!shop || request.params.version !== SCHEMA_VERSION)
      return void response.status(404).json({ errors: "Not Found" });
    const { query = "" } = request.body as { query?: unknown };
    const call = { shop: shop.domain, on: "graphql" as const, grant: null, document: String(query) };
    if (admin.faults.strike(call, response)) return;
    if (!admin.tokens.isValid(shop, request.get("X-Shopify-Access-Token"))) {
      const problem = "[API] Invalid API key or access token (unrecognized login or wrong password)";
      return void response.status(401).json({ errors: problem });
    }
    const body = request.body as Partial<GraphqlRequest>;
    if (typeof body.query !== "string")
      return void response.status(400).json({ errors: { query: "Required parameter missing or invalid" } });
    response.set("X-Shopify-API-Version", SCHEMA_VERSION).set("X-Request-Id", crypto.randomUUID());
    const answer = await graphqlOf(admin, shop, body as GraphqlRequest);
    if (admin.faults.strike({ ...call, isDone: true }, response)) return;
    const variables = body.variables ?? {};
    admin.settings.onAnswer({ shop: shop.domain, atMs: Date.now(), variables, data: answer.data });
    response.json(answer);
  });
  return router;
}

/** Runs a document with the app's own access to a store, for its server as for its extensions' direct calls. */
export function graphqlOf(admin: Admin, shop: ShopState, request: GraphqlRequest): ReturnType<typeof runGraphql> {
  const onScopesChanged = (changed: ShopState, previous: string[]): void => announceScopes(admin, changed, previous);
  const { state, throttle, flowTriggers } = admin;
  const takeEvent = flowTriggers.take.bind(flowTriggers);
  return runGraphql({ state, throttle, onScopesChanged, takeEvent }, shop, request);
}

export function announceScopes(admin: Admin, shop: ShopState, previous: string[]): void {
  admin.webhooks.deliver(shop, "app/scopes_update", scopesPayload(shop, previous, grantedScopes(admin.state, shop)));
}
