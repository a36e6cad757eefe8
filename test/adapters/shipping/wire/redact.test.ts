import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readProblem } from "../../../../app/adapters/shipping/wire/problem.ts";
import { redactorOf } from "../../../../app/adapters/shipping/wire/redact.ts";

const HARD = `p+a/s s=w"o\\r&d%ñ<é>'~!`;

const everyByte = (text: string) =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const unicode = (text: string) =>
  [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");

const ENCODINGS: [string, (secret: string) => string][] = [
  ["as it is", (secret) => secret],
  ["percent-encoded", encodeURIComponent],
  [
    "percent-encoded in small letters",
    (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ["percent-encoded byte by byte", everyByte],
  ["percent-encoded twice", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ["form-encoded", (secret) => new URLSearchParams({ client_secret: secret }).toString()],
  ["in JSON", (secret) => JSON.stringify({ client_secret: secret })],
  ["in JSON with escaped slashes", (secret) => JSON.stringify(secret).replaceAll("/", "\\/")],
  ["in JSON in JSON", (secret) => JSON.stringify(JSON.stringify(secret))],
  ["in Unicode escapes", unicode],
  ["in HTML", (secret) => secret.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)],
  ["in named HTML", (secret) => secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
  ["in base64", base64],
  ["in base64 for addresses", (secret) => Buffer.from(secret).toString("base64url")],
  ["in base64 behind a client id", (secret) => base64(`client-1:${secret}`)],
  ["in base64 behind another one", (secret) => base64(`client-12:${secret}`)],
  ["in base64 behind a third one", (secret) => base64(`client-123:${secret}:x`)],
  ["percent-encoded in base64", (secret) => base64(`client-1:${encodeURIComponent(secret)}`)],
  [
    "form-encoded in base64",
    (secret) => base64(`a=b&${new URLSearchParams({ client_secret: secret }).toString()}&c=d`),
  ],
  ["as JSON in base64", (secret) => base64(JSON.stringify({ s: secret }))],
  ["in base64 in base64", (secret) => base64(`x: ${base64(`client-1:${secret}`)}`)],
  ["in base64, percent-encoded", (secret) => encodeURIComponent(base64(secret))],
];

/** What a reader makes of words, whatever they are wrapped in. */
const said = (secret: string, clean: (text: string) => string, encode: (secret: string) => string) =>
  clean(`no: ${encode(secret)} is not it`);

describe.each(ENCODINGS)("a secret %s", (_name, encode) => {
  test.each([HARD, "planted-secret-5f1e", "eyJhbGciOiJIUzI1NiJ9.e30.abc_-", "a/+b c/+d e"])(
    "%s is taken out",
    (secret) => {
      const text = said(secret, redactorOf([secret]), encode);
      expect(text).toContain("[redacted]");
      expect(text).toMatch(/^no: .* is not it$/);
      expect(text).not.toContain(secret);
      // Of base64 a character beside it may be left, which tells a few bits.
      expect(text.length).toBeLessThan(60);
    },
  );

  test("whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }), (secret) => {
        fc.pre(secret.isWellFormed() && [...secret].length >= 8);
        const text = said(secret, redactorOf([secret]), encode);
        expect(text).toContain("[redacted]");
        expect(text).not.toContain(secret);
      }),
    );
  });
});

test("words that only look like it stay, and so does what is too short to tell", () => {
  const clean = redactorOf(["planted-secret-5f1e", "short", ""]);
  expect(clean("planted secret short planted-secret-5f1 Ñandú")).toBe("planted secret short planted-secret-5f1 Ñandú");
});

test.each([...ENCODINGS.keys()])("of a long answer nothing is left of a secret that a cut went through (%i)", (at) => {
  const spelled = ENCODINGS[at]![1](HARD);
  const clean = redactorOf([HARD]);
  for (let before = 8_000 - spelled.length; before < 8_000; before += 1) {
    const text = clean("·".repeat(before) + spelled + "·".repeat(1_000_000));
    expect(text.replace(/[·]/g, "").replace("[redacted]", "")).toBe("");
    expect(text.length).toBeGreaterThan(3_000);
  }
  expect(clean(spelled.repeat(2_000)).replaceAll("[redacted]", "").length).toBeLessThan(
    spelled.repeat(2_000).length / 20,
  );
});

describe("a problem", () => {
  const clean = (body: unknown) =>
    readProblem({
      status: 422,
      body: typeof body === "string" ? body : JSON.stringify(body),
      requestId: "r",
      clean: redactorOf([HARD]),
    });
  const form = new URLSearchParams({ grant_type: "client_credentials", client_secret: HARD }).toString();

  test.each([
    ["the form in plain words", form],
    ["the form in a message", { message: `bad request: ${form}` }],
    ["the form as a field's name", { errors: { [form]: ["is invalid"] } }],
    ["the secret as a field's name, with dots", { errors: { [`${HARD}.a`]: ["is invalid"] } }],
    ["the body sent in a message", { error: "INVALID_BODY", message: JSON.stringify({ client_secret: HARD }) }],
  ])("that repeats %s says nothing secret", (_name, body) => {
    const text = JSON.stringify(clean(body));
    expect(text).toMatch(/redacted|"a"/);
    for (const form of [HARD, encodeURIComponent(HARD), new URLSearchParams({ a: HARD }).toString().slice(2)])
      expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
  });
});
