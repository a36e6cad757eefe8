import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

test("follows no answer that sends a token or the app's secret on to another address", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(307, { Location: "/elsewhere" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const http = createShopifyHttp({
    fetch: (url, init) => fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, init),
    apiKey: "key",
    apiSecret: "secret",
    apiVersion: "2026-10",
  });
  const call = { shop: "one.myshopify.com", signal: new AbortController().signal };
  const answers = [
    await http.graphql({ ...call, accessToken: "token", body: {} }),
    await http.refresh({ ...call, refreshToken: "token" }),
    await http.exchange({ ...call, sessionToken: "token" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([307, 307, 307]);
  expect(asked).toEqual(["/admin/api/2026-10/graphql.json", "/admin/oauth/access_token", "/admin/oauth/access_token"]);
  await new Promise((resolve) => server.close(resolve));
});

test("takes in no answer without end, and asks again as after any other that did not come whole", async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(32));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const http = createShopifyHttp({
    fetch: async () => new Response(endless),
    apiKey: "key",
    apiSecret: "secret",
    apiVersion: "2026-10",
  });
  const { signal } = new AbortController();
  const asked = http.graphql({ shop: "one.myshopify.com", accessToken: "token", body: {}, signal });
  await expect(asked).rejects.toThrow("more than 8388608 bytes");
  expect(isCancelled).toBe(true);
  expect(sent).toBeLessThan(140);
});
