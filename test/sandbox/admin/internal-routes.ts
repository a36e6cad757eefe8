// What the admin's own pages ask for. Their browser counts as signed in to every store.
import express from "express";
import { announceScopes, graphqlOf } from "./api-routes.ts";
import type { GraphqlRequest } from "./graphql/execute.ts";
import type { Admin } from "./admin.ts";
import { sessionToken } from "./signing.ts";
import { grantedScopes, shopByHandle } from "./state.ts";
import type { ShopState } from "./state.ts";

export function internalRoutes(admin: Admin): express.Router {
  const router = express.Router();
  router.use("/internal/:handle", express.json({ limit: "1mb" }));
  const route = (path: string, answer: (shop: ShopState, body: Record<string, unknown>) => unknown): void => {
    router.post(`/internal/:handle/${path}`, async (request, response) => {
      const shop = shopByHandle(admin.state, request.params.handle as string);
      if (!shop?.installation) return void response.status(404).json({ error: "The app is not installed here" });
      try {
        response.json(await answer(shop, request.body as Record<string, unknown>));
      } catch (error) {
        response.status(422).json({ error: (error as Error).message });
      }
    });
  };

  route("session-token", (shop) => ({ token: sessionToken(admin.state, shop) }));
  // An extension's direct API call runs with the app's scopes.
  route("graphql", (shop, body) => graphqlOf(admin, shop, body as unknown as GraphqlRequest));
  route("scopes", (shop) => scopesDetail(admin, shop));
  route("scopes/check", (_shop, { scopes }) => requireOptional(admin, scopes));
  route("scopes/grant", (shop, { scopes }) => changeScopes(admin, shop, requireOptional(admin, scopes), true));
  route("scopes/revoke", (shop, { scopes }) => changeScopes(admin, shop, requireOptional(admin, scopes), false));
  return router;
}

export function changeScopes(admin: Admin, shop: ShopState, scopes: string[], granted: boolean): unknown {
  const previous = grantedScopes(admin.state, shop);
  const held = shop.installation?.grantedOptionalScopes;
  for (const scope of scopes) {
    if (granted) held?.add(scope);
    else held?.delete(scope);
  }
  if (grantedScopes(admin.state, shop).join() !== previous.join()) announceScopes(admin, shop, previous);
  return scopesDetail(admin, shop);
}

function scopesDetail(admin: Admin, shop: ShopState): unknown {
  const { scopes: required, optionalScopes: optional } = admin.state.config;
  return { granted: grantedScopes(admin.state, shop), required, optional };
}

/** @throws for a scope that shopify.app.toml does not declare optional. */
function requireOptional(admin: Admin, scopes: unknown): string[] {
  if (!Array.isArray(scopes) || scopes.length === 0) throw new Error("No scopes were named");
  const undeclared = scopes.filter((scope) => !admin.state.config.optionalScopes.includes(scope as string));
  if (undeclared.length > 0) throw new Error(`Not declared optional in shopify.app.toml: ${undeclared.join(", ")}`);
  return scopes as string[];
}
