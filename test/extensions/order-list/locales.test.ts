import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXTENSION, words } from "../order-origin/stage.ts";

type Messages = { [key: string]: string | Messages };

const LIST = join(EXTENSION, "../order-list");

function flat(messages: Messages, under = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([key, value]) =>
      typeof value === "string" ? [[under + key, value]] : Object.entries(flat(value, `${under}${key}.`)),
    ),
  );
}

/** What the list says of many orders where the order's page says it of one. */
const OF_MANY = ["name", "description", "title", "problem.scope", "problem.tooOld", "problem.noOrigin"];

const sourceOf = (folder: string) =>
  readdirSync(join(folder, "src"))
    .map((file) => readFileSync(join(folder, "src", file), "utf8"))
    .join("\n");

describe("the words of the list of orders", () => {
  test("are the same keys with the same values to fill in, in both languages", () => {
    const [en, es] = [flat(words("en.default", "order-list")), flat(words("es", "order-list"))];
    const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
    expect(Object.keys(es).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en)) expect([key, holes(es[key]!)]).toEqual([key, holes(en[key]!)]);
  });

  test.each(["en.default", "es"] as const)("are those of the order's page, in %s", (language) => {
    const [mine, theirs] = [flat(words(language, "order-list")), flat(words(language))];
    const other = Object.entries(mine).filter(([key, text]) => key in theirs && theirs[key] !== text);
    expect(other.map(([key]) => key).toSorted()).toEqual(OF_MANY.filter((key) => mine[key] !== theirs[key]).toSorted());
  });

  test("hold every text that the action names, and none that neither it nor what it shares names", () => {
    const mine = words("en.default", "order-list");
    const source = sourceOf(LIST);
    const shared = sourceOf(EXTENSION);
    const named = [...source.matchAll(/\bt\(\s*"([\w.]+)"/g)].map(([, key]) => key!);
    const holds = (key: string) =>
      key.split(".").reduce<unknown>((at, name) => (at as Messages | undefined)?.[name], mine);
    expect(named.filter((key) => !holds(key))).toEqual([]);
    const inToml = ["name", "description"];
    const mentioned = (key: string) => source.includes(`"${key}"`) || shared.includes(`"${key}"`);
    const composed = /^(?:started|state|note|exclusion|carrier|field|problem|connection|link|verifyAll|syncAll)\b/;
    const idle = Object.keys(mine).filter((key) => !mentioned(key) && !inToml.includes(key) && !composed.test(key));
    expect(idle).toEqual([]);
  });
});
