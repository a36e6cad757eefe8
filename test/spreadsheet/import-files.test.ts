import { describe, expect, test } from "vitest";
import { MOST_ROWS } from "../../app/views/import.ts";
import { readSheet } from "../../app/spreadsheet/read-sheet.ts";
import { importShop } from "./import-shop.ts";

describe("a file that cannot be read, or not as it should be", () => {
  const HEAD = "Location,Phone\r\n";
  const older = (row: string) => Buffer.from(`${HEAD}${row}\r\n`, "latin1");
  test.each<[string, string | Uint8Array, object]>([
    ["nothing in it", "", { code: "empty" }],
    ["white space alone", " \r\n\r\n", { code: "empty" }],
    ["headings alone", HEAD, { code: "no_rows" }],
    ["rows of empty cells alone", `${HEAD},\r\n,\r\n`, { code: "no_rows" }],
    ["a workbook", Buffer.from("PK\x03\x04 xl/workbook.xml"), { code: "workbook" }],
    ["an older workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), { code: "workbook" }],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2, 3]), { code: "not_text" }],
    ["a quotation mark that is not closed", `${HEAD}Bodega 1,"55\r\nB,5\r\n`, { code: "quote_open", row: 2 }],
    ["a quotation mark within a cell", `${HEAD}A,5\r\nBodega "Sur",5\r\n`, { code: "quote_within", row: 3 }],
    ["text after a quotation mark", `${HEAD}"Bodega" 1,5\r\n`, { code: "quote_within", row: 2 }],
    ["no heading that is known", "Nombre,Tel\r\nA,5\r\n", { code: "no_headings" }],
    ["another text", "<html><body>Hola</body></html>", { code: "no_headings" }],
    ["no column that says which location", "Phone,Company\r\n5,C\r\n", { code: "no_key" }],
    ["no column of details", "Location,Postal code\r\nBodega 1,44160\r\n", { code: "no_details" }],
    [
      "a column twice",
      "Location,Phone,Teléfono\r\nA,5,5\r\n",
      { code: "doubled_heading", headings: ["Phone", "Teléfono"] },
    ],
    ["a row without end", `${HEAD}Bodega 1,"${"x".repeat(200_000)}"\r\n`, { code: "row_too_long", row: 2 }],
    [
      "rows after a line that says the separator, counted as a spreadsheet shows them",
      `sep=;\r\nLocation;Phone\r\nBodega 1;5\r\n"B" x;5\r\n`,
      { code: "quote_within", row: 3 },
    ],
    ["older letters: MS-DOS", older("Bodega 1,Le\xA2n"), { code: "older_letters" }],
    ["older letters: MS-DOS, where a name ends", older("Jos\x82,5"), { code: "older_letters" }],
    ["older letters: MS-DOS, with one accent alone", older("Ju\xA0rez,5"), { code: "older_letters" }],
    ["older letters: MS-DOS, in capitals", older("MU\xA5OZ,5"), { code: "older_letters" }],
    ["older letters: Macintosh", older("Quer\x8Etaro,5"), { code: "older_letters" }],
    ["older letters: Macintosh, with one accent alone", older("Canc\x9Cn,5"), { code: "older_letters" }],
    ["older letters: Macintosh, in an ñ alone", older("Mu\x96oz,5"), { code: "older_letters" }],
    ["more rows than are taken", `${HEAD}${"Bodega 1,5\r\n".repeat(MOST_ROWS + 1)}`, { code: "too_many_rows" }],
  ])("%s", async (_what, file, fault) => {
    const shop = await importShop();
    await shop.put(1);
    expect(await shop.preview(file)).toEqual({ kind: "unreadable", fault });
  });

  const TEXT = "Sucursal;Teléfono;Año\r\nAlmacén;5512345678;1\r\n";
  const wide = (text: string, big = false) => {
    const bytes = Buffer.from(text, "utf16le");
    return big ? bytes.swap16() : bytes;
  };
  test.each<[string, string | Uint8Array, string]>([
    ["Windows-1252", Buffer.from(TEXT, "latin1"), "windows-1252"],
    ["UTF-8 with a mark", `\uFEFF${TEXT}`, "utf-8"],
    ["UTF-8 without", TEXT, "utf-8"],
    ["UTF-16 as Excel writes it", wide(`\uFEFF${TEXT.replaceAll(";", "\t")}`), "utf-16le"],
    ["UTF-16, big end first", wide(`\uFEFF${TEXT}`, true), "utf-16be"],
    ["UTF-16 without a mark", wide(TEXT), "utf-16le"],
    ["tabs", TEXT.replaceAll(";", "\t"), "utf-8"],
    ["commas", TEXT.replaceAll(";", ","), "utf-8"],
    ["lines that end as on a Mac of old", TEXT.replaceAll("\r\n", "\r"), "utf-8"],
    ["a first line that says the separator", `sep=|\r\n${TEXT.replaceAll(";", "|")}`, "utf-8"],
  ])("%s is read", async (_what, file, encoding) => {
    const shop = await importShop();
    await shop.put(1, { name: "Almacén" });
    const read = await shop.read(file);
    expect(read).toMatchObject({ encoding, unknown: ["Año"], unknownCount: 1, refused: [] });
    expect(read.changed[0]!.changes).toEqual([{ field: "phone", from: "3336150000", to: "5512345678" }]);
  });

  test.each(["McDonald\x92s", "Le\xF3n\xA0norte, de lunes\x96viernes", "\xA1Hola! 5\xA2 y 3\xA3", "C\x9Cur"])(
    "what Windows-1252 may hold is read: %j",
    async (company) => {
      const shop = await importShop();
      await shop.put(1);
      const file = Buffer.from(`Location,Company\r\nBodega 1,"${company}"\r\n`, "latin1");
      const read = await shop.read(file);
      expect(read).toMatchObject({ encoding: "windows-1252", refused: [] });
      expect(read.changed).toHaveLength(1);
    },
  );

  test("rows are numbered as a spreadsheet shows them, which hides a first line that says the separator", async () => {
    const shop = await importShop();
    await shop.put(1);
    const { refused } = await shop.read("sep=;\r\nLocation;Phone\r\nNobody;5512345678\r\n");
    expect(refused.map(({ row }) => row)).toEqual([2]);
  });

  test("lines without end are not read to the end, empty as they are", async () => {
    const read = (lines: number) =>
      readSheet(
        { turn: () => Promise.resolve() },
        { bytes: Buffer.from(`${HEAD}${",\r\n".repeat(lines)}`), known: () => 2, choose: () => [0, 1], mostLines: 50 },
      );
    expect(await read(51)).toEqual({ code: "too_many_lines" });
    expect(await read(40)).toEqual({ code: "no_rows" });
  });

  test("a comma too many shifts a row's cells, so the row is refused", async () => {
    const shop = await importShop();
    await shop.put(1);
    const { refused } = await shop.read(`${HEAD}Bodega 1,5512345678,x\r\nBodega 1,5512345678,\r\n`);
    expect(refused[0]).toMatchObject({ row: 2, faults: [{ code: "doubled" }] });
    const one = await shop.read(`${HEAD}Bodega 1,5512345678,x\r\n`);
    expect(one.refused[0]).toMatchObject({ row: 2, faults: [{ code: "more_cells" }] });
  });
});
