import { expect, test } from "vitest";
import { packedFile } from "../../app/components/import/packed-file.ts";
import { LARGEST_FILE } from "../../app/views/import.ts";

const unpacked = (packed: Blob) => new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();

test("a chosen file is packed, whatever is in it", async () => {
  const packed = await packedFile(new File(["Sucursal,Teléfono\r\n"], "a.csv"));
  expect(await unpacked(packed as Blob)).toBe("Sucursal,Teléfono\r\n");
});

test("a file that the browser may not read is said, for its spreadsheet may have it open", async () => {
  const file = new File(["Sucursal,Teléfono\r\n"], "a.csv");
  file.arrayBuffer = () => Promise.reject(new DOMException("locked", "NotReadableError"));
  expect(await packedFile(file)).toEqual({ code: "unread" });
});

test("a file that is too large is not read at all", async () => {
  const file = new File([], "a.csv");
  Object.defineProperty(file, "size", { value: LARGEST_FILE + 1 });
  file.arrayBuffer = () => Promise.reject(new Error("it was read"));
  expect(await packedFile(file)).toEqual({ code: "too_large" });
});
