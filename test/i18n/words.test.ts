import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ORIGIN_STATES } from "../../app/domain/origin-state.ts";

/** docs/design/words.md against every locale file: which words no message has, and what to write instead. */

const root = join(import.meta.dirname, "../..");

type Language = "Spanish" | "English";

const FILES: Record<Language, { app: string; extension: string }> = {
  Spanish: { app: "es-MX", extension: "es" },
  English: { app: "en", extension: "en.default" },
};

interface Message {
  /** The file and the key. */
  at: string;
  text: string;
}

function flat(value: object, under: string): Message[] {
  return Object.entries(value as Record<string, string | object>).flatMap(([key, inner]) =>
    typeof inner === "string" ? [{ at: `${under}.${key}`, text: inner }] : flat(inner, `${under}.${key}`),
  );
}

function read(file: string, name: string): Message[] {
  return flat(JSON.parse(readFileSync(file, "utf8")) as object, name);
}

function messagesOf(language: Language): Message[] {
  const { app, extension } = FILES[language];
  const pages = join(root, "app/i18n/locales", app);
  const extensions = join(root, "extensions");
  return [
    ...readdirSync(pages)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => read(join(pages, name), name.replace(".json", ""))),
    ...readdirSync(extensions)
      .map((name) => ({ name, file: join(extensions, name, "locales", `${extension}.json`) }))
      .filter(({ file }) => existsSync(file))
      .flatMap(({ name, file }) => read(file, name)),
  ];
}

/** A message without the names of its placeholders and the words with which ICU chooses. */
function spoken(text: string): string {
  return text
    .replaceAll(/\{\{\w+\}\}/g, " … ")
    .replaceAll(/\{\s*\w+\s*(?:,\s*(?:number|date|time)\s*)?\}/g, " … ")
    .replaceAll(/\{\s*\w+\s*,\s*(?:plural|select|selectordinal)\s*,/g, " ")
    .replaceAll(/(?:=\d+|\b\w+)\s*\{/g, " ")
    .replaceAll(/[{}]/g, " ");
}

interface Rule {
  write: string;
  never: string[];
  rightIn: string[];
}

const document = readFileSync(join(root, "docs/design/words.md"), "utf8");

const coded = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

function rulesOf(language: Language): Rule[] {
  const section = document.split(`\n## ${language}\n`)[1]!.split("\n## ")[0]!;
  return [...section.matchAll(/^\|(.+)\|(.+)\|(.*)\|$/gm)]
    .slice(2)
    .map(([, write, never, rightIn]) => ({ write: write!.trim(), never: coded(never!), rightIn: coded(rightIn!) }));
}

/** `*` stands for further letters; a forbidden word is a whole one. */
function patternOf(word: string): RegExp {
  const letters = word.replaceAll("*", "\\p{L}*").replaceAll(" ", "\\s+");
  return new RegExp(`(?<!\\p{L})${letters}(?!\\p{L})`, "iu");
}

describe.each(["Spanish", "English"] as const)("in %s", (language) => {
  const messages = messagesOf(language);
  const rules = rulesOf(language);

  test("no message has a word that docs/design/words.md forbids", () => {
    expect(messages.length).toBeGreaterThan(900);
    expect(rules.length).toBeGreaterThan(12);
    const said = rules.flatMap(({ write, never, rightIn }) =>
      never.flatMap((word) =>
        messages
          .filter(({ at, text }) => !rightIn.includes(at) && patternOf(word).test(spoken(text)))
          .map(({ at, text }) => `${at} says “${word}”; write: ${write} (${text})`),
      ),
    );
    expect(said).toEqual([]);
  });

  test("every exception names a message that needs it", () => {
    const idle = rules.flatMap(({ never, rightIn }) =>
      rightIn.filter((at) => {
        const text = messages.find((message) => message.at === at)?.text;
        return text === undefined || !never.some((word) => patternOf(word).test(spoken(text)));
      }),
    );
    expect(idle).toEqual([]);
  });

  test("one pair of quotation marks is used throughout", () => {
    const others = language === "Spanish" ? /[“”]/ : /[«»]/;
    expect(messages.filter(({ text }) => others.test(text))).toEqual([]);
  });

  test("no message shows a name of the code or of an interface", () => {
    const raw = messages.filter(({ text }) =>
      /(?<![\p{L}@./])[a-z]+(?:_[a-z0-9]+)+|(?<![\p{L}@./])[a-z]+[A-Z]\w*/u.test(spoken(text)),
    );
    expect(raw).toEqual([]);
  });

  test("no message names the shipping service or its account but by their placeholders, and none has an article before", () => {
    const names =
      language === "Spanish" ? /servicios? de envíos|cuentas? de envíos/iu : /shipping (?:service|account)s?/iu;
    const own = messages.filter(({ at, text }) => names.test(text) && !/\.(?:service|account)(?:\.|$)/.test(at));
    expect(own).toEqual([]);
    const article =
      language === "Spanish"
        ? /(?<!\p{L})(?:el|la|los|tu|su|un|una|del|al)\s+\{+service\}+/iu
        : /(?<!\p{L})(?:the|your|an?)\s+\{+service\}+|(?<!\p{L})an?\s+\{+account\}+/iu;
    expect(messages.filter(({ text }) => article.test(text))).toEqual([]);
  });

  test("a sentence that begins with the service or the account has a capital there", () => {
    const small = messages.filter(
      ({ at, text }) =>
        /^\{+(?:service|account)\}+|[.!?:] \{+(?:service|account)\}+ (?!no se)/.test(text) && !WITHIN.test(at),
    );
    expect(small).toEqual([]);
  });

  test("a refusal of a carrier is called no failure", () => {
    const answers = messages.filter(({ at }) =>
      /(?:carrier|verification)\w*\.(?:\w+\.)?(?:refused|title|text)$|refused_by_carrier/.test(at),
    );
    expect(answers.length).toBeGreaterThan(4);
    expect(answers.filter(({ text }) => /(?<!\p{L})(?:fall[aoóe]|fail)/iu.test(text))).toEqual([]);
  });

  test("every state of an origin has one word, and no two have the same", () => {
    const words = new Map(messages.map(({ at, text }) => [at, text]));
    const states = ORIGIN_STATES.map((state) => words.get(`origins.state.${state}`));
    expect(states).not.toContain(undefined);
    expect(new Set(states).size).toBe(ORIGIN_STATES.length);
  });
});

/** Reasons stand within a sentence. */
const WITHIN = /^origins\.reason\.|\.(?:service|account)(?:\.|$)/;
