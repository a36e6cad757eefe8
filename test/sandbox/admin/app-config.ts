import { parse } from "smol-toml";
import * as z from "zod";

/** What Shopify knows of the app: shopify.app.toml, parsed as strictly as a deploy would. */
export interface AppConfig {
  name: string;
  handle: string;
  applicationUrl: string;
  apiVersion: string;
  scopes: string[];
  optionalScopes: string[];
  /** Topic, as the toml writes it ("locations/create"), to the uri it is delivered to. */
  subscriptions: Map<string, string>;
}

const subscription = z.strictObject({
  topics: z.array(z.string()).optional(),
  compliance_topics: z.array(z.enum(["customers/data_request", "customers/redact", "shop/redact"])).optional(),
  uri: z.string().min(1),
});

const shape = z.looseObject({
  name: z.string().min(1),
  handle: z.string().min(1),
  application_url: z.url(),
  embedded: z.literal(true),
  access_scopes: z.strictObject({ scopes: z.string(), optional_scopes: z.array(z.string()).default([]) }),
  webhooks: z.strictObject({ api_version: z.string(), subscriptions: z.array(subscription).default([]) }),
});

/** @throws when the text is no TOML, lacks a part, or subscribes to a topic Shopify has not. */
export function parseAppConfig(tomlText: string, isKnownTopic: (topic: string) => boolean): AppConfig {
  const toml = shape.parse(parse(tomlText));
  const subscriptions = new Map<string, string>();
  for (const { topics = [], compliance_topics = [], uri } of toml.webhooks.subscriptions) {
    for (const topic of topics) {
      if (!isKnownTopic(topic))
        throw new Error(`shopify.app.toml subscribes to "${topic}", which Shopify does not have`);
      subscriptions.set(topic, uri);
    }
    for (const topic of compliance_topics) subscriptions.set(topic, uri);
  }
  return {
    name: toml.name,
    handle: toml.handle,
    applicationUrl: toml.application_url,
    apiVersion: toml.webhooks.api_version,
    scopes: splitScopes(toml.access_scopes.scopes),
    optionalScopes: toml.access_scopes.optional_scopes,
    subscriptions,
  };
}

function splitScopes(text: string): string[] {
  return text
    .split(",")
    .map((scope) => scope.trim())
    .filter(Boolean);
}
