import { expect, test } from "vitest";
import * as z from "zod";
import { carrierNames, readIntent, shownRevision, someCarrierNames } from "../../app/http/request-input.ts";

test("carriers come out as the service spells them, each once, whoever sent them", () => {
  expect(carrierNames.parse([" FedEx", "fedex", "Paquet Express", "  "])).toEqual(["fedex", "paquetexpress"]);
  expect(carrierNames.parse([])).toEqual([]);
  expect(someCarrierNames.safeParse(["  "]).success).toBe(false);
  expect(someCarrierNames.safeParse(Array.from({ length: 51 }, String)).success).toBe(false);
});

const shape = z.object({ id: z.string(), rows: z.array(z.object({ id: z.string().nullable() })) });
const read = (text: string) =>
  readIntent(new Request("https://origen.example/", { method: "POST", body: text }), shape).catch(
    (refusal: unknown) => (refusal as Response).status,
  );

test.each([
  String.raw`{"id":"\ud800","rows":[]}`,
  String.raw`{"id":"a\udc00b","rows":[]}`,
  String.raw`{"id":"a","rows":[{"id":"\udbff"}]}`,
  String.raw`{"id":"a\u0000","rows":[]}`,
  `{"id":"a","rows":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  "[",
  "",
])("a text that no database takes is a 400: %.40j", async (text) => {
  expect(await read(text)).toBe(400);
});

test("any other text is taken as it is", async () => {
  const said = { id: "Ni\u00f1o \u{1f4e6}\n\u2060", rows: [{ id: null }] };
  expect(await read(JSON.stringify({ ...said, more: "\ud800" }))).toEqual(said);
});

test.each([-1, 0.5, 2 ** 31 - 1, 2 ** 53 - 1, 1e308, "1"])("%j is no revision of a row", (said) => {
  expect(shownRevision.safeParse(said).success).toBe(false);
  expect(shownRevision.safeParse(0).success).toBe(true);
});
