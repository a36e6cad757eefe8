import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER } from "../sandbox/play/visitor.ts";
import type { FlowArrival } from "../sandbox/admin/flow-triggers.ts";
import type { FlowRun } from "../sandbox/admin/flow.ts";
import { until } from "../sandbox/play/until.ts";
import { askApp, finishOrigin, gid, originsOf, sessionToken } from "./orders/order-questions.ts";
import type { Asked } from "./orders/order-questions.ts";
import { startOrderStage, STORE } from "./orders/order-stage.ts";
import type { OrderStage } from "./orders/order-stage.ts";

/** What the order page asks of the app, as a worker of no origin asks it: over HTTP, with a session token. */

let stage: OrderStage;

beforeAll(async () => {
  stage = await startOrderStage();
});

afterAll(() => stage?.sandbox.stop());

const ask = (path: string, asked?: Asked) => askApp(stage, path, asked);

const calls = () => stage.sandbox.shipping!.report().calls;
const verifications = () => stage.sandbox.shipping!.report().callsByOperation.verify ?? 0;

describe("the order page's API, from another origin", () => {
  test.each([
    "/api/origins",
    "/api/origins/many",
    "/api/origins/1/sync",
    "/api/origins/1/verify",
    "/api/origins/1/details",
  ])("answers the preflight of %s", async (path) => {
    const response = await fetch(stage.sandbox.appUrl + path, {
      method: "OPTIONS",
      headers: {
        "User-Agent": BROWSER,
        Origin: "null",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")).toMatch(/authorization.*content-type/i);
  });

  test("refuses a token that is forged, another app's or old, readably from the other origin", async () => {
    const old = await sessionToken(stage, STORE, { lifetimeSeconds: -60 });
    const others = await sessionToken(stage, STORE, { claims: { aud: "another-app" } });
    for (const bad of [old, others, `${await sessionToken(stage)}x`, "nonsense"]) {
      const reply = await ask("/api/origins", { headers: { Authorization: `Bearer ${bad}` } });
      expect([bad.slice(-4), reply.status]).toEqual([bad.slice(-4), 401]);
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    }
  });

  test.each<[string, string, Asked]>([
    ["ids that are none", "/api/origins?locations=1,2", {}],
    [
      "more locations than any order has",
      `/api/origins?locations=${Array.from({ length: 51 }, (_one, at) => gid(String(at + 1))).join(",")}`,
      {},
    ],
    ["carriers that are none", "/api/origins/1/verify", { method: "POST", body: { carriers: [] } }],
    ["carriers of the wrong kind", "/api/origins/1/verify", { method: "POST", body: { carriers: "fedex" } }],
    ["a body that is no JSON", "/api/origins/1/details", { method: "POST", body: "{" }],
    [
      "fields nobody asked for",
      "/api/origins/1/details",
      { method: "POST", body: { revision: 0, readFrom: "", values: { rate: "1" } } },
    ],
    [
      "a body of a megabyte",
      "/api/origins/1/details",
      { method: "POST", body: { revision: 0, readFrom: "x".repeat(1_000_000), values: {} } },
    ],
  ])("says what is wrong with %s", async (_case, path, asked) => {
    const reply = await ask(path, asked);
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ error: { code: "bad_request", message: expect.any(String) } });
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("takes POST where it changes and GET where it reads", async () => {
    expect((await ask("/api/origins", { method: "POST", body: {} })).status).toBe(405);
    expect((await ask("/api/origins/1/sync")).status).toBe(405);
  });

  test("finds no location of another shop", async () => {
    const id = stage.locationId("Sucursal Coyoacán");
    const list = await ask(`/api/origins?locations=${gid(id)}`, { store: "tienda-3" });
    expect(list.json()).toMatchObject({ origins: [], unknown: [gid(id)] });
    for (const action of ["sync", "verify", "details"]) {
      const body = { carriers: ["fedex"], revision: 0, readFrom: "", values: {} };
      const reply = await ask(`/api/origins/${id}/${action}`, { store: "tienda-3", method: "POST", body });
      expect([action, reply.status, reply.json()]).toEqual([
        action,
        404,
        { error: { code: "not_found", message: expect.any(String) } },
      ]);
    }
    expect((await ask("/api/origins/nonsense/sync", { method: "POST", body: {} })).status).toBe(404);
  });
});

describe("Shopify Flow's triggers", () => {
  const TRIGGERS = ["origin-refused", "origin-ready", "origin-needs-you", "origin-changed", "connection-refused"];
  const turn = (trigger: string, isUsed = true) =>
    stage.control("PUT", `shops/${STORE}/flow-triggers/${trigger}`, { isUsed });
  const arrived = async () => (await stage.control("GET", "flow/arrived")) as unknown as FlowArrival[];

  test("tell a store's workflows that its origin needs somebody, and no other store's", async () => {
    for (const trigger of TRIGGERS) await turn(trigger);
    await finishOrigin(stage, "Sucursal Coyoacán");
    // One carrier's answer is a word that nobody knows.
    const news = () => arrived().then((events) => events.map(({ handle, payload }) => [handle, payload.Status]));
    await expect.poll(news).toContainEqual(["origin-needs-you", "unverified"]);
    const events = await arrived();
    expect(new Set(events.map(({ shop }) => shop))).toEqual(new Set([`${STORE}.myshopify.com`]));
    const page = await (await fetch(`${stage.sandbox.adminUrl}/store/${STORE}/flow`)).text();
    expect(page).toContain("Origin refused by a carrier");
    expect(page).toMatch(/Sucursal Coyoacán · Sucursal Coyoacán \[[^\]]+\] · unverified/);
  });

  test("are the extensions', and are off once they were turned off", async () => {
    await expect(turn("another")).rejects.toThrow("422");
    for (const trigger of TRIGGERS) await turn(trigger, false);
    const page = await (await fetch(`${stage.sandbox.adminUrl}/store/${STORE}/flow`)).text();
    expect(page).not.toContain("Turn off");
  });
});

describe("Shopify Flow's action", () => {
  const run = (body: object, action = "verify-origin") =>
    stage.control("POST", `shops/${STORE}/flow/${action}`, body) as Promise<unknown> as Promise<FlowRun>;
  const answers = ({ attempts }: FlowRun) => attempts.map(({ status }) => status);

  test("is done however often a run's request is repeated, and asks the carriers once", async () => {
    const id = await finishOrigin(stage, "Sucursal Coyoacán");
    await expect.poll(verifications).toBeGreaterThan(0);
    const before = verifications();
    const done = await run({ properties: { origin: "sucursal coyoacan" }, times: 10 });
    expect([done.outcome, answers(done)]).toEqual(["done", Array(10).fill(200)]);
    await run({ properties: { origin: id }, actionRunId: done.actionRunId });
    expect(verifications() - before).toBeLessThanOrEqual(1);
  });

  test("is refused in words, and not repeated, where it can never be done", async () => {
    const nobody = await run({ properties: { origin: "Bodega Mazatlán" } });
    expect([nobody.outcome, answers(nobody)]).toEqual(["failed", [404]]);
    expect(nobody.attempts[0]!.body).toContain("Ninguna sucursal tiene este nombre");
    const forged = await run({ properties: { origin: "Sucursal Coyoacán" }, forged: true });
    expect([forged.outcome, answers(forged)]).toEqual(["failed", [401]]);
    const page = await (await fetch(`${stage.sandbox.adminUrl}/store/${STORE}/flow`)).text();
    expect(page).toContain("Verify shipping origin");
    expect(page).toContain("404 No location has this name or ID.");
  });

  test("is run with its own fields only, by its own name", async () => {
    await expect(run({ properties: {} })).rejects.toThrow("The action needs origin");
    await expect(run({ properties: { origin: "1", carrier: "dhl" } })).rejects.toThrow("no field carrier");
    await expect(run({ properties: { origin: "1" } }, "another")).rejects.toThrow("No extension declares");
  });

  test("is repeated while the app is away", async () => {
    const { app, admin } = stage.sandbox;
    // For as long as the start takes, on whatever machine.
    admin.flow.retryDelaysMs = Array<number>(1_000).fill(250);
    await app.stop();
    const before = admin.flow.runs.length;
    const late = run({ properties: { origin: "Sucursal Coyoacán" } });
    await expect.poll(() => admin.flow.runs[before]?.attempts.length ?? 0).toBeGreaterThan(0);
    await app.start();
    const done = await late;
    expect(done.outcome).toBe("done");
    expect([answers(done)[0], answers(done).at(-1)]).toEqual([502, 200]);
  });
});

/** Carriers that no policy asks by itself. */
const FRESH = ["paquetexpress", "jtexpress"];
const isAnswer = (outcome: string) => outcome !== "wanted" && outcome !== "pending";

const SLOW_MS = 5_000;

describe("the order page's cost", () => {
  const ready = () => finishOrigin(stage, "Sucursal Coyoacán");

  test("ten presses of verify are one verification", async () => {
    const id = await ready();
    const before = verifications();
    const press = () => ask(`/api/origins/${id}/verify`, { method: "POST", body: { carriers: FRESH } });
    const replies = await Promise.all(Array.from({ length: 10 }, press));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await until({
      what: "The carriers' answers",
      read: async () => (await originsOf(stage, id)).origins[0]!,
      holds: ({ carriers }) =>
        FRESH.every((one) => carriers.some(({ carrier, outcome }) => carrier === one && isAnswer(outcome))),
    });
    expect(verifications() - before).toBe(1);
  });

  test("twenty orders opened at once cost the service no calls", async () => {
    const id = await ready();
    const ids = [id, stage.locationId("Tienda Roma Norte"), stage.locationId("Almacén Mérida")];
    const before = calls();
    const views = await Promise.all(Array.from({ length: 20 }, () => originsOf(stage, ...ids)));
    expect(views.map(({ origins }) => origins.length)).toEqual(Array(20).fill(3));
    expect(calls()).toBe(before);
  });

  // How fast is a measurement: `npm run bench -- order`.
  test("does not wait for a service that takes five seconds", async () => {
    const id = await ready();
    const { faults } = stage.sandbox.shipping!;
    faults.set({ kind: "slow", delayMs: SLOW_MS });
    const headers = { Authorization: `Bearer ${await sessionToken(stage)}` };
    const { status, tookMs } = await ask(`/api/origins?locations=${gid(id)}`, { headers });
    faults.clear();
    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(SLOW_MS);
  });
});
