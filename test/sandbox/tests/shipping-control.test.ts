import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, expect, test } from "vitest";
import { BOOK, call, created, start, stopAll, token } from "./shipping-caller.ts";
import { ADDRESS } from "../../contracts/shipping/ask.ts";

const main = resolve(import.meta.dirname, "../shipping/main.ts");
const folder = mkdtempSync(join(tmpdir(), "shipping-"));
afterEach(stopAll);
afterAll(() => rmSync(folder, { recursive: true }));

test("/control does over HTTP what the functions do, on both listeners", async () => {
  const service = await start();
  const bearer = await token(service);
  for (const base of [{ url: service.url }, { url: service.controlUrl }]) {
    const report = await call(base, "GET /control/report");
    expect(report.json).toMatchObject({ callsByOperation: { token: 1 }, up: true });
    const made = await call(base, "POST /control/templates", {
      body: { client_id: "test-client-1", alias_name: "P", address_type: "from", address_attributes: ADDRESS },
    });
    const { id } = made.json[0];
    expect((await call(base, `PATCH /control/templates/${id}`, { body: { alias_name: "Q" } })).json.alias_name).toBe(
      "Q",
    );
    expect((await call(base, "GET /control/templates")).json).toMatchObject([
      { id, alias_name: "Q", account: "test:test-client-1" },
    ]);
    expect((await call(base, "GET /control/templates?client_id=test-client-2")).json).toEqual([]);
    const verdict = { templateId: id, carrier: "dhl", status: "verified" };
    expect((await call(base, "POST /control/verification", { body: verdict })).json.verified_carriers).toMatchObject([
      { status: "verified" },
    ]);
    expect((await call(base, "GET /control/log?since=0")).json.at(-1)).toMatchObject({ operation: "verdict" });
    await call(base, `DELETE /control/templates/${id}`);
    expect(service.allTemplates()).toEqual([]);
  }
  expect(
    (await call(service, "POST /control/behaviour", { body: { trimText: true, verification: { repeat: "keep" } } }))
      .json,
  ).toMatchObject({
    trimText: true,
    verification: { repeat: "keep", unsupportedCarriers: ["ampm", "ninetynineminutes"] },
  });
  expect((await call(service, "POST /control/revoke-tokens", { body: { client_id: "test-client-1" } })).json).toEqual({
    revoked: 1,
  });
  expect((await call(service, `GET ${BOOK}`, { token: bearer })).status).toBe(401);
});

test("/control/faults sets, lists and clears; /control/down and up are reached on the second listener", async () => {
  const service = await start();
  const control = { url: service.controlUrl };
  const set = await call(control, "POST /control/faults", { body: [{ kind: "reset" }, { kind: "slow", delayMs: 5 }] });
  expect(set.json.ids).toHaveLength(2);
  await call(control, `DELETE /control/faults/${set.json.ids[0]}`);
  expect((await call(control, "GET /control/faults")).json).toMatchObject([{ kind: "slow", struck: 0 }]);
  await call(control, "DELETE /control/faults");
  expect(service.faults.list()).toEqual([]);
  await call(control, "POST /control/down");
  expect((await call(control, "GET /control/report")).json.up).toBe(false);
  await call(control, "POST /control/up");
  await token(service);
});

test("/control refuses nonsense with a message, and counts as no call", async () => {
  const service = await start();
  for (const [line, body] of [
    ["POST /control/faults", { kind: "nonsense" }],
    ["POST /control/faults", "{"],
    ["POST /control/templates", { client_id: "nobody" }],
    ["DELETE /control/templates/none", undefined],
    ["POST /control/revoke-tokens", {}],
    ["POST /control/verification", { templateId: "none" }],
    ["POST /control/behaviour", { trimTexts: true }],
  ] as const) {
    const answer = await call(service, line, { body });
    expect([line, answer.status, typeof answer.json.message]).toEqual([line, 400, "string"]);
  }
  expect((await call(service, "GET /control/nothing")).status).toBe(404);
  expect(service.report().calls).toBe(0);
});

test("reset goes back to the start, and gives no id out twice", async () => {
  const service = await start({ trimText: true });
  const id = await created(service, await token(service), "A");
  service.configure({ trimText: false });
  service.faults.set({ kind: "reset" });
  await call(service, "POST /control/reset");
  expect(service.report()).toMatchObject({ calls: 0, templatesAlive: 0, creates: 0, faults: {}, arrivals: {} });
  expect([service.configure({}).trimText, service.faults.list()]).toEqual([true, []]);
  expect(await created(service, await token(service), "A")).not.toBe(id);
});

test("a data file keeps templates and tokens across a restart, and no id comes twice", async () => {
  const dataFile = join(folder, "state.json");
  const before = await start({ dataFile });
  const bearer = await token(before);
  const id = await created(before, bearer, "A");
  before.setVerdict({ templateId: id, carrier: "dhl", status: "verified" });
  await before.stop();
  const after = await start({ dataFile });
  const { json } = await call(after, `GET ${BOOK}/${id}`, { token: bearer });
  expect(json.data).toMatchObject({
    alias_name: "A",
    verified_carriers: [{ carrier_name: "dhl", status: "verified" }],
  });
  expect(await created(after, bearer, "B")).not.toBe(id);
});

test("raw requests are kept where asked for", async () => {
  const service = await start({ keepRequests: 2 });
  const bearer = await token(service);
  await created(service, bearer, "A");
  await call(service, `GET ${BOOK}?page=1`, { token: bearer });
  const [create, list] = service.requests();
  expect(create).toMatchObject({ method: "POST", url: BOOK, body: expect.stringContaining('"alias_name":"A"') });
  expect(list).toMatchObject({ method: "GET", url: `${BOOK}?page=1`, body: "" });
  expect(list!.rawHeaders).toContain(`Bearer ${bearer}`);
});

test("runs in a process of its own, and ends when told to", async () => {
  const options = ["--clients", "1000", "--marker-pattern", "\\[(.+)\\]", "--behaviour", '{"tokenLifetimeSeconds":60}'];
  const child = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  try {
    const line = await new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
    const { url, testUrl, productionUrl, controlUrl } = JSON.parse(line);
    expect([testUrl, productionUrl]).toEqual([`${url}/test`, `${url}/production`]);
    const bearer = await token({ url }, 1000);
    await created({ url }, bearer, "A [m]");
    expect((await call({ url: controlUrl }, "GET /control/report")).json).toMatchObject({
      calls: 2,
      templatesAlive: 1,
    });
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toBe(0);
});

test("arguments that make no sense end it with one line, not a trace", async () => {
  for (const options of [["--port", "x"], ["--behaviour", "{"], ["--behaviour", '{"nothing":1}'], ["--nothing"]]) {
    const child = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "ignore", "pipe"] });
    const said = await child.stderr.toArray();
    expect(said.join("").trim().split("\n")).toHaveLength(1);
    expect(child.exitCode ?? (await new Promise((resolve) => child.once("exit", resolve)))).toBe(2);
  }
});
