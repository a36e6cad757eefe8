import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IS_WHOLE } from "../whole.ts";
import { hits, kindsOf } from "./canaries.ts";
import type { Canary, Evidence } from "./canaries.ts";
import { processes } from "./evidence.ts";
import { keptInTheClear, startSecretStage } from "./secret-stage.ts";
import type { SecretStage } from "./secret-stage.ts";

/** The short form of `npm run test:secrets`: no secret stands anywhere but where it must, at the level that logs most. */

const SECRET = `a secret "\\%+ /é<&>'of 1 shop`;
const CANARY: Canary = { name: "secret", value: Buffer.from(SECRET) };

const isLinux = existsSync("/proc/self/cmdline");

const wide = [...SECRET].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

describe("the search finds a secret", () => {
  test.each([
    ["as it is", SECRET],
    ["cut at its end", SECRET.slice(0, 14)],
    ["cut at its beginning", SECRET.slice(-13)],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(SECRET))],
    ["as a form's field", new URLSearchParams({ SECRET }).toString()],
    ["in JSON", JSON.stringify({ SECRET })],
    ["in JSON that stands in JSON", JSON.stringify(JSON.stringify({ SECRET }))],
    ["in JSON, each character escaped", wide],
    [
      "in HTML",
      SECRET.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#x27;"),
    ],
    ["in base64", Buffer.from(SECRET).toString("base64")],
    ["in base64, after one byte", Buffer.from(`x${SECRET}`).toString("base64")],
    ["in base64, after two bytes", Buffer.from(`xy${SECRET}`).toString("base64")],
    ["in base64 for addresses", Buffer.from(`${SECRET}`).toString("base64url")],
    ["in hex", Buffer.from(SECRET).toString("hex")],
    ["in hex, large", Buffer.from(SECRET).toString("hex").toUpperCase()],
    ["in UTF-16", Buffer.from(SECRET, "utf16le")],
  ])("%s", (_how, text) => {
    const bytes = Buffer.concat([Buffer.from("before "), Buffer.from(text), Buffer.from(" after")]);
    expect(kindsOf(hits([CANARY], [{ kind: "log", place: "x", bytes }]))).toEqual(["log"]);
  });

  test("and nothing where there is none", () => {
    const bytes = Buffer.from(JSON.stringify({ text: "a secretive text %41%zz \\u00 &#99999999; of another shop" }));
    expect(hits([CANARY], [{ kind: "log", place: "x", bytes }])).toEqual([]);
  });
});

describe.skipIf(!IS_WHOLE)("of the built app", () => {
  let stage: SecretStage;
  let seen: Evidence[];
  let canaries: Canary[];
  beforeAll(async () => {
    stage = await startSecretStage({ logLevel: "trace" });
    seen = await stage.visit();
    await stage.crash();
    seen.push(...(await stage.left()));
    canaries = await stage.canaries();
  });
  afterAll(() => stage?.stop());

  test("every secret is looked for, in everything that somebody may see", () => {
    expect([...new Set(canaries.map(({ name }) => name))].sort()).toEqual([
      "API secret",
      "Connection.accessToken",
      "Connection.refreshToken",
      "Session.accessToken",
      "Session.refreshToken",
      "client id",
      "client secret",
      "encryption key",
      "session token",
    ]);
    const kinds = ["answer", "dump", "file", "log", "page", "report"];
    expect([...new Set(seen.map(({ kind }) => kind))].sort()).toEqual(
      isLinux ? ["answer", "argv", "dump", "environ", ...kinds.slice(2)] : kinds,
    );
    const log = seen.find(({ kind }) => kind === "log")!.bytes.toString();
    expect(log).toContain("nobody handled a rejected promise");
    expect(log).toContain("the process cannot go on");
  });

  test("pages, answers, log, files, rows, processes, reports and crashes hold no secret", () => {
    expect(keptInTheClear(canaries, seen).flatMap(([some, where]) => hits(some, where))).toEqual([]);
  });

  test("the log holds nobody's personal data, and pages hold it", () => {
    const inKinds = (...kinds: string[]) =>
      hits(
        stage.people,
        seen.filter(({ kind }) => kinds.includes(kind)),
      );
    expect(kindsOf(inKinds("page", "answer"))).toEqual(["answer", "page"]);
    expect(inKinds("log", "report", "argv", "environ")).toEqual([]);
  });

  test("a leak that is planted is found in each place", async () => {
    const { value } = canaries.find(({ name }) => name === "Connection.refreshToken")!;
    await stage.leak(value.toString());
    const found = hits(canaries, [...(await stage.visit()), ...(await stage.left())]);
    const places = ["answer", "dump", "file", "log", "page", "report"];
    expect(kindsOf(found)).toEqual(expect.arrayContaining(isLinux ? [...places, "argv"] : places));
    if (isLinux) expect(kindsOf(hits(canaries, processes(stage.sandbox.app.pid()!, [])))).toEqual(["argv", "environ"]);
  });
});
