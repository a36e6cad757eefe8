import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, validate } from "graphql";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { API_VERSION } from "../../../app/adapters/shopify/app.ts";
import * as queries from "../../../app/adapters/shopify/queries.ts";
import { MAX_COST, requestedCost } from "../../sandbox/admin/graphql/cost.ts";
import { adminSchema, SCHEMA_VERSION } from "../../sandbox/admin/graphql/schema.ts";

const schema = adminSchema();
const documents = Object.entries(queries).flatMap(([name, value]) =>
  typeof value === "string" ? [[name, value] as const] : [],
);

describe("every document the server sends", () => {
  test.each(documents)("%s is valid in Shopify's own schema", (_name, text) => {
    expect(validate(schema, parse(text))).toEqual([]);
  });

  test.each(documents)("%s costs less than half of what a query may", (_name, text) => {
    const variables = { first: queries.LOCATIONS_PAGE_SIZE, after: null, id: "gid://shopify/Location/1" };
    expect(requestedCost({ schema, document: parse(text), variables })).toBeLessThan(MAX_COST / 2);
  });

  test("there are some", () => expect(documents.length).toBeGreaterThanOrEqual(4));
});

test("code, toml and schema name one API version", () => {
  const toml = parseToml(readFileSync(join(import.meta.dirname, "../../../shopify.app.toml"), "utf8")) as {
    webhooks: { api_version: string };
  };
  expect([API_VERSION, SCHEMA_VERSION]).toEqual([toml.webhooks.api_version, toml.webhooks.api_version]);
});
