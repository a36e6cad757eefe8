import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { createShippingService } from "../../../app/adapters/shipping/service.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import {
  DELETED_ID,
  endOf,
  GOOD,
  goodFor,
  NAMES,
  nameOf,
  NINE,
  TEMPLATE,
  type NineName,
} from "./support/operations.ts";
import { INTERACTIVE, keptLog, memoryTokenStore, USER_AGENT } from "./support/world.ts";

/** Answers that say the right thing in an odd way, over true HTTP: codings nobody asked for, a byte-order mark, numbers as text. */

interface Way {
  /** The body as it stands on the wire. */
  encode: (body: string) => Buffer;
  coding?: string;
  /** What the service says; default: the good answer. */
  say?: (name: NineName) => unknown;
}

const plain = (body: string) => Buffer.from(body);
const MARK = "\ufeff";

const text = (value: unknown): unknown => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(text);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, text(member)]));
};

const WELL: Record<string, Way> = {
  "as it should be": { encode: plain },
  gzip: { encode: (body) => gzipSync(body), coding: "gzip" },
  "x-gzip": { encode: (body) => gzipSync(body), coding: "x-gzip" },
  "GZIP, in capitals": { encode: (body) => gzipSync(body), coding: "GZIP" },
  deflate: { encode: (body) => deflateSync(body), coding: "deflate" },
  "deflate without its wrapper": { encode: (body) => deflateRawSync(body), coding: "deflate" },
  brotli: { encode: (body) => brotliCompressSync(body), coding: "br" },
  zstd: { encode: (body) => zstdCompressSync(body), coding: "zstd" },
  "two codings": { encode: (body) => brotliCompressSync(gzipSync(body)), coding: "gzip, br" },
  "identity beside gzip": { encode: (body) => gzipSync(body), coding: "identity, gzip" },
  "gzip that is not named": { encode: (body) => gzipSync(body) },
  "gzip that is named and not done": { encode: plain, coding: "gzip" },
  "brotli that is named and not done": { encode: plain, coding: "br" },
  "deflate that is named and not done": { encode: plain, coding: "deflate" },
  "a coding that nobody knows, not done": { encode: plain, coding: "utf-8" },
  "a byte-order mark": { encode: (body) => Buffer.from(MARK + body) },
  "a byte-order mark below gzip": { encode: (body) => gzipSync(MARK + body), coding: "gzip" },
  "white space around": { encode: (body) => Buffer.from(`\r\n\t ${body}\n\n`) },
  "every number and boolean as text": { encode: plain, say: (name) => text(GOOD[name].body) },
};

const good = Object.fromEntries(
  NAMES.map((name) => [
    name,
    { list: "read", get: "found", token: "issued", revoke: "true", introspect: "read" }[name as string] ?? "written",
  ]),
);

/** Larger than any body may be, and small on the wire. */
const bomb = gzipSync("0".repeat(64 * 1024 * 1024));
const doubleBomb = gzipSync(bomb);

const BADLY: Record<string, Way> = {
  "a bomb": { encode: () => bomb, coding: "gzip" },
  "a bomb in two layers": { encode: () => doubleBomb, coding: "gzip, gzip" },
  "gzip that is cut": { encode: (body) => gzipSync(body).subarray(0, -20), coding: "gzip" },
  "gzip that is broken": {
    encode: (body) => Buffer.concat([gzipSync(body).subarray(0, 12), Buffer.alloc(40, 7)]),
    coding: "gzip",
  },
  "more codings than anybody would": { encode: plain, coding: "gzip, gzip, gzip, gzip, gzip" },
};

const WAYS = { ...WELL, ...BADLY };
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, key = "", ...rest] = request.url!.split("/");
    const call = { method: request.method!, path: `/${rest.join("/")}` };
    const name = nameOf(call);
    request.resume().on("end", () => {
      const { encode, coding, say } = WAYS[decodeURIComponent(key)]!;
      // The reading that a delete begins with is not what is tried.
      if (name === "get" && call.path.endsWith(DELETED_ID)) {
        response.writeHead(200).end(JSON.stringify(goodFor(call).body));
        return;
      }
      const body = encode(JSON.stringify(say ? say(name) : GOOD[name].body));
      response.writeHead(GOOD[name].status, coding ? { "content-encoding": coding } : {}).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** One service a way, one shop an operation, as each has a budget. */
function serviceFor(way: string) {
  const tokens = memoryTokenStore();
  const log = keptLog();
  const service = createShippingService({
    baseUrls: {
      test: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${encodeURIComponent(way)}`,
      production: null,
    },
    userAgent: USER_AGENT,
    clock: createClock(),
    random: createRandom(),
    log,
    tokens: tokens.store,
    budget: { graceMs: 0, openAtOnce: true },
  });
  const connect = (
    name: string,
  ): { ref: ConnectionRef; credentials: ConnectionRef & { clientSecret: string; scope: null; redirectUri: null } } => {
    const ref: ConnectionRef = { id: name, version: 1, shop: `${name}.shop`, environment: "test", clientId: name };
    const credentials = { ...ref, clientSecret: "a-long-secret", scope: null, redirectUri: null };
    const token = {
      accessToken: "t",
      refreshToken: null,
      scope: null,
      obtainedAtMs: Date.now(),
      expiresAtMs: Date.now() + 7_200_000,
    };
    tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token });
    return { ref, credentials };
  };
  return { service, connect };
}

describe("an answer with", () => {
  test.concurrent.each(Object.keys(WELL))("%s is read by every operation", async (way) => {
    const { service, connect } = serviceFor(way);
    const ends = await Promise.all(NAMES.map(async (name) => [name, await endOf(NINE[name](service, connect(name)))]));
    expect(Object.fromEntries(ends)).toEqual(good);
    await service.close();
  });

  test.concurrent("every number and boolean as text means what it says", async () => {
    const { service, connect } = serviceFor("every number and boolean as text");
    const { ref, credentials } = connect("one");
    const page = await service.account(ref).listPage({ ...INTERACTIVE, page: 1 });
    expect(page).toMatchObject({
      page: 1,
      totalPages: 1,
      totalCount: 1,
      templates: [{ id: TEMPLATE.id, default: false }],
    });
    const outcome = await service.obtainToken(credentials, INTERACTIVE);
    if (outcome.kind !== "issued") return expect.unreachable(outcome.kind);
    expect(outcome.token.expiresAtMs - outcome.token.obtainedAtMs).toBe(7_200_000);
    expect(await service.introspect(ref, INTERACTIVE)).toMatchObject({ active: true, expiresAtMs: 2_000_000_000_000 });
    await service.close();
  });
});

describe("an answer that cannot be decoded:", () => {
  const ends: Record<string, { get: string; create: string; delete: string }> = {
    "a bomb": { get: "!unreadable", create: "!unreadable?", delete: "written" },
    "a bomb in two layers": { get: "!unreadable", create: "!unreadable?", delete: "written" },
    "gzip that is cut": { get: "!transport", create: "!transport?", delete: "written" },
    "gzip that is broken": { get: "!transport", create: "!transport?", delete: "written" },
    "more codings than anybody would": { get: "found", create: "written", delete: "written" },
  };
  test.concurrent.each(Object.keys(BADLY))("%s ends in time, typed, and costs no more than a body may", async (way) => {
    const { service, connect } = serviceFor(way);
    const found = { get: "", create: "", delete: "" };
    for (const name of ["get", "create", "delete"] as const)
      found[name] = await endOf(NINE[name](service, connect(name)));
    expect(found).toEqual(ends[way]);
    await service.close();
  });
});
