import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../app/config.server.ts";
import { DEFAULT_POLICIES } from "../app/domain/records.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The cells of every row of a document's tables. */
const rowsOf = (file: string) =>
  [...read(file).matchAll(/^\|(.+)\|$/gm)].map((row) => row[1]!.split("|").map((cell) => cell.trim()));

const cells = (file: string, column: number) => rowsOf(file).map((row) => row[column]!);

/** What a cell names in code's letters. */
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

const names = [...read("app/config.server.ts").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]!);

test("every setting is explained in .env.example and in docs/settings.md, and nothing else is", () => {
  expect(names.length).toBeGreaterThan(10);
  const explained = [...read(".env.example").matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map((match) => match[1]!);
  expect(explained.sort()).toEqual([...names].sort());
  const inTable = cells("docs/settings.md", 0)
    .flatMap(namesIn)
    .filter((name) => /^[A-Z_]+$/.test(name));
  expect(inTable.sort()).toEqual([...names].sort());
});

test("docs/settings.md explains what a shop sets itself", () => {
  const inTable = cells("docs/settings.md", 0).flatMap(namesIn);
  expect(Object.keys(DEFAULT_POLICIES).filter((name) => !inTable.includes(name))).toEqual([]);
});

function packages(): Record<string, string> {
  const { overrides, ...manifest } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  return { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies, ...overrides };
}

test("docs/dependencies.md says once why each dependency is there, and of no other", () => {
  const reasons = rowsOf("docs/dependencies.md").filter((row) => row.length === 2);
  expect(reasons.flatMap(([named]) => namesIn(named!)).sort()).toEqual(Object.keys(packages()).sort());
});

test("docs/dependencies.md names the versions that are installed", () => {
  const all = packages();
  const held = rowsOf("docs/dependencies.md").filter(([, version]) => /^\d+\.\d+\.\d+$/.test(version!));
  expect(held.length).toBeGreaterThan(5);
  expect(held.map(([name, version]) => [namesIn(name!)[0], version])).toEqual(
    held.map(([name]) => [namesIn(name!)[0], all[namesIn(name!)[0]!]]),
  );
});

const complete = {
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "planted-secret",
  SHOPIFY_APP_URL: "https://origen.example.com",
  DATABASE_URL: "file:./x.db",
  APP_KEYS: "k1:abc",
  SHIPPING_TEST_URL: "https://test.example.com",
  SHIPPING_PRODUCTION_URL: "https://production.example.com",
};

test("under shopify app dev, HOST is the app's address and not where to listen", () => {
  const config = readConfig({ ...complete, HOST: "https://tunnel.example.com" });
  expect(config.SHOPIFY_APP_URL).toBe("https://tunnel.example.com");
  expect(config.HOST).toBeUndefined();
  expect(readConfig({ ...complete, HOST: "127.0.0.1" }).HOST).toBe("127.0.0.1");
});

test("a missing or malformed setting is named, and its value is not", () => {
  expect(readConfig(complete).SCOPES).toEqual(["read_locations"]);
  for (const name of Object.keys(complete))
    expect(() => readConfig({ ...complete, [name]: "" })).toThrow(`${name}: is missing`);
  const plain = { ...complete, SHIPPING_TEST_URL: "http://planted.example.com" };
  expect(() => readConfig(plain)).toThrow(/SHIPPING_TEST_URL: must be https/);
  expect(() => readConfig(plain)).not.toThrow(/planted/);
  expect(readConfig({ ...complete, SHIPPING_TEST_URL: "http://127.0.0.1:4403/test" }).PORT).toBe(3000);
});
