import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkWhole, readPostalFiles } from "../../../../scripts/postal-codes/read-files.ts";
import { GEONAMES, POST_OFFICE, TABLE, TABLE_GZ, tableOfCountry, TAX_SHEETS } from "./lists.ts";

/** Published lists of postal codes, as files: whatever form and encoding they come in, the same facts are read. */

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "origen-lists-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function read(files: Record<string, string | Buffer>) {
  const paths = await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const path = join(directory, name);
      await writeFile(path, content);
      return path;
    }),
  );
  return readPostalFiles(paths);
}

const facts = (kinds: boolean) => [
  {
    code: "06700",
    state: "Ciudad de México",
    municipality: "Cuauhtémoc",
    city: "Ciudad de México",
    settlements: [{ name: "Roma Norte", kind: kinds ? "Colonia" : null }],
  },
  {
    code: "77500",
    state: "Quintana Roo",
    municipality: "Benito Juárez",
    city: "Cancún",
    settlements: [
      { name: "Cancún Centro", kind: kinds ? "Colonia" : null },
      { name: "Puerto Juárez", kind: kinds ? "Zona urbana" : null },
    ],
  },
  {
    code: "45900",
    state: "Jalisco",
    municipality: "Chapala",
    city: "Chapala",
    settlements: [{ name: "Chapala Centro", kind: kinds ? "Colonia" : null }],
  },
];

describe("the forms", () => {
  test.each([
    ["the post office's, in Windows-1252", "post_office", { "CPdescarga.txt": POST_OFFICE }],
    ["the post office's, in UTF-8", "post_office", { "any.txt": new TextDecoder("windows-1252").decode(POST_OFFICE) }],
    ["a table with names of columns", "table", { "a.tsv": TABLE }],
    ["the same packed, whatever it is called", "table", { "a.txt": TABLE_GZ }],
    ["the same in UTF-16, as spreadsheets save it", "table", { "u.txt": Buffer.from(`\uFEFF${TABLE}`, "utf16le") }],
  ])("%s", async (_what, source, files) => {
    expect(await read(files as Record<string, string>)).toEqual({ source, codes: facts(true) });
  });

  test.each([
    ["GeoNames'", "geonames", { "MX.txt": GEONAMES }],
    ["the tax authority's sheets", "tax_authority", TAX_SHEETS],
    [
      "the same, with semicolons and one sheet in parts",
      "tax_authority",
      {
        ...Object.fromEntries(
          Object.entries(TAX_SHEETS).map(([name, text]) => [
            name,
            text.replaceAll(",", ";").replace('"Centro; Sur"', "x"),
          ]),
        ),
        "codes.csv": TAX_SHEETS["codes.csv"]!.replace("45900,JAL,030,11,Centro\r\n", ""),
        "codes-2.csv": "c_CodigoPostal,c_Estado,c_Municipio,c_Localidad\n45900,JAL,030,11\n",
      },
    ],
  ])("%s", async (_what, source, files) => {
    const { codes, ...rest } = await read(files as Record<string, string>);
    expect(rest).toEqual({ source });
    expect(codes.toSorted((a, b) => (a.code < b.code ? -1 : 1))).toEqual(
      facts(false).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    );
  });

  test("a code with several municipalities has none; a settlement that comes twice is one", async () => {
    const twice = `${TABLE}77500\tQuintana Roo\tIsla Mujeres\tCancún\tColonia\tCancún Centro\n`;
    const { codes } = await read({ "twice.tsv": twice });
    expect(codes[1]).toMatchObject({ municipality: null, city: "Cancún" });
    expect(codes[1]!.settlements).toHaveLength(2);
  });
});

const BIG = tableOfCountry("Centro", 30);

describe("what is refused, with a sentence", () => {
  test.each<[string, Record<string, string | Buffer>, RegExp]>([
    ["a file cut within a line", { "cut.txt": POST_OFFICE.subarray(0, -30) }, /cut\.txt ends in the middle of a line/],
    [
      "a line that lacks columns",
      { "cut.txt": Buffer.concat([POST_OFFICE, Buffer.from("45910|Ajijic\r\n")]) },
      /line 7, has 2 of 15 columns.*cut short/,
    ],
    ["a packed file cut short", { "cut.gz": gzipSync(BIG).subarray(0, -40) }, /cut\.gz is cut short or damaged/],
    ["an empty file", { "e.txt": "" }, /e\.txt is empty/],
    ["a workbook", { "b.xls": Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]) }, /workbook/],
    ["an archive", { "b.zip": Buffer.from("PK\u0003\u0004…") }, /ZIP archive or a workbook/],
    [
      "a page instead of a list",
      { "p.txt": "<!DOCTYPE html>\n<html></html>\n" },
      /no list of postal codes that is known/,
    ],
    ["bytes that are no text", { "p.bin": Buffer.from([1, 0, 2, 10]) }, /is no text/],
    [
      "another country's list",
      { "US.txt": "US\t06700\tPlainville\tConnecticut\tCT\tHartford\t003\t\t\t41.6\t-72.8\t4\n" },
      /no list of postal codes that is known/,
    ],
    [
      "a sheet without the others",
      { "c.csv": TAX_SHEETS["codes.csv"]! },
      /belong together: c_Colonia, c_Municipio, c_Localidad, c_Estado missing/,
    ],
    ["two lists at once", { "a.tsv": TABLE, "MX.txt": GEONAMES }, /do not belong together/],
    ["what is no code", { "a.tsv": TABLE.replace("45900", "4590x") }, /a\.tsv, line 5: «4590x» is no postal code/],
    [
      "what is no state",
      { "a.tsv": TABLE.replace("Jalisco", "Texas") },
      /a\.tsv, line 5: «Texas» is none of the 32 states/,
    ],
    ["names without rows", { "a.tsv": TABLE.split("\n")[0] + "\n" }, /holds no postal code/],
  ])("%s", async (_what, files, sentence) => {
    await expect(read(files)).rejects.toThrow(sentence);
  });

  test("a list that lacks a state, or many codes of the one in use, may be cut short", async () => {
    const { codes } = await read({ "whole.tsv": BIG });
    expect(() => checkWhole(codes, 1_000)).not.toThrow();
    expect(() => checkWhole(codes, 1_100)).toThrow("960 codes and the one in use 1100, so it may be cut short");
    const cut = codes.filter(({ state }) => state !== "Zacatecas");
    expect(() => checkWhole(cut, 0)).toThrow("no code in Zacatecas, so it may be cut short");
    expect(() => checkWhole(codes.slice(0, 100), 0)).toThrow("of 32 states");
  });

  test("a file that is not there", () => {
    expect(() => readPostalFiles([join(directory, "none.txt")])).toThrow(/none\.txt cannot be read/);
  });
});
