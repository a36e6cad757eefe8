import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createArrivals } from "../shipping/arrivals.ts";
import { BOOK, TOKEN, call, created, credentials, start, stopAll, template, token, until } from "./shipping-caller.ts";

afterEach(stopAll);

const MARKER = /\[([0-9a-z]{6})\]/;

describe("arrivals in sliding seconds", () => {
  /** What the counter says of times told in this order, and what counting every window anew says. */
  function counted(times: number[], limit = 2) {
    const arrivals = createArrivals();
    for (const atMs of times) arrivals.arrive("c", { atMs, limit });
    const windows = times.map((end) => times.filter((at) => at > end - 1000 && at <= end).length);
    const expected = {
      total: times.length,
      mostInSecond: Math.max(...windows),
      secondsOver: windows.filter((held) => held > limit).length,
    };
    return { said: arrivals.counts().c, expected };
  }

  test("two a second are within the limit; the third, 999 ms after the first, is not", () => {
    expect(counted([0, 500, 1000, 1500]).said).toMatchObject({ mostInSecond: 2, secondsOver: 0 });
    expect(counted([0, 500, 999]).said).toMatchObject({ mostInSecond: 3, secondsOver: 1 });
  });

  test("agree with counting every second anew, in order and told late, over long runs", () => {
    let state = 12345;
    const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
    for (const meanGapMs of [2, 40, 300, 700]) {
      const times: number[] = [];
      let atMs = 0;
      for (let n = 0; n < 600; n++) times.push((atMs += random() * 2 * meanGapMs + 0.001));
      const ordered = counted(times);
      expect(ordered.said).toEqual(ordered.expected);
      const told = times.map((at) => ({ at, toldMs: at + (random() < 0.2 ? random() * 3000 : 0) }));
      const late = counted(told.toSorted((a, b) => a.toldMs - b.toldMs).map(({ at }) => at));
      expect(late.said).toEqual(late.expected);
    }
  });

  test("clients do not share a second", () => {
    const arrivals = createArrivals();
    const inSeconds = ["a", "b", "a", "b"].map((client, index) => arrivals.arrive(client, { atMs: index, limit: 2 }));
    expect(inSeconds).toEqual([1, 1, 2, 2]);
  });
});

describe("the rate", () => {
  test("a planted third arrival is answered 429 and counted; a second later all is well", async () => {
    const service = await start({ enforceRate: true });
    const bearer = await token(service);
    const list = () => call(service, `GET ${BOOK}`, { token: bearer });
    expect((await list()).status).toBe(200);
    expect(service.report()).toMatchObject({ mostInSecond: 2, secondsOverLimit: 0, refusedOverRate: 0 });
    const endedMs = performance.now();
    expect((await list()).status).toBe(429);
    expect(service.report()).toMatchObject({ mostInSecond: 3, secondsOverLimit: 1, refusedOverRate: 1 });
    expect(service.report().answersByStatus).toEqual({ 200: 2, 429: 1 });
    await until(() => performance.now() - endedMs > 1010);
    expect((await list()).status).toBe(200);
    expect(service.report().mostInSecond).toBe(3);
  });

  test("a refused arrival counts against the next second too", async () => {
    const service = await start({ enforceRate: true });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => call(service, TOKEN, { form: { grant_type: "client_credentials", ...credentials() } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    expect(service.report()).toMatchObject({ mostInSecond: 4, secondsOverLimit: 2 });
  });

  test("every operation counts for its client: token, revoke, introspect, resources, refusals and faults", async () => {
    const service = await start();
    const bearer = await token(service);
    const about = { form: { ...credentials(), token: "x" } };
    await call(service, "POST /test/api/v1/oauth/introspect", about);
    await call(service, "POST /test/api/v1/oauth/revoke", about);
    await call(service, TOKEN, { form: { grant_type: "client_credentials", ...credentials(), client_secret: "no" } });
    service.faults.set({ kind: "reset", next: 1 });
    await expect(call(service, `GET ${BOOK}`, { token: bearer })).rejects.toThrow();
    service.revokeTokens("test-client-1");
    expect((await call(service, `GET ${BOOK}/x`, { token: bearer })).status).toBe(401);
    const report = service.report();
    expect(report.arrivals).toMatchObject({ "test:test-client-1": { total: 6 } });
    const calls = { token: 2, introspect: 1, revoke: 1, list: 1, get: 1 };
    expect(report.callsByClient).toEqual({ "test:test-client-1": calls });
    expect(report.callsByOperation).toEqual(calls);
    expect(report.answersByStatus).toEqual({ 200: 3, 401: 2, none: 1 });
  });

  test("a token call counts when its headers came, though its body came later", async () => {
    const service = await start();
    const bearer = await token(service, 1);
    const body = new URLSearchParams({ grant_type: "client_credentials", ...credentials() }).toString();
    const { hostname, port } = new URL(service.url);
    const startedMs = performance.now();
    const socket = connect(Number(port), hostname);
    const head = `POST /test/api/v1/oauth/token HTTP/1.1\r\nhost: x\r\nuser-agent: raw\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(head);
    await until(() => performance.now() - startedMs > 1100);
    for (let n = 0; n < 2; n++) await call(service, `GET ${BOOK}`, { token: bearer });
    const answered = new Promise((resolve) => socket.once("data", resolve));
    socket.write(body);
    expect(String(await answered)).toContain("200 OK");
    socket.destroy();
    // Counted with the lists, which came just before its body, it would make three.
    expect(service.report().arrivals["test:test-client-1"]).toEqual({ total: 4, mostInSecond: 2, secondsOver: 0 });
  });

  test("calls that name no client are counted apart and never refused for the rate", async () => {
    const service = await start({ enforceRate: true });
    for (let n = 0; n < 4; n++) expect((await call(service, `GET ${BOOK}`)).status).toBe(401);
    expect(service.report().arrivals).toMatchObject({ "test:unknown": { total: 4 } });
  });
});

describe("duplicates", () => {
  test("equal payloads while both are alive, once for each create too many", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    await created(service, bearer, "B");
    expect(service.report().duplicates.total).toBe(0);
    await created(service, bearer, "A");
    await created(service, bearer, "A");
    expect(service.report().duplicates).toEqual({ total: 2, equalPayload: 2, sameMarker: 0, alive: [] });
    await call(service, `DELETE ${BOOK}/${id}`, { token: bearer });
    await created(service, await token(service, 2), "B");
    expect(service.report()).toMatchObject({ duplicates: { total: 2 }, creates: 5, deletes: 1, templatesAlive: 4 });
  });

  test("a payload counts as equal whatever the order of its keys, and by what the template was created from", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    service.editTemplate(id, { alias_name: "Renamed", address_attributes: { phone: "8111111111" } });
    const { alias_name, address_type, address_attributes } = template("A").address_template as Record<string, object>;
    const reversed = Object.fromEntries(Object.entries(address_attributes!).reverse());
    const body = { address_template: { address_attributes: reversed, address_type, alias_name } };
    expect((await call(service, `POST ${BOOK}`, { token: bearer, body })).status).toBe(201);
    expect(service.report().duplicates.equalPayload).toBe(1);
  });

  test("the same marker in two aliases alive, made by a create or by an alias edit of a client", async () => {
    const service = await start({ markerPattern: MARKER });
    const bearer = await token(service);
    const first = await created(service, bearer, "Norte [abc123]");
    expect(service.report().duplicates.total).toBe(0);
    const second = await created(service, bearer, "Norte, otra vez [abc123]");
    expect(service.report().duplicates).toEqual({
      total: 1,
      equalPayload: 0,
      sameMarker: 1,
      alive: [{ account: "test:test-client-1", marker: "abc123", ids: [first, second] }],
    });
    const third = await created(service, bearer, "Sur [fff999]");
    const rename = (alias_name: string) =>
      call(service, `PATCH ${BOOK}/${third}`, { token: bearer, body: { address_template: { alias_name } } });
    await rename("Sur cambiado [fff999]");
    expect(service.report().duplicates.sameMarker).toBe(1);
    await rename("Sur [abc123]");
    expect(service.report().duplicates).toMatchObject({ total: 1, sameMarker: 2 });
  });

  test("a person's copy is no client's duplicate, but shows while it lives", async () => {
    const service = await start({ markerPattern: MARKER });
    await created(service, await token(service), "Norte [abc123]");
    const copy = service.createTemplate("test-client-1", { alias_name: "Norte [abc123] copia", address_type: "from" });
    expect(service.report().duplicates).toMatchObject({ total: 0, sameMarker: 0, alive: [{ marker: "abc123" }] });
    service.deleteTemplate(copy.id);
    expect(service.report().duplicates.alive).toEqual([]);
    expect(service.report().deletes).toBe(0);
  });
});

describe("the log of writes", () => {
  test("tells who wrote what over what, in order", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    service.editTemplate(id, { address_attributes: { phone: "8111111111" } });
    const change = { address_template: { address_attributes: { phone: "3333333333" } } };
    await call(service, `PATCH ${BOOK}/${id}`, { token: bearer, body: change });
    await call(service, `POST ${BOOK}/${id}/verify_by_carriers`, { token: bearer, body: { carriers: ["dhl"] } });
    await call(service, `DELETE ${BOOK}/${id}`, { token: bearer });
    const log = service.log();
    expect(log.map(({ sequence, source, operation }) => [sequence, source, operation])).toEqual([
      [1, "client", "create"],
      [2, "person", "update"],
      [3, "client", "update"],
      [4, "client", "verify"],
      [5, "client", "delete"],
    ]);
    expect(log[2]).toMatchObject({
      client: "test:test-client-1",
      templateId: id,
      payload: change.address_template,
      before: { address: { phone: "8111111111" } },
      after: { address: { phone: "3333333333" } },
    });
    expect(log[4]).toMatchObject({ before: { alias_name: "A" }, after: null });
    expect(service.log(3).map(({ sequence }) => sequence)).toEqual([4, 5]);
  });

  test("keeps the last entries, as many as it was told to", async () => {
    const service = await start({ logLimit: 3 });
    for (let n = 0; n < 10; n++) service.createTemplate("test-client-1", { alias_name: `T${n}` });
    expect(service.log().map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
  });

  test("neither report nor log holds a secret or a token", async () => {
    const service = await start();
    const bearer = await token(service);
    await created(service, bearer, "A");
    const text = JSON.stringify([service.report(), service.log(), service.faults.list()]);
    expect(text).not.toContain(bearer);
    expect(text).not.toContain("test-secret-1");
  });
});
