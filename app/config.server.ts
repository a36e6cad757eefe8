import * as z from "zod";

/** The environment, parsed once. Whatever is missing or malformed stops the process here, named, before anything else happens. */

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

const isLoopback = (text: string) => LOOPBACK.has(new URL(text).hostname);

const serviceUrl = z.url({ abort: true }).refine(
  (text) => {
    const { protocol } = new URL(text);
    return protocol === "https:" || (protocol === "http:" && isLoopback(text));
  },
  { error: "must be https (plain http only for a loopback host)" },
);

const pageUrl = z.url({ protocol: /^https$/, error: "must be an https address" });

/** It stands within sentences, so it is one line without what a message's placeholders are written with. */
const serviceName = z
  .string()
  .trim()
  .regex(/^[^\p{C}{}<>]{1,40}$/u, { error: "must be one line of at most 40 characters, without { } < >" });

const milliseconds = (fallback: number) => z.coerce.number().int().min(0).default(fallback);

const positive = (fallback: number) => z.coerce.number().int().min(1).default(fallback);

const yesOrNo = z
  .enum(["yes", "no"])
  .default("no")
  .transform((word) => word === "yes");

const words = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.enum(["pending", "accepted", "refused"])));

const tracesProtocol = z.literal("http/json", { error: "must be http/json, which is how traces are sent" });

/** What an absence and a create rest on. A true service may need as long; a stand-in on this machine does not. */
const ABSENCE_BELIEVED_AFTER_MS = 60_000;
const LISTINGS_APART_MS = 30_000;

const variables = z.object({
  SHOPIFY_API_KEY: z.string().min(1),
  SHOPIFY_API_SECRET: z.string().min(1),
  SHOPIFY_APP_URL: z.url(),
  SCOPES: z
    .string()
    .default("read_locations")
    .transform((text) =>
      text
        .split(",")
        .map((scope) => scope.trim())
        .filter(Boolean),
    ),
  DATABASE_URL: z.string().regex(/^(file:|postgres(ql)?:\/\/)/, { error: "must be a file: or a postgresql: address" }),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: "must be a postgresql: address" })
    .optional(),
  ERASURE_LOG: z.string().min(1).optional(),
  APP_KEYS: z.string().min(1),
  SHIPPING_TEST_URL: serviceUrl,
  SHIPPING_PRODUCTION_URL: serviceUrl,
  SHIPPING_SERVICE_NAME: serviceName.optional(),
  SHIPPING_SERVICE_CONNECTIONS_URL: pageUrl.optional(),
  SHIPPING_SERVICE_HELP_URL: pageUrl.optional(),
  SUPPORT_EMAIL: z.email({ error: "must be an e-mail address" }).optional(),
  PRIVACY_URL: pageUrl.optional(),
  TERMS_URL: pageUrl.optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  HSTS_SUBDOMAINS: yesOrNo,
  HOST: z.string().min(1).optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  OTEL_SDK_DISABLED: z.enum(["true", "false"]).default("false"),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: tracesProtocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: tracesProtocol.optional(),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  // OpenTelemetry's packages read these two themselves.
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_RESOURCE_ATTRIBUTES: z.string().min(1).optional(),
  OTEL_BSP_SCHEDULE_DELAY: positive(5_000),
  OTEL_BSP_EXPORT_TIMEOUT: positive(30_000),
  OTEL_BSP_MAX_QUEUE_SIZE: positive(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: positive(512),
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  APP_BRIDGE_URL: z.url().default("https://cdn.shopify.com/shopifycloud/app-bridge.js"),
  FORMS_A_SECOND: z.coerce.number().positive().max(10_000).default(5),
  PAGES_A_SECOND: z.coerce.number().positive().max(10_000).default(20),
  STORED_MB_A_DAY: z.coerce.number().positive().max(1_000_000).default(100),
  BUDGET_GRACE_MS: milliseconds(2_000),
  QUARANTINE_LONGEST_MS: milliseconds(60_000),
  QUARANTINE_MARGIN_MS: milliseconds(30_000),
  ABSENCE_BELIEVED_AFTER_MS: milliseconds(ABSENCE_BELIEVED_AFTER_MS),
  LISTINGS_APART_MS: milliseconds(LISTINGS_APART_MS),
  VERIFICATION_STATUS_TABLE: words.optional(),
});

const shape = variables.superRefine((config, context) => {
  if (isLoopback(config.SHIPPING_TEST_URL) && isLoopback(config.SHIPPING_PRODUCTION_URL)) return;
  const atLeast = (name: "ABSENCE_BELIEVED_AFTER_MS" | "LISTINGS_APART_MS", leastMs: number) => {
    if (config[name] >= leastMs) return;
    const message = `must be at least ${leastMs} (less only against a service on this machine)`;
    context.addIssue({ code: "custom", path: [name], message });
  };
  atLeast("ABSENCE_BELIEVED_AFTER_MS", ABSENCE_BELIEVED_AFTER_MS);
  atLeast("LISTINGS_APART_MS", LISTINGS_APART_MS);
});

/** For commands that need no more of the environment. @throws when it will not do. */
export function readBudgetGraceMs({ BUDGET_GRACE_MS: text }: Record<string, string | undefined>): number {
  const parsed = variables.shape.BUDGET_GRACE_MS.safeParse(text === "" ? undefined : text);
  if (parsed.success) return parsed.data;
  throw new Error(`BUDGET_GRACE_MS: ${parsed.error.issues[0]!.message}`);
}

/** The same for the service's two hosts. @throws with one line a fault, values never quoted. */
export function readServiceUrls(environment: Record<string, string | undefined>): { test: string; production: string } {
  const read = (name: "SHIPPING_TEST_URL" | "SHIPPING_PRODUCTION_URL") => {
    const parsed = variables.shape[name].safeParse(environment[name]);
    if (parsed.success) return parsed.data;
    throw new Error(`${name}: ${environment[name] ? parsed.error.issues[0]!.message : "is missing"}`);
  };
  return { test: read("SHIPPING_TEST_URL"), production: read("SHIPPING_PRODUCTION_URL") };
}

export type Config = z.infer<typeof shape>;

export type TracesConfig = Pick<Config, Extract<keyof Config, `OTEL_TRACES_SAMPLER${string}` | `OTEL_BSP_${string}`>>;

/** Whether the environment says where traces go, by OpenTelemetry's own variables. */
export function sendsTraces(config: Config): boolean {
  const to = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return to !== undefined && config.OTEL_SDK_DISABLED === "false" && config.OTEL_TRACES_EXPORTER === "otlp";
}

/** @throws with one line a fault, values never quoted, when the environment will not do. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = shape.safeParse(present.HOST?.includes("://") ? underShopifyCli(present) : present);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path: [name], message }) => {
    return `  ${String(name)}: ${String(name) in present ? message : "is missing"}`;
  });
  throw new Error(`The environment is not complete (see .env.example):\n${faults.join("\n")}`);
}

/** `shopify app dev` says the app's address, its tunnel's, in HOST; it is not where to listen, and it wins over a written one. */
function underShopifyCli({ HOST, ...others }: Record<string, string | undefined>): Record<string, string | undefined> {
  return { ...others, SHOPIFY_APP_URL: HOST };
}
