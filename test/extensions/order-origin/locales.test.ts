import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ORIGIN_STATES } from "../../../app/domain/origin-state.ts";
import { EXTENSION, words } from "./stage.ts";

type Messages = { [key: string]: string | Messages };

const english: Messages = words("en.default");
const spanish: Messages = words("es");

const app = (language: string, file: string) =>
  JSON.parse(readFileSync(join(EXTENSION, `../../app/i18n/locales/${language}/${file}.json`), "utf8")) as Messages;

function flat(messages: Messages, under = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([key, value]) =>
      typeof value === "string" ? [[under + key, value]] : Object.entries(flat(value, `${under}${key}.`)),
    ),
  );
}

const holes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

/** ICU's holes as Shopify writes them. */
const inBraces = (text: unknown) => String(text).replace(/\{(\w+)\}/g, "{{$1}}");

const source = readdirSync(join(EXTENSION, "src"))
  .map((file) => readFileSync(join(EXTENSION, "src", file), "utf8"))
  .join("\n");

describe("the extension's words", () => {
  test("are the same keys with the same values to fill in, in both languages", () => {
    const [en, es] = [flat(english), flat(spanish)];
    expect(Object.keys(es).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en)) expect([key, holes(es[key]!)]).toEqual([key, holes(en[key]!)]);
  });

  test("hold every text the source names, and none that it does not", () => {
    const named = [...source.matchAll(/\bt\(\s*"([\w.]+)"/g)].map(([, key]) => key!);
    expect(named.filter((key) => !(key in flat(english)))).toEqual([]);
    const mentioned = (key: string) =>
      source.includes(`"${key}"`) || source.includes(`\`${key.slice(0, key.lastIndexOf("."))}.$`);
    const inToml = ["name", "description"];
    const composed = /^(link|connection)\./;
    const idle = Object.keys(flat(english)).filter(
      (key) => !mentioned(key) && !inToml.includes(key) && !composed.test(key),
    );
    expect(idle).toEqual([]);
  });

  test("know every state of an origin", () => {
    expect(Object.keys(english.state as Messages).sort()).toEqual([...ORIGIN_STATES].sort());
  });

  test("no text is written into the source", () => {
    const elements = source.replaceAll("=>", "").match(/<s-[a-z-]+[^>]*>\s*[A-Za-zÁ-ú][^<]*/g);
    expect(elements).toBeNull();
  });

  test.each([
    ["en", english],
    ["es-MX", spanish],
  ])("are the app's own, in %s", (language, messages) => {
    const [common, origins, origin] = ["common", "origins", "origin"].map((file) => app(language, file)) as [
      Messages,
      Messages,
      Messages,
    ];
    const shared: [string, unknown][] = [
      ["field", common.fields],
      ["fieldProblem", app(language, "problems")],
      ["state", origins.state],
      ["carrier", origins.carrier],
      [
        "exclusion",
        Object.fromEntries(
          Object.entries(origin.excluded as Record<string, { title: string }>).map(([key, { title }]) => [key, title]),
        ),
      ],
    ];
    const { news } = app(language, "move") as { news: Messages };
    for (const [code, text] of Object.entries(news))
      expect([code, (messages.note as Messages)[`move_${code}`]]).toEqual([code, inBraces(text)]);
    for (const [section, theirs] of shared) {
      for (const [key, text] of Object.entries(messages[section] as Messages)) {
        expect([section, key, text]).toEqual([section, key, inBraces((theirs as Messages)[key])]);
      }
    }
    for (const [mine, theirs] of [
      ["retry", common.retry],
      ["save", common.save],
      ["close", common.close],
      ["sync", origin.sync],
      ["serviceSaid", common.serviceSaid],
    ] as const) {
      // The app keeps no word that it does not use.
      if (theirs !== undefined) expect([mine, messages[mine]]).toEqual([mine, inBraces(theirs)]);
    }
  });
});
