import { readFile } from "node:fs/promises";
import { createClient } from "@libsql/client";
import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectionRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import { Secret } from "../../../app/domain/secret.ts";
import type { PrismaStore } from "../../../app/adapters/store/store.ts";
import type { OpenStore } from "../../contracts/store.ts";
import { openFreshStore, type OpenedStore } from "./open-store.ts";
import { openFreshPostgres } from "./postgresql/open-postgres.ts";

const STORES: [string, () => Promise<OpenStore & { store: PrismaStore }>][] = [
  ["SQLite", openFreshStore],
  ["PostgreSQL", openFreshPostgres],
];

const offline = (shop = SHOP, over: Partial<Session> = {}) =>
  new Session({
    id: `offline_${shop}`,
    shop,
    state: "state",
    isOnline: false,
    scope: "read_locations",
    expires: new Date("2027-01-01T00:00:00Z"),
    accessToken: "shpat_planted-access",
    refreshToken: "shprt_planted-refresh",
    refreshTokenExpires: new Date("2027-03-01T00:00:00Z"),
    ...over,
  });

describe.each(STORES)("%s", (_name, open) => {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  test("a session comes back as it went in, again after it was refreshed", async () => {
    const { sessions } = opened.store;
    for (const session of [offline(), offline(SHOP, { accessToken: "shpat_second", refreshToken: "shprt_second" })]) {
      expect(await sessions.storeSession(session)).toBe(true);
      const loaded = await sessions.loadSession(session.id);
      expect(loaded!.equals(session)).toBe(true);
      expect(loaded!.refreshToken).toBe(session.refreshToken);
      expect(loaded!.refreshTokenExpires).toEqual(session.refreshTokenExpires);
      expect((await sessions.findSessionsByShop(SHOP)).map(({ accessToken }) => accessToken)).toEqual([
        session.accessToken,
      ]);
    }
  });

  test("the session that was handed in keeps its own tokens", async () => {
    const session = offline();
    await opened.store.sessions.storeSession(session);
    expect(session.accessToken).toBe("shpat_planted-access");
  });

  test("a renewed session takes the place of the one that it renews, and of no other", async () => {
    const { sessions } = opened.store;
    const id = `offline_${SHOP}`;
    const renewed = offline(SHOP, {
      accessToken: "shpat_renewed",
      refreshToken: "shprt_renewed",
      expires: new Date("2027-01-01T01:00:00Z"),
      refreshTokenExpires: new Date("2027-04-01T00:00:00Z"),
    });
    await sessions.storeSession(offline());
    expect(await sessions.replaceSession(offline(), renewed)).toBe(true);
    const loaded = (await sessions.loadSession(id))!;
    expect(loaded.equals(renewed)).toBe(true);
    expect([loaded.refreshToken, loaded.refreshTokenExpires]).toEqual(["shprt_renewed", renewed.refreshTokenExpires]);

    const newer = offline(SHOP, { accessToken: "shpat_newer" });
    await sessions.storeSession(newer);
    expect(await sessions.replaceSession(offline(), renewed)).toBe(false);
    expect((await sessions.loadSession(id))!.accessToken).toBe("shpat_newer");

    const replaced = sessions.replaceSession(newer, renewed);
    await sessions.storeSession(offline());
    await replaced;
    expect((await sessions.loadSession(id))!.accessToken).toBe("shpat_planted-access");

    await sessions.deleteSession(id);
    expect(await sessions.replaceSession(offline(), renewed)).toBe(false);
    expect(await sessions.loadSession(id)).toBeUndefined();
  });

  test("a session without tokens is one", async () => {
    await opened.store.sessions.storeSession(offline(SHOP, { accessToken: undefined, refreshToken: undefined }));
    const loaded = await opened.store.sessions.loadSession(`offline_${SHOP}`);
    expect([loaded!.accessToken, loaded!.refreshToken]).toEqual([undefined, undefined]);
  });

  test("what is kept of a session that was loaded ends with it, whoever writes", async () => {
    const { store } = opened;
    const { sessions } = store;
    const id = `offline_${SHOP}`;
    const refreshed = offline(SHOP, { accessToken: "shpat_second" });
    for (const end of [
      () => sessions.deleteSession(id),
      () => sessions.deleteSessions([id]),
      () => store.transaction(SHOP, (tables) => tables.forgetSessions(SHOP)),
      () => store.eraseShop(SHOP),
    ]) {
      await sessions.storeSession(offline());
      const first = (await sessions.loadSession(id))!;
      first.accessToken = "changed by its reader";
      expect((await sessions.loadSession(id))!.accessToken).toBe("shpat_planted-access");
      const [, during] = await Promise.all([sessions.storeSession(refreshed), sessions.loadSession(id)]);
      expect(during!.accessToken).toMatch(/planted-access|second/);
      expect((await sessions.loadSession(id))!.accessToken).toBe("shpat_second");
      await end();
      expect(await sessions.loadSession(id)).toBeUndefined();
    }
  });

  test("one that is not there is undefined, and deleting it is fine", async () => {
    const { sessions } = opened.store;
    expect(await sessions.loadSession("none")).toBeUndefined();
    expect(await sessions.findSessionsByShop("gone.myshopify.com")).toEqual([]);
    expect(await sessions.deleteSession("none")).toBe(true);
  });

  test("two stores of the same session at once are one session", async () => {
    const { sessions } = opened.store;
    await Promise.all([sessions.storeSession(offline()), sessions.storeSession(offline())]);
    expect(await sessions.findSessionsByShop(SHOP)).toHaveLength(1);
  });

  test("a shop's sessions are forgotten, and erased with it; another's stay", async () => {
    const { store } = opened;
    const others = "two.myshopify.com";
    for (const forget of [
      () => store.transaction(SHOP, (tables) => tables.forgetSessions(SHOP)),
      () => store.eraseShop(SHOP),
    ]) {
      await store.shops.insert(shopRecord());
      await store.sessions.storeSession(offline());
      await store.sessions.storeSession(offline(others));
      await forget();
      expect(await store.sessions.findSessionsByShop(SHOP)).toEqual([]);
      expect(await store.sessions.findSessionsByShop(others)).toHaveLength(1);
    }
  });

  test("what a transaction that failed forgot is there still", async () => {
    const { store } = opened;
    await store.sessions.storeSession(offline());
    const failing = store.transaction(SHOP, async (tables) => {
      await tables.forgetSessions(SHOP);
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await store.sessions.findSessionsByShop(SHOP)).toHaveLength(1);
  });
});

describe("the database's file", () => {
  let opened: OpenedStore;
  beforeEach(async () => {
    opened = await openFreshStore();
  });
  afterEach(() => opened.close());

  test("a session whose token was moved there from another shop's is as good as none, and does no harm", async () => {
    const { sessions } = opened.store;
    await sessions.storeSession(offline());
    await sessions.storeSession(offline("two.myshopify.com"));
    const client = createClient({ url: opened.database.url });
    await client.execute(
      `UPDATE "Session" SET "accessToken" = (SELECT "accessToken" FROM "Session" WHERE "shop" = '${SHOP}')`,
    );
    client.close();
    expect(await sessions.loadSession("offline_two.myshopify.com")).toBeUndefined();
    expect(await sessions.findSessionsByShop("two.myshopify.com")).toEqual([]);
    expect((await sessions.loadSession(`offline_${SHOP}`))!.accessToken).toBe("shpat_planted-access");
  });

  test("no secret stands in the database's files", async () => {
    const { store, database } = opened;
    await store.shops.insert(shopRecord({ timeZone: "visible-name" }));
    const [clientSecret, accessToken, refreshToken] = ["secret", "access", "refresh"].map(
      (what) => new Secret(`planted-${what}-of-service`),
    );
    await store.connections.insert(
      connectionRecord({ clientSecret: clientSecret!, accessToken: accessToken!, refreshToken: refreshToken! }),
    );
    await store.connections.update({ id: "connection-1" }, { clientSecret: new Secret("planted-second"), version: 2 });
    await store.transaction(SHOP, (tables) =>
      tables.connections.update({ shop: SHOP }, { accessToken: new Secret("planted-third") }),
    );
    await store.sessions.storeSession(offline());
    await store.sessions.storeSession(offline(SHOP, { accessToken: "shpat_planted-again" }));

    const files = await Promise.all(
      ["", "-wal", "-shm", "-lock"].map((suffix) => readFile(database.path + suffix, "latin1")),
    );
    expect(files.join("")).toContain("visible-name");
    expect(files.join("").match(/planted-[a-z]+/g)).toBeNull();
    expect((await store.connections.find({}))!.clientSecret!.reveal()).toBe("planted-second");
  });
});
