import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PROJECT } from "../app-process.ts";
import { parseDemoOptions, USAGE } from "../demo-options.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-options-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function locationsFile(content: unknown): string {
  const file = join(folder, "locations.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

describe("the demo's options", () => {
  test("default to one port, two stores and a folder inside the project", () => {
    const options = parseDemoOptions([]);
    expect(options).toMatchObject({ once: false, port: 4400, shops: 2, locations: undefined, shippingUrl: undefined });
    expect(options.dataDir.endsWith(join(".data", "demo"))).toBe(true);
  });

  test("a file of locations is taken as it is, ids as Shopify's numbers", () => {
    const address = {
      address1: "Calle 60 #455",
      city: "Mérida",
      provinceCode: "YUC",
      province: "Yucatán",
      countryCode: "MX",
      zip: "97000",
    };
    const file = locationsFile([{ id: "gid://shopify/Location/17", name: "Centro", isActive: false, address }]);
    expect(parseDemoOptions(["--locations", file]).locations).toEqual([
      {
        id: 17,
        name: "Centro",
        isActive: false,
        isFulfillmentService: false,
        fulfillsOnlineOrders: true,
        address: { ...address, address2: null, phone: null },
      },
    ]);
  });

  const refused: [string, () => string[], RegExp][] = [
    ["an unknown option", () => ["--loud"], /--loud/],
    ["a port that is none", () => ["--port", "http"], /--port must be a whole number/],
    ["no store", () => ["--shops", "0"], /--shops must be a whole number/],
    ["an address that is none", () => ["--shipping-url", "service"], /--shipping-url must be an address/],
    ["a file that is not there", () => ["--locations", join(folder, "none.json")], /none\.json/],
    ["a file that is no JSON", () => ["--locations", locationsFile("{")], /locations\.json/],
    ["a location with a foreign id", () => ["--locations", locationsFile([{ id: 1, name: "x" }])], /0\.id/],
  ];
  test.each(refused)("%s is refused by name", (_case, args, message) => {
    expect(() => parseDemoOptions(args())).toThrow(message);
  });
});

/** Vitest loads what plain Node refuses, JSON without an attribute for instance. The command runs under plain Node. */
test("the command loads under plain Node, and says how to use it", () => {
  const said = execFileSync(process.execPath, ["test/sandbox/demo.ts", "--help"], { cwd: PROJECT, encoding: "utf8" });
  expect(said).toBe(`${USAGE}\n`);
});
