import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { boundedFetch } from "../../../app/adapters/shopify/bounded-fetch.ts";
import { startShopifyWorld } from "./shopify-world.ts";
import type { ShopifyWorld } from "./shopify-world.ts";

/** What Shopify's package sends by itself, the exchange of a visit's token, has the same limits as the app's own requests. */

let world: ShopifyWorld;
beforeAll(async () => void (world = await startShopifyWorld([])));
afterAll(() => world.stop());

const refused = expect.objectContaining({ status: 500 }) as object;

test("an exchange's answer without end is not taken in", async () => {
  let sent = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(64 * 1024).fill(32));
      // So that a defect ends.
      if (sent > 1_000) controller.close();
    },
    cancel() {
      isCancelled = true;
    },
  });
  world.instead.push(async () => new Response(endless));
  await expect(world.signIn()).rejects.toEqual(refused);
  expect(isCancelled).toBe(true);
});

test("an exchange that sends the app's secret on to another address is not followed", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(307, { Location: "/elsewhere" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  world.instead.push((init) => fetch(`http://127.0.0.1:${port}/exchange`, init));
  await expect(world.signIn()).rejects.toEqual(refused);
  expect(asked).toEqual(["/exchange"]);
  await new Promise((resolve) => server.close(resolve));
});

test("an answer without a body passes as it is", async () => {
  const clock = { after: () => () => undefined };
  const send = boundedFetch(async () => new Response(null, { status: 204, headers: { "x-request-id": "r-1" } }), clock);
  const answer = await send("https://one.myshopify.com", {});
  expect([answer.status, answer.headers.get("x-request-id"), await answer.text()]).toEqual([204, "r-1", ""]);
});

test("an exchange that nobody answers ends, and the next one is a visit again", async () => {
  world.hurry();
  world.instead.push(() => new Promise(() => undefined));
  await expect(world.signIn()).rejects.toEqual(refused);
  world.hurry(false);
  expect((await world.signIn()).session.accessToken).toBeTruthy();
});
