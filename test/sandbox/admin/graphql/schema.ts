import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { buildSchema } from "graphql";
import type { GraphQLEnumType, GraphQLSchema } from "graphql";

/** The one version the stored schema is of; the API refuses every other. */
export const SCHEMA_VERSION = "2026-10";

let built: GraphQLSchema | undefined;

/** Shopify's true Admin schema, built once a process (0.4 s). */
export function adminSchema(): GraphQLSchema {
  const file = new URL("../shopify-admin-2026-10.graphql.gz", import.meta.url);
  built ??= buildSchema(gunzipSync(readFileSync(file)).toString("utf8"), { assumeValid: true });
  return built;
}

/** Whether a topic as the toml writes it ("locations/create") is in the schema's enum. */
export function isWebhookTopic(topic: string): boolean {
  const topics = adminSchema().getType("WebhookSubscriptionTopic") as GraphQLEnumType;
  return topics.getValue(topic.toUpperCase().replace("/", "_")) !== undefined;
}
