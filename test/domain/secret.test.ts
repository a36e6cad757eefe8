import { inspect } from "node:util";
import { expect, test } from "vitest";
import { isSecret, revealed, Secret } from "../../app/domain/secret.ts";

const PLANTED = "canary-7f3a";
const secret = new Secret(PLANTED);

test.each([
  ["a template", () => `${secret}`],
  ["concatenation", () => "token " + secret],
  ["JSON", () => JSON.stringify({ token: secret })],
  ["inspect", () => inspect({ token: secret }, { depth: 9, showHidden: true })],
  ["an object spread", () => JSON.stringify({ ...secret })],
  ["an error's message", () => String(new Error(`refused ${secret}`))],
])("%s never shows what a secret holds", (_way, print) => {
  expect(print()).not.toContain(PLANTED);
});

test("only reveal gives the value", () => {
  expect(secret.reveal()).toBe(PLANTED);
});

test("a secret is known as one, and nothing else is", () => {
  expect(isSecret(secret)).toBe(true);
  for (const other of [PLANTED, null, undefined, {}, { reveal: () => PLANTED }]) expect(isSecret(other)).toBe(false);
});

test("one that no key opens says so when it is asked for, and is no value", () => {
  const lost = Secret.unreadable("its key is gone");
  expect([lost.readable, secret.readable]).toEqual([false, true]);
  expect(() => lost.reveal()).toThrow("its key is gone");
  expect([revealed(lost), revealed(secret), revealed(null)]).toEqual([null, PLANTED, null]);
  expect(isSecret(lost)).toBe(true);
});
