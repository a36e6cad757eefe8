import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../app/config.server.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

const names = [...read("app/config.server.ts").matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1]!);

test("every setting is explained in .env.example and in README, and nothing else is", () => {
  expect(names.length).toBeGreaterThan(10);
  const explained = [...read(".env.example").matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map((match) => match[1]!);
  expect(explained.sort()).toEqual([...names].sort());
  const readme = read("README.md");
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

test("README says why each dependency is there", () => {
  const manifest = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  const readme = read("README.md");
  const all = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) =>
    Object.keys(manifest[kind]!),
  );
  expect(all.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

const complete = {
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "canary-secret",
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
  const plain = { ...complete, SHIPPING_TEST_URL: "http://canary.example.com" };
  expect(() => readConfig(plain)).toThrow(/SHIPPING_TEST_URL: must be https/);
  expect(() => readConfig(plain)).not.toThrow(/canary/);
  expect(readConfig({ ...complete, SHIPPING_TEST_URL: "http://127.0.0.1:4403/test" }).PORT).toBe(3000);
});
