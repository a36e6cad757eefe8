import { expect, test } from "vitest";
import { createShopifyHttp } from "../../../app/adapters/shopify/http.ts";

test("hears which day Shopify says it is, whatever it answers", async () => {
  const heard: unknown[] = [];
  const http = createShopifyHttp({
    fetch: async () =>
      new Response("<html>no</html>", { status: 403, headers: { date: "Sun, 22 Nov 2026 10:00:00 GMT" } }),
    apiKey: "key",
    apiSecret: "secret",
    apiVersion: "2026-10",
    dates: { heard: (...words) => void heard.push(words), opinions: () => [] },
  });
  const { signal } = new AbortController();
  await http.graphql({ shop: "one.myshopify.com", accessToken: "token", body: {}, signal });
  expect(heard).toEqual([["shopify", "Sun, 22 Nov 2026 10:00:00 GMT"]]);
});
