import { describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../../../app/domain/address/address.ts";
import { readPage, readTemplate } from "../../../../app/adapters/shipping/wire/template.ts";
import { readIntrospection, readToken } from "../../../../app/adapters/shipping/wire/token.ts";

const address = {
  ...NO_ADDRESS,
  name: "Ana",
  street1: "Calle",
  postal_code: "06600",
  area_level1: "Ciudad de México",
  area_level2: "Cuauhtémoc",
  country_code: "MX",
  phone: "5555536266",
  email: "a@b.mx",
  tax_id_number: null,
  tax_id_type: null,
};
const template = {
  id: "t-1",
  alias_name: "Centro",
  address_type: "from",
  default: null,
  address,
  verified_carriers: [],
};
const meta = { total_count: 1, per_page: 20, current_page: 1, total_pages: 1, next_page: null, prev_page: null };
const body = (data: unknown, more: object = {}) => JSON.stringify({ data, ...more });

describe("a template (2.1, 2.2)", () => {
  test("is read whole", () => {
    expect(readTemplate(body(template))).toEqual(template);
  });

  test("what is nullable may be missing, and unknown fields are kept out of the way", () => {
    const sparse = {
      id: "t-1",
      alias_name: "Centro",
      address_type: "to",
      address: { name: "Ana" },
      made_up: 1,
      verified_carriers: null,
    };
    const blank = Object.fromEntries(Object.keys(address).map((field) => [field, null]));
    expect(readTemplate(body({ ...sparse, address: { name: "Ana", planet: "Earth" } }, { made_up: [] }))).toEqual({
      id: "t-1",
      alias_name: "Centro",
      address_type: "to",
      default: null,
      address: { ...blank, name: "Ana" },
      verified_carriers: [],
    });
  });

  test("text comes through as it is: spaces, case, joiners, emptiness", () => {
    const odd = { ...address, street1: "  Calle \u2060 5 ", company: "", reference: "Ñandú\n🚪" };
    expect(readTemplate(body({ ...template, address: odd }))?.address).toEqual(odd);
  });

  test.each([
    ["no JSON", "<html></html>"],
    ["nothing", ""],
    ["no data", "{}"],
    ["a list", body([template])],
    ["no id", body({ ...template, id: null })],
    ["an empty id", body({ ...template, id: "" })],
    ["no address", body({ ...template, address: null })],
    ["an address that is text", body({ ...template, address: "Calle 5" })],
  ])("%s is unreadable", (_name, text) => {
    expect(readTemplate(text)).toBeNull();
  });
});

describe("verified carriers (2.3, 9.2)", () => {
  const carriers = (entries: unknown) =>
    readTemplate(body({ ...template, verified_carriers: entries }))?.verified_carriers;

  test("update_state may be present, null or absent", () => {
    const entry = { carrier_name: "fedex", status: "process", verification_id: null };
    expect(carriers([{ ...entry, update_state: "done" }, { ...entry, update_state: null }, entry])).toEqual([
      { ...entry, update_state: "done" },
      { ...entry, update_state: null },
      { ...entry, update_state: null },
    ]);
  });

  test("an entry without a carrier or a status tells nothing and is passed over", () => {
    const good = { carrier_name: "dhl", status: "", update_state: null, verification_id: "7" };
    expect(
      carriers([null, "fedex", {}, { carrier_name: "fedex" }, { status: "ok" }, { ...good, verification_id: 7 }]),
    ).toEqual([good]);
  });
});

describe("what carriers said, without end", () => {
  const entry = { carrier_name: "dhl", status: "ok", update_state: null, verification_id: "7" };
  const read = (entries: unknown[]) =>
    readTemplate(body({ ...template, verified_carriers: entries }))?.verified_carriers.length;

  test("is kept as far as a shop can ask, ten times over", () => {
    expect(read(Array.from({ length: 299 }, () => entry))).toBe(299);
    expect(read(Array.from({ length: 5_000 }, () => entry))).toBe(300);
  });

  test("is no entry where a word of it is longer than any", () => {
    for (const field of Object.keys(entry)) {
      expect(read([{ ...entry, [field]: "x".repeat(255) }])).toBe(1);
      expect(read([{ ...entry, [field]: "x".repeat(256) }])).toBe(0);
    }
  });
});

describe("an id", () => {
  test.each([
    ["text", '"a-1"', "a-1"],
    ["a number", "42", "42"],
    ["a number that JavaScript cannot hold", "9007199254740993123", "9007199254740993123"],
    ["text that is such a number", '"9007199254740993123"', "9007199254740993123"],
  ])("that is %s is kept digit by digit", (_name, written, id) => {
    const text = `{"data":{"id":${written},"address":{},"verified_carriers":[{"carrier_name":"dhl","status":1,"verification_id":${written}}]}}`;
    expect(readTemplate(text)).toMatchObject({ id, verified_carriers: [{ status: "1", verification_id: id }] });
  });

  test("does not take other long numbers with it", () => {
    expect(readTemplate('{"data":{"id":"t","address":{"reference":1.23456789012345678e3}}}')?.address.reference).toBe(
      "1234.567890123457",
    );
  });
});

describe("what is true or false", () => {
  test.each([
    [true, true],
    [false, false],
    ["true", true],
    ["False", false],
    [1, true],
    [0, false],
    ["1", true],
    ["0", false],
    [null, null],
    ["perhaps", null],
    [2, null],
    [{}, null],
  ])("%j is %j", (written, meant) => {
    expect(readTemplate(body({ ...template, default: written }))?.default).toBe(meant);
    expect(readIntrospection(JSON.stringify({ active: written }))?.active ?? null).toBe(meant);
  });
});

describe("a page (2.4)", () => {
  test("is read with its counts", () => {
    const text = body([template], { meta: { ...meta, total_count: 41, total_pages: 3, current_page: 2 } });
    expect(readPage(text)).toEqual({ templates: [template], unreadable: [], page: 2, totalPages: 3, totalCount: 41 });
  });

  const { address: _, ...bare } = template;
  test.each([
    ["null", null, { id: null, name: null, what: "no_object" }],
    ["text", "t-9", { id: null, name: null, what: "no_object" }],
    ["a list", [template], { id: null, name: null, what: "no_object" }],
    ["a row without an id", { ...template, id: null }, { id: null, name: "Centro", what: "no_id" }],
    ["an id that is no text", { ...template, id: { uuid: "x" } }, { id: null, name: "Centro", what: "no_id" }],
    ["a row without an address", { ...bare, id: "t-9" }, { id: "t-9", name: "Centro", what: "no_address" }],
    ["an address that is text", { ...bare, address: "Calle 5" }, { id: "t-1", name: "Centro", what: "no_address" }],
    ["an id and nothing else", { id: 7 }, { id: "7", name: null, what: "no_address" }],
  ])("%s is named, and the rows beside it stand", (_name, row, fault) => {
    const other = { ...template, id: "t-2" };
    const text = body([template, row, other], { meta: { ...meta, total_count: 3 } });
    expect(readPage(text)).toMatchObject({ templates: [template, other], unreadable: [fault], totalCount: 3 });
  });

  test("a name that fills a page is kept short", () => {
    const text = body([{ id: "t-9", alias_name: "x".repeat(5_000) }], { meta });
    expect(readPage(text)?.unreadable[0]?.name).toHaveLength(200);
  });

  test("is read with counts that are text", () => {
    const counts = { total_count: "41", total_pages: " 3", current_page: "2" };
    expect(readPage(body([template], { meta: counts }))).toMatchObject({ page: 2, totalPages: 3, totalCount: 41 });
  });

  test.each([
    ["no meta", body([template])],
    ["counts that are no number", body([template], { meta: { ...meta, total_count: "one" } })],
    ["counts that are not whole", body([template], { meta: { ...meta, total_count: "1.5" } })],
    ["counts that are true", body([template], { meta: { ...meta, total_count: true } })],
    ["counts below zero", body([template], { meta: { ...meta, total_pages: -1 } })],
    ["no list", body({}, { meta })],
  ])("%s is unreadable as a whole: what it leaves out could be the template looked for", (_name, text) => {
    expect(readPage(text)).toBeNull();
  });
});

describe("a token (2.5)", () => {
  const reply = { access_token: "abc", token_type: "Bearer", expires_in: 7200, scope: "read write", created_at: 1.5 };

  test("expires by our clock at the request's start, whatever created_at says", () => {
    expect(readToken(JSON.stringify({ ...reply, created_at: 99e9 }), 1_000)).toEqual({
      accessToken: "abc",
      refreshToken: null,
      scope: "read write",
      obtainedAtMs: 1_000,
      expiresAtMs: 7_201_000,
    });
  });

  test("a refresh token is kept when there is one", () => {
    expect(readToken(JSON.stringify({ ...reply, refresh_token: "r" }), 0)?.refreshToken).toBe("r");
    expect(readToken(JSON.stringify({ ...reply, refresh_token: "" }), 0)?.refreshToken).toBeNull();
  });

  test.each([
    ["no token", { access_token: null }],
    ["a token that no header can carry", { access_token: "a b\n" }],
    ["no lifetime", { expires_in: undefined }],
    ["a lifetime that is over", { expires_in: 0 }],
    ["a lifetime that is no number", { expires_in: "two hours" }],
    ["a lifetime below zero, as text", { expires_in: "-7200" }],
  ])("%s is unreadable", (_name, change) => {
    expect(readToken(JSON.stringify({ ...reply, ...change }), 0)).toBeNull();
  });

  test.each(["7200", " 7200 ", "7200.0", 7200.9])("a lifetime of %j is one of seconds", (expiresIn) => {
    const life = readToken(JSON.stringify({ ...reply, expires_in: expiresIn }), 0)!.expiresAtMs;
    expect(Math.floor(life / 1_000)).toBe(7_200);
  });

  test("an absurd lifetime is cut to thirty days", () => {
    expect(readToken(JSON.stringify({ ...reply, expires_in: 1e12 }), 0)?.expiresAtMs).toBe(30 * 24 * 3_600_000);
  });
});

describe("an introspection (4.9)", () => {
  test("needs only active", () => {
    expect(readIntrospection('{"active":false}')).toEqual({ active: false, scope: null, expiresAtMs: null });
    expect(readIntrospection('{"active":true,"scope":"read","exp":12.5}')).toEqual({
      active: true,
      scope: "read",
      expiresAtMs: 12_500,
    });
  });
  test("is unreadable without it", () => {
    expect(readIntrospection('{"active":"yes"}')).toBeNull();
    expect(readIntrospection("[]")).toBeNull();
  });
});
