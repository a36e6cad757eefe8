import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import type { LocationInput } from "./admin/locations.ts";
import { PROJECT } from "./app-process.ts";

export const USAGE = `npm run demo -- [options]

  --once              play the job, then stop
  --port N            the admin's port (default 4400); the app, its proxy and the service take the next ones
  --data DIR          where the database and the log go (default .data/demo); an earlier demo's are removed
  --shops N           how many stores (default 2)
  --locations FILE    the first store's locations, a JSON array
  --postgres          three processes of the app on a PostgreSQL server that is started for them, one database
  --shipping-url URL  use this service for both environments: no stand-in, no play`;

export interface DemoOptions {
  once: boolean;
  port: number;
  dataDir: string;
  shops: number;
  locations: (LocationInput & { id: number })[] | undefined;
  postgres: boolean;
  shippingUrl: string | undefined;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const location = z.object({
  id: z.string().regex(/^gid:\/\/shopify\/Location\/\d+$/, "must be like gid://shopify/Location/1"),
  name: z.string().min(1),
  isActive: z.boolean().default(true),
  isFulfillmentService: z.boolean().default(false),
  fulfillsOnlineOrders: z.boolean().default(true),
  address: z.object({
    address1: text,
    address2: text,
    city: text,
    provinceCode: text,
    province: text,
    countryCode: z.string().length(2),
    zip: text,
    phone: text,
  }),
});

/** @throws with a line that says what is wrong with the command's options. */
export function parseDemoOptions(args: string[]): DemoOptions {
  const { values } = parseArgs({
    args,
    options: {
      once: { type: "boolean", default: false },
      port: { type: "string", default: "4400" },
      data: { type: "string", default: join(PROJECT, ".data", "demo") },
      shops: { type: "string", default: "2" },
      locations: { type: "string" },
      postgres: { type: "boolean", default: false },
      "shipping-url": { type: "string" },
    },
  });
  const shippingUrl = values["shipping-url"];
  if (shippingUrl !== undefined && !URL.canParse(shippingUrl)) throw new Error("--shipping-url must be an address");
  return {
    once: values.once,
    postgres: values.postgres,
    port: wholeNumber("--port", values.port, 0, 65_531),
    dataDir: resolve(values.data),
    shops: wholeNumber("--shops", values.shops, 1, 1_000),
    locations: values.locations === undefined ? undefined : readLocations(values.locations),
    shippingUrl: shippingUrl?.replace(/\/+$/, ""),
  };
}

function readLocations(file: string): DemoOptions["locations"] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`--locations ${file}: ${(error as Error).message}`);
  }
  const checked = z.array(location).safeParse(parsed);
  if (checked.success) return checked.data.map((one) => ({ ...one, id: Number(one.id.split("/").at(-1)) }));
  const [issue] = checked.error.issues;
  throw new Error(`--locations ${file}: ${issue?.path.join(".")}: ${issue?.message}`);
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Error(`${name} must be a whole number from ${least} to ${most}`);
}
