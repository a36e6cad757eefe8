import { describe, expect, test } from "vitest";
import { NEVER_MS } from "../../app/domain/backoff.ts";
import { AppError } from "../../app/domain/errors.ts";
import type { WorkItemReason, VerificationRecord } from "../../app/domain/records.ts";
import { confirmAccount } from "../../app/account/confirm-account.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { SPLIT_FIELDS, eachField } from "../../app/domain/address/form-fields.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { verificationKey } from "../../app/domain/verification/verification-key.ts";
import { connectionRecord, locationRecord, SHOP, verificationRecord } from "../fakes/records.ts";
import { CONTACT, createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What stopped because of the connection that was in use goes on when one opens, however late the look at everything comes. */

const MINUTE_MS = 60_000;

const CODES = ["not_connected", "invalid_client", "secret_unreadable", "account_unconfirmed", "incomplete"] as const;

const reasonOf = (code: WorkItemReason["code"]): WorkItemReason => ({
  code,
  message: null,
  fields: null,
  requestId: null,
  atMs: 0,
});

async function blocked(world: World): Promise<string[]> {
  const keys: string[] = [];
  for (const [index, code] of CODES.entries()) {
    const key = await world.addLocation(index + 1);
    await world.requestWork("location", key);
    const stopped = { observedGeneration: 1, pendingSinceMs: null, state: "blocked", reason: reasonOf(code) } as const;
    await world.store.workItems.update({ shop: SHOP, kind: "location", key }, stopped);
    keys.push(key);
  }
  return keys;
}

async function expectGoesOn(world: World, keys: string[]): Promise<void> {
  const workItems = await Promise.all(keys.map((key) => world.workItem("location", key)));
  expect(workItems.map(({ state }) => state)).toEqual(["active", "active", "active", "active", "blocked"]);
  for (const { dueAtMs, ...workItem } of workItems.slice(0, -1)) {
    expect(workItem).toMatchObject({ generation: 2, reason: null, pendingSinceMs: expect.any(Number) });
    expect(dueAtMs).toBeLessThanOrEqual(world.clock.nowMs() + MINUTE_MS);
  }
}

describe("before anything is looked at, what the closed connection had stopped goes on", () => {
  test("when its owner connects", async () => {
    const world = await createWorld({ connected: false });
    const keys = await blocked(world);
    const { environment, clientId } = connectionRecord({ clientId: "client-1" });
    const stated = { environment, clientId, clientSecret: "secret-1", scope: null, redirectUri: null };
    const connecting = connectAccount(world.services, { shop: SHOP, stated });
    expect(await world.clock.runWhile(connecting)).toEqual({ kind: "connected" });
    await expectGoesOn(world, keys);
  });

  test("when its owner says which account it is", async () => {
    const world = await createWorld();
    const keys = await blocked(world);
    await world.store.connections.update({ shop: SHOP }, { state: "unconfirmed" });
    await confirmAccount(world.services, { shop: SHOP, same: false });
    await expectGoesOn(world, keys);
  });
});

test("what was confirmed in Review without an account is saved in the one that is connected later", async () => {
  const world = await createWorld({ connected: false });
  const location = shopifyLocation(1);
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  const { rows, contactRevision } = (await readReview(world.services, { shop: SHOP }))!;
  const { locationId, revision, readFrom, cells } = rows[0]!;
  const split = eachField(SPLIT_FIELDS, (field) => cells[field].value || null);
  const row = { locationId, revision, readFrom, contact: {}, split, templateId: null, templateVersion: null };
  const asked = { shop: SHOP, contact: CONTACT, contactRevision, rows: [row] };
  expect(await confirmReview(world.services, asked)).toMatchObject({ kind: "confirmed", count: 1, refused: [] });
  world.start();
  await world.runFor();
  expect(await readReview(world.services, { shop: SHOP })).toMatchObject({ rows: [], confirmed: 1 });
  expect(world.account.templates.size).toBe(0);
  const { environment, clientId } = connectionRecord({ clientId: "client-1" });
  const stated = { environment, clientId, clientSecret: "secret-1", scope: null, redirectUri: null };
  await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
  await world.runFor(5 * MINUTE_MS);
  expect(world.account.templates.size).toBe(1);
});

describe("a location that stopped for what stood in the address book of a connection", () => {
  const OF_THE_BOOK = ["conflict", "refused_by_service", "missing_there", "template_taken", "adoption_choice"] as const;

  async function stopped(world: World, code: WorkItemReason["code"]): Promise<string> {
    const key = await world.addLocation(1);
    await world.requestWork("location", key);
    const at = { observedGeneration: 1, pendingSinceMs: null, state: "blocked", reason: reasonOf(code) } as const;
    await world.store.workItems.update({ shop: SHOP, kind: "location", key }, at);
    return key;
  }

  const connect = (world: World, clientId: string) => {
    const { environment } = connectionRecord();
    const stated = { environment, clientId, clientSecret: "secret-1", scope: null, redirectUri: null };
    return world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
  };

  test.each(OF_THE_BOOK)(
    "(%s) goes on when the owner says that the new client id opens another account",
    async (code) => {
      const world = await createWorld();
      const key = await stopped(world, code);
      await world.store.connections.update({ shop: SHOP }, { state: "unconfirmed" });
      await confirmAccount(world.services, { shop: SHOP, same: false });
      const goesOn = { state: "active", generation: 2, reason: null, pendingSinceMs: expect.any(Number) };
      expect(await world.workItem("location", key)).toMatchObject(goesOn);
    },
  );

  test.each(OF_THE_BOOK)("(%s) goes on when a connection that was set aside is in use again", async (code) => {
    const world = await createWorld();
    const key = await stopped(world, code);
    await world.store.connections.update({ id: "connection-1" }, { current: false, state: "aside" });
    await world.store.connections.insert(connectionRecord({ id: "connection-2", clientId: "client-2" }));
    expect(await connect(world, "client-1")).toEqual({ kind: "connected" });
    expect(await world.workItem("location", key)).toMatchObject({ state: "active", generation: 2, reason: null });
  });

  test.each(OF_THE_BOOK)("(%s) stays stopped when only the secret changes", async (code) => {
    const world = await createWorld();
    const key = await stopped(world, code);
    expect(await connect(world, "client-1")).toEqual({ kind: "connected" });
    expect(await world.workItem("location", key)).toMatchObject({ state: "blocked", generation: 1, reason: { code } });
  });
});

describe("the questions to carriers of a connection that was set aside", () => {
  const AT_REST = { generation: 1, observedGeneration: 1, pendingSinceMs: null, dueAtMs: NEVER_MS } as const;

  /** Two templates of one client id while another one is in use: of the first a carrier has an open question. */
  async function setAside(question: VerificationRecord["question"]) {
    const world = await createWorld();
    await world.store.connections.update({ id: "connection-1" }, { current: false, state: "aside" });
    await world.store.connections.insert(connectionRecord({ id: "connection-2", clientId: "client-2" }));
    const answered = verificationRecord({ templateId: "template-2", outcome: "accepted" });
    await world.store.verifications.insert(verificationRecord({ question }));
    await world.store.verifications.insert(answered);
    for (const templateId of ["template-1", "template-2"]) {
      const key = verificationKey("connection-1", templateId);
      await world.requestWork("verification", key);
      await world.store.workItems.update({ shop: SHOP, kind: "verification", key }, AT_REST);
    }
    return world;
  }

  test.each(["wanted", "asked"] as const)("go on when it is in use again: one that is %s", async (question) => {
    const world = await setAside(question);
    const { environment, clientId } = connectionRecord({ clientId: "client-1" });
    const stated = { environment, clientId, clientSecret: "secret-1", scope: null, redirectUri: null };
    await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
    const { dueAtMs, ...open } = await world.workItem("verification", verificationKey("connection-1", "template-1"));
    expect(open).toMatchObject({ generation: 2, observedGeneration: 1, pendingSinceMs: expect.any(Number) });
    expect(dueAtMs).toBeLessThanOrEqual(world.clock.nowMs() + MINUTE_MS);
    const rest = await world.workItem("verification", verificationKey("connection-1", "template-2"));
    expect(rest).toMatchObject(AT_REST);
  });
});

describe("a run that ends after the connection has opened", () => {
  test("comes again at once, where it had planned without one", async () => {
    const world = await createWorld({ connected: false });
    const key = await world.addLocation(1);
    const { store } = world;
    // The connection comes right after the run looked for one.
    const find: typeof store.connections.find = async (where) => {
      const found = await store.connections.find(where);
      const bookAtMs = world.clock.nowMs();
      if (!found)
        await store.connections.insert(
          connectionRecord({ clientId: "client-1", bookReadAtMs: bookAtMs, bookConfirmedAtMs: bookAtMs }),
        );
      return found;
    };
    Object.assign(world.services, { store: { ...store, connections: { ...store.connections, find } } });
    const requested = await world.requestWork("location", key);
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
    expect(await world.workItem("location", key)).toMatchObject({ state: "active", observedGeneration: 1 });
    expect(world.calls).toEqual(["create"]);
  });

  test.each([
    ["another version of the connection", 1, { state: "active", observedGeneration: 1 }],
    ["the same one, it stops: another run would meet the same", 0, { state: "blocked", observedGeneration: 1 }],
  ])("over %s", async (_title, versions, after) => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const { shipping } = world.services;
    let asked = 0;
    const account: typeof shipping.account = (ref) => ({
      ...shipping.account(ref),
      async create(draft, options) {
        asked += 1;
        if (ref.version > 1) return shipping.account(ref).create(draft, options);
        await world.store.connections.update({ shop: SHOP }, { version: ref.version + versions });
        throw new AppError({ kind: "not_connected", message: "disconnected", effect: "none" });
      },
    });
    Object.assign(world.services, { shipping: { ...shipping, account } });
    const requested = await world.requestWork("location", key);
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
    expect(await world.workItem("location", key)).toMatchObject(after);
    expect(asked).toBe(1 + versions);
  });
});
