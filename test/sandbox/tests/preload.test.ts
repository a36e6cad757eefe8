import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSmallApp } from "./small-app.ts";
import type { SmallApp } from "./small-app.ts";

let admin: SmallApp;
beforeEach(async () => {
  admin = await startSmallApp();
});
afterEach(() => admin.stop());

const run = (script: string): Promise<{ stdout: string }> =>
  promisify(execFile)(
    process.execPath,
    ["--import", "./test/sandbox/preload.js", "--input-type=module", "-e", script],
    {
      env: { ...process.env, SANDBOX_ADMIN_URL: admin.url },
    },
  );

test("calls to a store go to the admin with method, headers and body; other addresses stay", async () => {
  await run(`
    const body = "{}", headers = { "X-Shopify-Access-Token": "t" };
    await fetch("https://one-store.myshopify.com/admin/api/2026-10/graphql.json", { method: "POST", headers, body });
    await fetch(new Request("https://One-Store.myshopify.com/admin/oauth/access_token?x=1", { method: "POST", body }));
    await fetch("${admin.url}/as-it-is?u=https://one-store.myshopify.com/");
  `);
  expect(admin.received.map((one) => `${one.method} ${one.url.pathname}${one.url.search} ${one.body}`)).toEqual([
    "POST /shops/one-store.myshopify.com/admin/api/2026-10/graphql.json {}",
    "POST /shops/one-store.myshopify.com/admin/oauth/access_token?x=1 {}",
    "GET /as-it-is?u=https://one-store.myshopify.com/ ",
  ]);
  expect(admin.received[0]?.headers["x-shopify-access-token"]).toBe("t");
});
