import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** README and everything below docs/, from the root. */
const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

test("every link from a document to a file leads to one", () => {
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => relative(root, join(root, dirname(document), match[1]!)))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(documents.length).toBeGreaterThan(5);
  expect(dead).toEqual([]);
});

test("the list of decisions is the folder of decisions, numbered without a gap", () => {
  const files = readdirSync(join(root, "docs/decisions")).filter((file) => file !== "README.md");
  const listed = [...read("docs/decisions/README.md").matchAll(/^\| \d{4} \| \[.*\]\((.+)\)/gm)].map((row) => row[1]!);
  expect(listed).toEqual(files.sort());
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
});
