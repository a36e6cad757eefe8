import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokenStore } from "../../../../app/account/token-store.ts";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createShippingService, type RunningShippingService } from "../../../../app/adapters/shipping/service.ts";
import { createPostgresRenewals } from "../../../../app/adapters/shipping/slots/postgres-renewals.ts";
import { openSlotsDatabase } from "../../../../app/adapters/shipping/slots/slots-database.ts";
import { connectionConfig } from "../../../../app/adapters/store/postgresql/connection.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { isAppError } from "../../../../app/domain/errors.ts";
import { Secret } from "../../../../app/domain/secret.ts";
import type { ConnectionRef } from "../../../../app/ports.ts";
import { connectionRecord, shopRecord } from "../../../fakes/records.ts";
import { startShippingService, type ShippingService as StandIn } from "../../../sandbox/shipping/server.ts";
import { freshPostgres, type FreshPostgres } from "../../store/postgresql/fresh-postgres.ts";
import { openPostgres } from "../../store/postgresql/open-postgres.ts";
import { INTERACTIVE, keptLog, USER_AGENT } from "../support/world.ts";

/** Two processes' adapters on one database: who renews a token, and what both know of wrong secrets. */

const clock = createClock();
const random = createRandom();
const log = keptLog();

let standIn: StandIn;
let database: FreshPostgres;
let stores: [PrismaStore, PrismaStore];
let services: [RunningShippingService, RunningShippingService];

beforeAll(async () => {
  standIn = await startShippingService({ clients: 20, refreshTokens: true });
  database = await freshPostgres();
  const process = async () => {
    const store = await openPostgres(database.url, { exclusive: false });
    const service = createShippingService({
      baseUrls: { test: standIn.testUrl, production: null },
      userAgent: USER_AGENT,
      clock,
      random,
      log,
      tokens: createTokenStore({ store, clock, random }),
      budget: { graceMs: 300 },
      slotsDatabase: openSlotsDatabase(connectionConfig(database.url)),
    });
    return { store, service };
  };
  const [a, b] = [await process(), await process()];
  stores = [a.store, b.store];
  services = [a.service, b.service];
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await Promise.all(stores.map((store) => store.close()));
  await standIn.stop();
  await database.remove();
});

async function connect(n: number, clientSecret = `test-secret-${n}`): Promise<ConnectionRef> {
  const shop = `shop-${n}.myshopify.com`;
  const ref: ConnectionRef = { id: shop, version: 1, shop, environment: "test", clientId: `test-client-${n}` };
  await stores[0].shops.insert(shopRecord({ shop }));
  await stores[0].connections.insert(
    connectionRecord({ ...ref, clientSecret: new Secret(clientSecret), state: "active", current: true }),
  );
  return ref;
}

const credentialsOf = ({ shop, environment, clientId }: ConnectionRef, clientSecret: string) => ({
  shop,
  environment,
  clientId,
  clientSecret,
  scope: null,
  redirectUri: null,
});
const list = (service: RunningShippingService, ref: ConnectionRef) =>
  service.account(ref).listPage({ ...INTERACTIVE, page: 1 });
const tokenRequests = (n: number) => standIn.report().callsByClient[`test:test-client-${n}`]?.token ?? 0;
const kindOf = (error: unknown) => (isAppError(error) ? error.kind : error);
const expire = ({ id, shop }: ConnectionRef) =>
  stores[0].connections.update({ id, shop }, { tokenExpiresAtMs: clock.nowMs() - 1 });

describe("a token", () => {
  test.concurrent(
    "is got once for all processes, and a refresh token is spent once, however many wait",
    async ({ expect }) => {
      const ref = await connect(1);
      for (let round = 1; round <= 3; round += 1) {
        await Promise.all(services.flatMap((service) => [list(service, ref), list(service, ref)]));
        expect(tokenRequests(1)).toBe(round);
        await expire(ref);
        for (const service of services) service.forget(ref.id);
      }
    },
  );

  test.concurrent(
    "is waited for while another process gets it, and got by who waits when that one died",
    async ({ expect }) => {
      const ref = await connect(2);
      await database.query(
        `INSERT INTO budget.renewal VALUES ('${ref.id}', 7, clock_timestamp() + interval '1500 ms')`,
      );
      const beganMs = performance.now();
      const call = list(services[0], ref);
      await expect.poll(async () => (await call, tokenRequests(2))).toBe(1);
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(1_500);
    },
  );

  test.concurrent("is not asked for again by a process whose claim another one has had", async ({ expect }) => {
    const [mine, theirs] = [1, 2].map(() => {
      const slots = openSlotsDatabase(connectionConfig(database.url));
      return { slots, renewals: createPostgresRenewals({ database: slots, clock, holdMs: 1_000 }) };
    });
    const claim = await mine!.renewals.claim("a connection");
    expect(await theirs!.renewals.claim("a connection")).toBeNull();
    await database.query(`UPDATE budget.renewal SET "until" = '-infinity' WHERE "connection" = 'a connection'`);
    // One that ran out is kept as long as nobody else took it.
    await claim!.confirm!();
    expect(await theirs!.renewals.claim("a connection")).toBeNull();
    await database.query(`UPDATE budget.renewal SET "until" = '-infinity' WHERE "connection" = 'a connection'`);
    const other = await theirs!.renewals.claim("a connection");
    expect(await claim!.confirm!().catch(kindOf)).toBe("superseded");
    expect([claim!.isLost(), other!.isLost()]).toEqual([true, false]);
    claim!.end();
    await other!.confirm!();
    other!.end();
    await expect.poll(async () => (await mine!.renewals.claim("a connection")) !== null).toBe(true);
    await Promise.all([mine!.slots.close(), theirs!.slots.close()]);
  });

  test.concurrent("refused to one process is not asked for by the other", async ({ expect }) => {
    const ref = await connect(3, "wrong");
    expect(await list(services[0], ref).catch(kindOf)).toBe("invalid_client");
    expect(tokenRequests(3)).toBe(1);
    expect(await list(services[1], ref).catch(kindOf)).toMatch(/superseded|invalid_client/);
    expect(await list(services[1], { ...ref, version: 2 }).catch(kindOf)).toBe("invalid_client");
    expect(tokenRequests(3)).toBe(1);
  });

  test.concurrent("is used by no process any more once its connection has another version", async ({ expect }) => {
    const ref = await connect(4);
    await Promise.all(services.map((service) => list(service, ref)));
    const sent = () => standIn.report().callsByClient["test:test-client-4"]!.list;
    const before = sent();
    // The other process was told nothing.
    await stores[0].connections.update({ id: ref.id, shop: ref.shop }, { version: 2 });
    services[0].forget(ref.id);
    expect(await Promise.all(services.map((service) => list(service, ref).catch(kindOf)))).toEqual([
      "superseded",
      "superseded",
    ]);
    expect(sent()).toBe(before);
    await list(services[1], { ...ref, version: 2 });
  });
});

test("wrong secrets that one process tried hold the shop in the other, and a right one frees both", async () => {
  const ref = await connect(5);
  const attempt = (service: RunningShippingService, clientSecret: string) =>
    service.obtainToken(credentialsOf(ref, clientSecret), INTERACTIVE);
  for (let count = 0; count < 3; count += 1) await attempt(services[0], "wrong");
  const held = await attempt(services[1], "test-secret-5");
  expect(held).toMatchObject({ kind: "invalid_client", serviceMessage: null });
  const heldForMs = held.kind === "invalid_client" ? held.retryAtMs! - clock.nowMs() : 0;
  expect(heldForMs).toBeGreaterThan(5_000);
  expect(heldForMs).toBeLessThanOrEqual(15_000);
  expect(tokenRequests(5)).toBe(3);
  await database.query(
    `UPDATE budget.key SET "wrong_at" = "wrong_at" - interval '15 s' WHERE "key" = 'shop ${ref.shop}'`,
  );
  expect(await attempt(services[1], "test-secret-5")).toMatchObject({ kind: "issued" });
  expect(await attempt(services[0], "wrong")).toMatchObject({ retryAtMs: null });
  expect(await attempt(services[1], "wrong")).toMatchObject({ retryAtMs: null });
  expect(tokenRequests(5)).toBe(6);
});

test("after a crash of the server nobody claims a renewal before the requests from before have ended", async () => {
  const one = await freshPostgres();
  await one.query("TRUNCATE budget.epoch, budget.renewal");
  const slots = openSlotsDatabase(connectionConfig(one.url));
  const renewals = createPostgresRenewals({ database: slots, clock, holdMs: 700 });
  const beganMs = performance.now();
  expect(await renewals.claim("c")).toBeNull();
  let claim = null;
  while (!(claim = await renewals.claim("d"))) await clock.sleep(20);
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(700);
  claim.end();
  await slots.close();
  await one.remove();
});
