import { Session } from "@shopify/shopify-api";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { offlineClients } from "../../../../app/adapters/shopify/offline-client.ts";
import { offlineId } from "../../../../app/adapters/shopify/token-renewal.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { SHOP } from "../../../fakes/records.ts";
import { SILENT } from "../open-store.ts";
import { openPostgres, sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

/** Shopify's refresh token, which two processes on one database may want to spend at the same time. */

let shared: SharedPostgres;
let another: PrismaStore;
let spent: string[];
let answers: PromiseWithResolvers<void>;
beforeAll(async () => {
  shared = await sharedPostgres();
  another = await openPostgres(shared.database.url, { exclusive: false });
});
afterAll(async () => {
  await another.close();
  await shared.close();
});
beforeEach(async () => {
  spent = [];
  answers = Promise.withResolvers<void>();
  await shared.store.sessions.storeSession(
    new Session({
      id: offlineId(SHOP),
      shop: SHOP,
      state: "",
      isOnline: false,
      accessToken: "old",
      refreshToken: "refresh-1",
      expires: new Date(Date.now() + 1_000),
    }),
  );
});

/** Answers a refresh once it may, each with another token; a query with the token that it came with. */
async function fetchAs(url: string, init: RequestInit): Promise<Response> {
  if (!url.includes("/oauth/")) {
    const token = new Headers(init.headers).get("X-Shopify-Access-Token");
    return Response.json({ data: { token } });
  }
  spent.push(SHOP);
  await answers.promise;
  const fresh = {
    access_token: `new ${spent.length}`,
    refresh_token: `refresh-${spent.length + 1}`,
    expires_in: 3_600,
  };
  return Response.json(fresh);
}

async function ask({ sessions: storage }: PrismaStore): Promise<unknown> {
  const clients = offlineClients({
    fetch: fetchAs as never,
    apiKey: "k",
    apiSecret: "s",
    apiVersion: "2026-10" as never,
    storage,
    clock: createClock(),
    log: SILENT,
  });
  return (await clients(SHOP)).graphql("query { shop { id } }", { variables: {} } as never);
}

test("is spent once, and the other process goes on with what came", async () => {
  const both = [ask(shared.store), ask(another)];
  await expect.poll(() => spent.length).toBe(1);
  answers.resolve();
  expect(JSON.stringify(await Promise.all(both)).match(/new 1/g)).toHaveLength(2);
  expect(spent).toHaveLength(1);
});

test("is spent again when the process that was at it has died", async () => {
  await another.shared!.isOurs(`renewing ${offlineId(SHOP)}`, 1);
  await shared.database.query(`UPDATE "Chore" SET "begunAtMs" = "begunAtMs" - 36000`);
  answers.resolve();
  await ask(shared.store);
  expect(spent).toHaveLength(1);
  await expect(
    shared.database.query(`DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM "Chore" WHERE "name" LIKE 'renewing%'); END $$`),
  ).resolves.toBe(undefined);
});
