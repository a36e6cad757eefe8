import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { FaultRule } from "../shipping/options.ts";
import { FAULT_KINDS, VALIDATION_SHAPES } from "../shipping/options.ts";
import { BOOK, TOKEN, call, created, credentials, start, stopAll, template, token, until } from "./shipping-caller.ts";

/**
 * Each fault that the shipping service's stand-in can be told to have.
 *
 * Long, because each fault, with its effect and without, is a case.
 */

afterEach(stopAll);

/** A service with one token, and a create that meets the fault. */
async function struckCreate(rule: FaultRule) {
  const service = await start();
  const bearer = await token(service);
  service.faults.set({ operations: ["create"], next: 1, ...rule });
  const create = (signal?: AbortSignal) =>
    call(service, `POST ${BOOK}`, { token: bearer, body: template("A"), signal });
  const alive = () => service.templates("test-client-1").length;
  /** A create that the fault has met, and that is not answered for a while. Its client gives up. */
  const hangs = async () => {
    const leaving = new AbortController();
    const hanging = create(leaving.signal);
    const left = expect(hanging).rejects.toThrow(/abort|terminated/);
    await until(() => service.report().faults[rule.kind] === 1);
    expect(await Promise.race([hanging.catch(() => null), pause(QUIET_MS, "no answer")])).toBe("no answer");
    leaving.abort();
    await left;
  };
  return { service, bearer, create, hangs, alive };
}

const QUIET_MS = 150;

describe("a write whose answer does not come", () => {
  test("lost-reply: the effect happens, the connection goes", async () => {
    const { create, alive } = await struckCreate({ kind: "lost-reply" });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(alive()).toBe(1);
    expect((await create()).status).toBe(201);
  });

  test("late-effect: the effect happens after the answer was lost, hung or a 504", async () => {
    const each = (["reset", "hang", "error"] as const).map(async (answer) => {
      const { service, create, hangs, alive } = await struckCreate({ kind: "late-effect", delayMs: 2_000, answer });
      if (answer === "error") expect((await create()).status).toBe(504);
      else if (answer === "hang") await hangs();
      else await expect(create()).rejects.toThrow("fetch failed");
      expect([alive(), service.report().pendingEffects]).toEqual([0, 1]);
      await until(() => alive() === 1);
      expect(service.log().at(-1)).toMatchObject({ source: "late", operation: "create", client: "test:test-client-1" });
      expect(service.report().pendingEffects).toBe(0);
    });
    await Promise.all(each);
  });

  test("a late effect survives the token it was sent with, but not a template deleted before it", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    service.faults.set({ kind: "late-effect", delayMs: 150, next: 2, operations: ["update"] });
    const body = { address_template: { alias_name: "B" } };
    await expect(call(service, `PATCH ${BOOK}/${id}`, { token: bearer, body })).rejects.toThrow();
    service.revokeTokens("test-client-1");
    await until(() => service.templates("test-client-1")[0]?.alias_name === "B");
    const again = await token(service);
    await expect(call(service, `PATCH ${BOOK}/${id}`, { token: again, body })).rejects.toThrow();
    service.deleteTemplate(id);
    await until(() => service.report().pendingEffects === 0);
    expect(service.templates("test-client-1")).toEqual([]);
  });

  test("error-before has no effect, error-after has it; both answer 5xx", async () => {
    for (const [kind, effects] of [
      ["error-before", 0],
      ["error-after", 1],
    ] as const) {
      const { create, alive } = await struckCreate({ kind });
      expect((await create()).status).toBeGreaterThanOrEqual(500);
      expect(alive()).toBe(effects);
    }
    const { create } = await struckCreate({ kind: "error-before", status: 503 });
    expect((await create()).status).toBe(503);
  });

  test("reset: the connection is reset before anything", async () => {
    const { create, alive } = await struckCreate({ kind: "reset" });
    const failure: unknown = await create().catch((error: Error) => error.cause);
    expect(failure).toMatchObject({ code: "ECONNRESET" });
    expect(alive()).toBe(0);
  });

  test("hang: no answer, with or without the effect", async () => {
    for (const [effect, effects] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const { hangs, alive } = await struckCreate({ kind: "hang", effect });
      await hangs();
      expect(alive()).toBe(effects);
    }
  });
});

describe("an answer that is not what was promised", () => {
  test("html: 200 with the effect, 403 and 502 without", async () => {
    for (const [status, effects] of [
      [200, 1],
      [403, 0],
      [502, 0],
    ] as const) {
      const { create, alive } = await struckCreate({ kind: "html", status });
      const answer = await create();
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
      expect(answer.text).toContain("<!doctype html>");
      expect(alive()).toBe(effects);
    }
  });

  test("unreadable-json: success, a JSON type and no JSON", async () => {
    const { create, alive } = await struckCreate({ kind: "unreadable-json" });
    const answer = await create();
    expect([answer.status, answer.json, alive()]).toEqual([201, undefined, 1]);
    expect(answer.headers.get("content-type")).toContain("application/json");
  });

  test("cut-reply and stalled-reply: half a body, then nothing", async () => {
    for (const kind of ["cut-reply", "stalled-reply"] as const) {
      const { create, hangs, alive } = await struckCreate({ kind });
      if (kind === "stalled-reply") await hangs();
      else await expect(create()).rejects.toThrow("terminated");
      expect(alive()).toBe(1);
    }
  });

  test("huge-reply: more than a client should take", async () => {
    const { create } = await struckCreate({ kind: "huge-reply" });
    expect((await create()).text.length).toBeGreaterThan(2 * 1024 * 1024);
  });

  test("redirect: a place that must not be followed", async () => {
    const { create, alive } = await struckCreate({ kind: "redirect" });
    const answer = await create();
    expect([answer.status, answer.headers.get("location"), alive()]).toEqual([302, "/", 0]);
  });

  test("slow: on the way in before the arrival counts, on the way out after the effect", async () => {
    const { service, create, alive } = await struckCreate({ kind: "slow", delayMs: 150, way: "out" });
    const pending = create();
    await until(() => alive() === 1);
    await pending;
    service.faults.set({ kind: "slow", delayMs: [150, 200] });
    const sentMs = performance.now();
    const callsBefore = service.report().calls;
    const slow = create();
    expect(service.report().calls).toBe(callsBefore);
    await slow;
    expect(performance.now() - sentMs).toBeGreaterThanOrEqual(149);
    expect(service.report().calls).toBe(callsBefore + 1);
  });

  test("a request slowed on its way in arrives although its client has gone", async () => {
    const { service, hangs, alive } = await struckCreate({ kind: "slow", delayMs: 2_000 });
    await hangs();
    expect(alive()).toBe(0);
    await until(() => alive() === 1);
    expect(service.report().callsByOperation.create).toBe(1);
  });
});

describe("a refusal on demand", () => {
  test("unauthorized: 401 on resources with a token that is good, never on token operations", async () => {
    const { service, create, alive } = await struckCreate({ kind: "unauthorized" });
    expect((await create()).status).toBe(401);
    expect((await create()).status).toBe(201);
    expect(alive()).toBe(1);
    service.faults.set({ kind: "unauthorized" });
    await token(service);
  });

  test("too-many: a storm of 429 with the pause as seconds, as a date, absent, or as named", async () => {
    const service = await start();
    const bearer = await token(service);
    service.faults.set({ kind: "too-many" });
    const pause = async () => {
      const answer = await call(service, `GET ${BOOK}`, { token: bearer });
      expect(answer.status).toBe(429);
      return answer.headers.get("retry-after");
    };
    service.configure({ retryAfter: "seconds" });
    expect(await pause()).toMatch(/^[1-3]$/);
    service.configure({ retryAfter: "date" });
    expect(Date.parse((await pause())!)).toBeGreaterThan(Date.now() - 1000);
    service.configure({ retryAfter: "absent" });
    expect(await pause()).toBeNull();
    service.faults.clear();
    service.faults.set({ kind: "too-many", retryAfter: "soon" });
    expect(await pause()).toBe("soon");
    expect(service.report().refusedOverRate).toBe(0);
  });

  test("invalid-client: token operations refuse credentials that are right", async () => {
    const service = await start();
    service.faults.set({ kind: "invalid-client", next: 1 });
    const grant = { grant_type: "client_credentials", ...credentials() };
    const refused = await call(service, TOKEN, { form: grant });
    expect([refused.status, refused.json.error]).toEqual([401, "invalid_client"]);
    expect((await call(service, TOKEN, { form: grant })).status).toBe(200);
  });

  test("invalid-grant: a refresh is refused although the refresh token is good; other grants are not", async () => {
    const service = await start({ refreshTokens: true });
    const issued = await call(service, TOKEN, { form: { grant_type: "client_credentials", ...credentials() } });
    const refresh = { grant_type: "refresh_token", refresh_token: issued.json.refresh_token, ...credentials() };
    for (const status of [400, 401]) {
      service.faults.set({ kind: "invalid-grant", status, next: 1 });
      await token(service);
      const refused = await call(service, TOKEN, { form: refresh });
      expect([refused.status, refused.json.error]).toEqual([status, "invalid_grant"]);
      expect(refused.json.error_description).toEqual(expect.any(String));
    }
    expect((await call(service, TOKEN, { form: refresh })).status).toBe(200);
  });

  test("invalid: the named fields in every shape seen in the field", async () => {
    const fields = { phone: ["no es un teléfono"] };
    const bodies: Record<string, unknown> = {
      "errors-template-field": { errors: { address_template: fields } },
      "errors-address-field": { errors: { address_template: { address_attributes: fields } } },
      "errors-field": { errors: fields },
      "errors-dotted": { errors: { "address.phone": ["no es un teléfono"] } },
      "bare-field": fields,
      "errors-text": { errors: "phone no es un teléfono" },
      "errors-list": { errors: ["phone no es un teléfono"] },
      "error-code": { error: "INVALID_ADDRESS_TEMPLATE" },
      "success-false": { success: false, message: null },
      message: { message: "phone no es un teléfono" },
    };
    const { service, create } = await struckCreate({ kind: "reset", probability: 0 });
    for (const shape of VALIDATION_SHAPES) {
      service.faults.set({ kind: "invalid", next: 1, fields, shape });
      const answer = await create();
      expect([400, 422]).toContain(answer.status);
      expect(answer.json).toEqual(bodies[shape]);
    }
  });

  test("odd-rows: a list counts what it hides, and shows a row without its address", async () => {
    const service = await start();
    const bearer = await token(service);
    const [hidden, bare] = [await created(service, bearer, "A"), await created(service, bearer, "B")];
    service.faults.set({ kind: "odd-rows", operations: ["list"], rows: { [hidden]: "hidden", [bare]: "bare" } });
    const { json } = await call(service, `GET ${BOOK}`, { token: bearer });
    expect(json.data).toMatchObject([{ id: bare, address: null }]);
    expect(json.meta).toMatchObject({ total_count: 2 });
  });
});

describe("rules", () => {
  test("strike by operation, client and environment, and go after their count", async () => {
    const service = await start();
    const [one, two] = [await token(service, 1), await token(service, 2)];
    service.faults.set({ kind: "error-before", status: 500, operations: ["list"], clientId: "test-client-2", next: 2 });
    const list = async (bearer: string) => (await call(service, `GET ${BOOK}`, { token: bearer })).status;
    expect(await list(one)).toBe(200);
    expect([await list(two), await list(two), await list(two)]).toEqual([500, 500, 200]);
    expect(service.faults.list()).toEqual([]);
    service.faults.set({ kind: "error-before", environment: "production" });
    expect(await list(one)).toBe(200);
    expect(service.report().faults).toEqual({ "error-before": 2 });
  });

  test("strike one template's calls alone, or one page of the list, and error-before says the words it is given", async () => {
    const service = await start();
    const bearer = await token(service);
    const [stuck, other] = [await created(service, bearer, "A"), await created(service, bearer, "B")];
    service.faults.set([
      { kind: "error-before", status: 500, templateId: stuck, operations: ["get"], message: "Algo se rompió" },
      { kind: "error-before", status: 502, operations: ["list"], page: 2 },
    ]);
    const get = (path: string) => call(service, `GET ${BOOK}${path}`, { token: bearer });
    const failed = await get(`/${stuck}`);
    expect([failed.status, failed.json]).toEqual([500, { message: "Algo se rompió" }]);
    expect([(await get(`/${other}`)).status, (await get("")).status, (await get("?page=2")).status]).toEqual([
      200, 200, 502,
    ]);
    expect(service.faults.list().map(({ struck }) => struck)).toEqual([1, 1]);
  });

  test("chance is decided by the seed, for each client by itself", async () => {
    const outcomes = async (seed: number) => {
      const service = await start({ seed, faults: [{ kind: "error-before", operations: ["list"], probability: 0.5 }] });
      const bearer = await token(service);
      const statuses: boolean[] = [];
      for (let n = 0; n < 30; n++)
        statuses.push((await call(service, `GET ${BOOK}`, { token: bearer })).status === 200);
      return statuses;
    };
    const first = await outcomes(7);
    expect(await outcomes(7)).toEqual(first);
    expect(await outcomes(8)).not.toEqual(first);
    expect(new Set(first).size).toBe(2);
  });

  test("a refused call meets no fault and uses none up", async () => {
    const service = await start();
    service.faults.set({ kind: "error-before", operations: ["list"], next: 1 });
    expect((await call(service, `GET ${BOOK}`, { token: "bad" })).status).toBe(401);
    expect(service.faults.list()).toHaveLength(1);
  });

  test("a rule that makes no sense is refused by name, and adds nothing", async () => {
    const service = await start();
    const wrong = [
      [{ kind: "nonsense" }, /kind/],
      [{ kind: "reset", operations: ["quote"] }, /operations/],
      [{ kind: "reset", probability: 2 }, /probability/],
      [{ kind: "reset", next: 0 }, /next/],
      [{ kind: "slow", delayMs: [5, 1] }, /delayMs/],
      [{ kind: "invalid", shape: "round" }, /shape/],
    ] as unknown as [FaultRule, RegExp][];
    for (const [rule, message] of wrong) expect(() => service.faults.set([{ kind: "reset" }, rule])).toThrow(message);
    expect(service.faults.list()).toEqual([]);
  });

  test("every kind can be set for every operation", async () => {
    const service = await start();
    for (const kind of FAULT_KINDS) expect(service.faults.set({ kind, probability: 0 })).toHaveLength(1);
    await created(service, await token(service), "A");
  });
});

describe("down and up", () => {
  test("refuses connections, drops those it has, comes back on the same port with what it knew", async () => {
    const service = await start();
    const bearer = await token(service);
    await created(service, bearer, "A");
    service.faults.set({ kind: "hang", next: 1 });
    const hanging = call(service, `GET ${BOOK}`, { token: bearer });
    const dropped = expect(hanging).rejects.toThrow("fetch failed");
    await until(() => service.report().faults.hang === 1);
    await service.goDown();
    await dropped;
    expect(await refusal(service.url)).toBe("ECONNREFUSED");
    expect(service.report().up).toBe(false);
    await service.comeUp();
    expect((await call(service, `GET ${BOOK}`, { token: bearer })).json.data).toHaveLength(1);
  });

  test("comes up by itself after a time", async () => {
    const service = await start();
    await service.goDown(1_500);
    expect(await refusal(service.url)).toBe("ECONNREFUSED");
    await until(() => service.report().up);
    await token(service);
  });
});

function refusal(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(undefined));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once("close", () => socket.destroy());
  });
}
