import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import ts from "typescript";
import { describe, expect, test } from "vitest";

/** The words of the app: both languages say the same things, the code asks for no word that is missing, and speaks none of its own. */

const app = join(import.meta.dirname, "../..", "app");
const LANGUAGES = ["en", "es-MX"] as const;

type Messages = Map<string, string>;

function flatten(value: unknown, path: string, into: Messages): Messages {
  if (typeof value === "string") return into.set(path, value);
  for (const [key, inner] of Object.entries(value as object))
    flatten(inner, path === "" ? key : `${path}.${key}`, into);
  return into;
}

function readLanguage(language: string): Map<string, Messages> {
  const folder = join(app, "i18n/locales", language);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((name) => [
      name.replace(".json", ""),
      flatten(JSON.parse(readFileSync(join(folder, name), "utf8")), "", new Map()),
    ]),
  );
}

const words = { en: readLanguage("en"), "es-MX": readLanguage("es-MX") };
const namespaces = [...words.en.keys()];

/**
 * Names of the arguments of an ICU message, plurals' and selects' insides included, but for the shipping service and the account: every
 * message is given these, and one language may do without.
 */
function argumentsOf(message: string, language: string): string[] {
  const names = new Set<string>();
  const visit = (elements: ReturnType<IntlMessageFormat["getAst"]>): void => {
    for (const element of elements) {
      if (element.type !== 0 && "value" in element) names.add(element.value);
      if ("options" in element) for (const option of Object.values(element.options)) visit(option.value);
    }
  };
  visit(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst());
  return [...names].filter((name) => !/^(service|account)$/i.test(name)).sort();
}

describe("the two languages", () => {
  test("have the same files and keys", () => {
    expect([...words["es-MX"].keys()].sort()).toEqual([...namespaces].sort());
    for (const namespace of namespaces) {
      const [english, spanish] = LANGUAGES.map((language) => [...words[language].get(namespace)!.keys()].sort());
      expect(spanish, namespace).toEqual(english);
    }
  });

  test("are valid ICU, say something, and take the same arguments", () => {
    for (const namespace of namespaces) {
      for (const [key, english] of words.en.get(namespace)!) {
        const spanish = words["es-MX"].get(namespace)!.get(key)!;
        expect(english.trim(), `${namespace}:${key}`).not.toBe("");
        expect(spanish.trim(), `${namespace}:${key}`).not.toBe("");
        expect(argumentsOf(spanish, "es-MX"), `${namespace}:${key}`).toEqual(argumentsOf(english, "en"));
      }
    }
  });
});

function sources(folder: string): ts.SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) =>
      ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX),
    );
}

const files = [...sources(join(app, "components")), ...sources(join(app, "routes"))];

function walk(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => walk(child, see));
}

const place = (node: ts.Node) => {
  const file = node.getSourceFile();
  return `${relative(app, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What a key may be, as far as it stands in the source: a template's holes match anything. */
function patternsOf(node: ts.Expression): RegExp[] {
  if (ts.isStringLiteralLike(node)) return [new RegExp(`^${quoted(node.text)}$`)];
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans
      .reduce(
        (heads, { expression, literal }) =>
          heads.flatMap((head) => holeOf(expression).map((hole) => `${head}${hole ?? ".+"}${quoted(literal.text)}`)),
        [quoted(node.head.text)],
      )
      .map((pattern) => new RegExp(`^${pattern}$`));
  }
  if (ts.isConditionalExpression(node)) return [...patternsOf(node.whenTrue), ...patternsOf(node.whenFalse)];
  return [];
}

/** What a template's hole may hold: each of a choice between two words, else null for anything. */
function holeOf(node: ts.Expression): (string | null)[] {
  if (!ts.isConditionalExpression(node)) return [ts.isStringLiteralLike(node) ? quoted(node.text) : null];
  return [...holeOf(node.whenTrue), ...holeOf(node.whenFalse)];
}

/** The namespaces a file's bare keys are looked up in. */
function homesOf(file: ts.SourceFile): string[] {
  const named = [...file.text.matchAll(/(?:useTranslation\(|TFunction<|getFixedT\(null,\s*)\s*(\[[^\]]*\]|"[^"]+")/g)];
  const found = named.flatMap((match) => [...match[1]!.matchAll(/"([^"]+)"/g)].map((name) => name[1]!));
  return found.length > 0 ? [...new Set(found)] : namespaces;
}

function isKnown(pattern: RegExp, homes: string[]): boolean {
  return namespaces.some((namespace) =>
    [...words.en.get(namespace)!.keys()].some(
      (key) => pattern.test(`${namespace}:${key}`) || (homes.includes(namespace) && pattern.test(key)),
    ),
  );
}

test("the code asks for no word that is missing", () => {
  const missing: string[] = [];
  for (const file of files) {
    const homes = homesOf(file);
    walk(file, (node) => {
      if (!ts.isCallExpression(node) || !/^(?:t|words\??)$/.test(node.expression.getText())) return;
      const [first] = node.arguments;
      if (!first) return;
      // A list of keys is asked in turn: one of them must be known.
      const choices = ts.isArrayLiteralExpression(first) ? first.elements.flatMap(patternsOf) : patternsOf(first);
      if (ts.isArrayLiteralExpression(first) && choices.some((pattern) => isKnown(pattern, homes))) return;
      for (const pattern of choices) if (!isKnown(pattern, homes)) missing.push(`${place(node)} ${first.getText()}`);
    });
  }
  expect(missing).toEqual([]);
});

const SPOKEN_ATTRIBUTES =
  /^(?:title|label|content|helpText|placeholder|alt|accessibilityLabel|error|subtitle|aria-label)$/;
const LETTERS = /\p{L}{2}/u;

/** Each language in its own words, and the app's name. */
const NO_TRANSLATION = ["Español (México)", "English", "Origen"];

test("the code speaks no words of its own", () => {
  const spoken: string[] = [];
  const check = (node: ts.Node, text: string) => {
    if (LETTERS.test(text) && !NO_TRANSLATION.includes(text.trim())) spoken.push(`${place(node)} ${text.trim()}`);
  };
  for (const file of files) {
    walk(file, (node) => {
      if (ts.isJsxText(node)) check(node, node.text);
      const named = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node : null;
      if (!named || !SPOKEN_ATTRIBUTES.test(named.name.getText().replace(/["']/g, ""))) return;
      const value = ts.isJsxAttribute(named) ? named.initializer : named.initializer;
      if (value && ts.isStringLiteral(value)) check(value, value.text);
    });
  }
  expect(spoken).toEqual([]);
});
