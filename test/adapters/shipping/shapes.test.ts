import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { createShippingService } from "../../../app/adapters/shipping/service.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { DELETED_ID, endOf, goodFor, NAMES, nameOf, NINE, TEMPLATE, type NineName } from "./support/operations.ts";
import { keptLog, memoryTokenStore, USER_AGENT } from "./support/world.ts";

/** Every shape an answer was seen in or may come in, for every operation, over true HTTP: a typed end, always. */

interface Shape {
  name: string;
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** Only for the first request of an operation; later ones succeed. */
  once?: boolean;
}

type Ends = Record<NineName, string>;

const HTML = "<!DOCTYPE html><html><body><h1>nginx</h1></body></html>";
const json = (value: unknown) => JSON.stringify(value);
const all = (end: string): Ends => Object.fromEntries(NAMES.map((name) => [name, end])) as Ends;

const refused: Ends = {
  ...all("refused"),
  list: "!unexpected_status",
  get: "!unexpected_status",
  introspect: "!unexpected_status",
  revoke: "false",
};
const unclear: Ends = {
  ...all("!server_error"),
  create: "!server_error?",
  update: "!server_error?",
  delete: "!server_error?",
  verify: "!server_error?",
  revoke: "false",
};
/** Of a token request: something that is not the service answered. */
const notTheService = { token: "!edge_blocked" };
const unreadable: Ends = {
  ...all("!unreadable"),
  ...notTheService,
  create: "!unreadable?",
  update: "!unreadable?",
  delete: "written",
  // The status says that it was asked.
  verify: "written",
  revoke: "true",
};
const notFound: Ends = {
  ...all("not_found"),
  list: "!unexpected_status",
  create: "!unexpected_status?",
  ...notTheService,
  introspect: "!unexpected_status",
  revoke: "false",
};
const unauthorized: Ends = {
  ...all("!unauthorized"),
  ...notTheService,
  introspect: "!edge_blocked",
  revoke: "false",
};
const blocked: Ends = { ...all("!edge_blocked"), revoke: "false" };
const astray: Ends = {
  ...all("!unexpected_status"),
  ...notTheService,
  create: "!unexpected_status?",
  update: "!unexpected_status?",
  delete: "!unexpected_status?",
  verify: "!unexpected_status?",
  revoke: "false",
};
const good: Ends = {
  ...all("written"),
  list: "read",
  get: "found",
  token: "issued",
  introspect: "read",
  revoke: "true",
};

const SHAPES: [Shape, Ends][] = [
  ...[400, 422].flatMap((status): [Shape, Ends][] =>
    [
      { errors: { address_template: { phone: ["no"] } } },
      { errors: { phone: ["no"] } },
      { phone: ["no"] },
      { errors: "no" },
      { errors: ["no"] },
      { error: "CARRIER_VERIFICATION_NOT_ENABLED" },
      { success: false, message: null },
      { message: "no" },
    ].map((body) => [{ name: `${status} ${json(body)}`, status, body: json(body) }, refused]),
  ),
  [
    { name: "400 HTML", status: 400, body: HTML },
    { ...refused, ...notTheService },
  ],
  [
    { name: "400 token error", status: 400, body: json({ error: "invalid_request", error_description: "Faltan." }) },
    refused,
  ],
  [
    { name: "401 token error", status: 401, body: json({ error: "invalid_client", error_description: "No." }) },
    { ...unauthorized, token: "invalid_client", introspect: "!invalid_client" },
  ],
  [{ name: "401 HTML", status: 401, body: HTML }, unauthorized],
  [{ name: "401 empty", status: 401, body: "" }, unauthorized],
  [{ name: "403 HTML", status: 403, body: HTML }, blocked],
  [{ name: "403 empty", status: 403, body: "" }, blocked],
  [
    { name: "403 token error", status: 403, body: json({ error: "unauthorized_client", error_description: "No." }) },
    { ...all("!forbidden"), token: "refused", introspect: "!unexpected_status", revoke: "false" },
  ],
  [{ name: "404 message", status: 404, body: json({ message: "No encontrada" }) }, notFound],
  [{ name: "404 error", status: 404, body: json({ error: "Not Found" }) }, notFound],
  [{ name: "404 HTML", status: 404, body: HTML }, notFound],
  [
    { name: "409 JSON", status: 409, body: json({ message: "otra vez" }) },
    { ...refused, ...notTheService },
  ],
  [{ name: "408 JSON", status: 408, body: json({ message: "tarde" }) }, astray],
  [{ name: "418 HTML", status: 418, body: HTML }, astray],
  [{ name: "429 JSON", status: 429, body: json({ error: "rate" }), once: true }, good],
  [{ name: "429 HTML", status: 429, body: HTML, headers: { "retry-after": "1" }, once: true }, good],
  [{ name: "500 JSON", status: 500, body: json({ status: 500, error: "Internal Server Error" }) }, unclear],
  [{ name: "502 HTML", status: 502, body: HTML }, unclear],
  [{ name: "503 empty", status: 503, body: "" }, unclear],
  [{ name: "302", status: 302, body: "", headers: { location: "/elsewhere" } }, astray],
  ...["", "null", "[]", '"ok"', "{}", '{"data":', '{"data":[]}', "\u0000"].map((body): [Shape, Ends] => [
    { name: `200 ${json(body)}`, status: 200, body },
    unreadable,
  ]),
  [
    { name: "200 another template", status: 200, body: json({ data: { ...TEMPLATE, id: "t-2" } }) },
    { ...unreadable, create: "written" },
  ],
  // The service answers in JSON, or a deletion in nothing: somebody else's page deletes nothing, and asks nobody.
  [
    { name: "200 HTML", status: 200, body: HTML },
    { ...unreadable, delete: "!unreadable?", verify: "!unreadable?" },
  ],
  [{ name: "204", status: 204, body: "" }, unreadable],
  [{ name: "200 larger than 1 MiB", status: 200, body: `{"data":"${"x".repeat(1_100_000)}"}` }, unreadable],
];

let server: Server;
const seen = new Set<string>();
const paths: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, index, ...rest] = request.url!.split("/");
    const path = `/${rest.join("/")}`;
    paths.push(path);
    const name = nameOf({ method: request.method!, path });
    const [shape] = SHAPES[Number(index)]!;
    request.resume().on("end", () => {
      // A resource that is answered 401 asks for a token in between, which is not what is being tried.
      const isRenewal =
        name === "token" && request.headers["x-request-id"] !== undefined && renewals.has(Number(index));
      const key = `${index} ${name}`;
      // Nor is the reading that a delete begins with.
      const isReading = name === "get" && path.endsWith(DELETED_ID);
      const isGood = isRenewal || isReading || (shape.once && seen.has(key));
      seen.add(key);
      const good = goodFor({ method: request.method!, path });
      const answer = isGood ? { ...good, body: json(good.body), headers: {} } : shape;
      response.writeHead(answer.status, { "content-type": "text/plain", ...answer.headers });
      response.end(answer.status === 204 ? undefined : answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());

/** Scenarios whose token request is a renewal. */
const renewals = new Set<number>();

/** One service a scenario, as its base URL names the scenario; one shop an operation, as each has a budget. */
function scenario(index: number) {
  const { port } = server.address() as AddressInfo;
  const tokens = memoryTokenStore();
  const log = keptLog();
  const service = createShippingService({
    baseUrls: { test: `http://127.0.0.1:${port}/${index}`, production: null },
    userAgent: USER_AGENT,
    clock: createClock(),
    random: createRandom(),
    log,
    tokens: tokens.store,
    budget: { graceMs: 0, openAtOnce: true },
  });
  const end = (name: NineName) => {
    const ref: ConnectionRef = {
      id: name,
      version: 1,
      shop: `${name}.shop`,
      environment: "test",
      clientId: `client-${name}`,
    };
    const credentials = { ...ref, clientSecret: "s", scope: null, redirectUri: null };
    const token = {
      accessToken: "t",
      refreshToken: null,
      scope: null,
      obtainedAtMs: Date.now(),
      expiresAtMs: Date.now() + 7_200_000,
    };
    tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token });
    return endOf(NINE[name](service, { ref, credentials }));
  };
  return { end, close: () => service.close() };
}

describe("every shape for every operation", () => {
  test.concurrent.each(SHAPES.map(([shape, ends], index) => ({ name: shape.name.slice(0, 60), index, ends })))(
    "$name",
    async ({ index, ends }) => {
      const { end, close } = scenario(index);
      const token = await end("token");
      renewals.add(index);
      const others = NAMES.filter((name) => name !== "token");
      const found = await Promise.all(others.map(async (name) => [name, await end(name)] as const));
      expect({ ...Object.fromEntries(found), token }).toEqual(ends);
      await close();
    },
  );
});

test("no redirect was followed", () => {
  expect(paths.filter((path) => path.includes("elsewhere"))).toEqual([]);
});
