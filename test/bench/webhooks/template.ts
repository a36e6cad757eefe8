import type { ActionFunctionArgs, ServerBuild } from "@remix-run/node";
import type { PrismaClient } from "@prisma/client";
import { ApiVersion, AppDistribution, shopifyApp } from "@shopify/shopify-app-remix/server";
import { PrismaSessionStorage } from "@shopify/shopify-app-session-storage-prisma";

/**
 * The route for webhooks of Shopify's own app template (github.com/Shopify/shopify-app-template-remix: `app/shopify.server.ts` and
 * `app/routes/webhooks.*.tsx`), bare: the signature is checked, the shop's session is looked up, a line is logged, 200. It stores nothing.
 * It stands here to be measured against, and nowhere else.
 */

export const TEMPLATE_PATH = "/webhooks/app/template";

export function templateBuild(input: {
  prisma: PrismaClient;
  apiKey: string;
  apiSecret: string;
  appUrl: string;
}): ServerBuild {
  const { authenticate } = shopifyApp({
    apiKey: input.apiKey,
    apiSecretKey: input.apiSecret,
    apiVersion: ApiVersion.October26,
    scopes: ["write_products"],
    appUrl: input.appUrl,
    authPathPrefix: "/auth",
    sessionStorage: new PrismaSessionStorage(input.prisma),
    distribution: AppDistribution.AppStore,
    future: { unstable_newEmbeddedAuthStrategy: true },
  });
  const action = async ({ request }: ActionFunctionArgs): Promise<Response> => {
    const { shop, topic } = await authenticate.webhook(request);
    console.log(`Received ${topic} webhook for ${shop}`);
    return new Response();
  };
  const route = { hasErrorBoundary: false, module: {} };
  return {
    mode: "production",
    basename: "/",
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    isSpaMode: false,
    future: {} as ServerBuild["future"],
    assets: { version: "template", url: "", entry: { module: "", imports: [] }, routes: {} },
    entry: { module: { default: () => new Response() } },
    routes: {
      root: { ...route, id: "root", path: "", module: { default: () => null } },
      webhooks: { ...route, id: "webhooks", parentId: "root", path: TEMPLATE_PATH.slice(1), module: { action } },
    } as unknown as ServerBuild["routes"],
  };
}
