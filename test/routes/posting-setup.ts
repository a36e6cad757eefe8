import { vi } from "vitest";

/**
 * Runs before each file that posts to routes. Two modules are replaced, because they are wiring: `services.server.ts` constructs the real
 * adapters, and `shopify.server.ts` reads from a signed token which shop asks. The files share what they import, so all replace these alike.
 */

vi.mock("../../app/services.server.ts", async () => {
  const { asking } = await import("./posting.ts");
  return {
    get services() {
      return asking.services;
    },
    log: { error: () => undefined, warn: () => undefined },
    config: { SHOPIFY_API_SECRET: "the app's secret" },
  };
});
vi.mock("../../app/shopify.server.ts", async () => {
  const { asking } = await import("./posting.ts");
  return {
    authenticate: {
      admin: async () => ({
        session: { shop: asking.shop },
        cors: (answer: Response) => answer,
        redirect: (to: string) => new Response(null, { status: 302, headers: { Location: to } }),
        services: asking.services,
        spend: () => undefined,
      }),
    },
  };
});
