import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { oneFileOf, readUpload } from "../../app/http/upload/read-upload.ts";
import { LARGEST_FILE } from "../../app/views/import.ts";

const formOf = (fields: Record<string, string | Blob>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return new Request("https://app.example/app/origins/import", { method: "POST", body });
};
const packed = (bytes: Buffer) => new Blob([new Uint8Array(gzipSync(bytes))]);

describe("a file that a page sends", () => {
  test("is unpacked", async () => {
    const { file, shown } = await readUpload(formOf({ file: packed(Buffer.from("a,b")), shown: "x" }));
    expect(Buffer.from(file!).toString()).toBe("a,b");
    expect(shown).toBe("x");
  });

  test("is refused where it would unpack to more than a file may have, however small it was sent", async () => {
    const bomb = packed(Buffer.alloc(LARGEST_FILE + 1));
    expect(bomb.size).toBeLessThan(100_000);
    expect(await readUpload(formOf({ file: bomb }))).toEqual({ file: null, shown: null });
  });

  test.each([
    ["no form", new Request("https://app.example/", { method: "POST", body: "{}" })],
    ["no file", formOf({ shown: "x" })],
    ["a text in its place", formOf({ file: "a,b" })],
    ["bytes that nobody compressed", formOf({ file: new Blob(["a,b"]) })],
    ["a second file in place of a word", formOf({ file: packed(Buffer.from("a")), shown: new Blob(["x"]) })],
  ])("%s is a 400", async (_what, request) => {
    await expect(readUpload(request)).rejects.toMatchObject({ status: 400 });
  });
});

test("one file of a shop is read at a time, and another shop's beside it", async () => {
  let go = (): void => undefined;
  const held = oneFileOf("one", () => new Promise<void>((resolve) => (go = resolve)));
  await expect(oneFileOf("one", async () => "read")).rejects.toMatchObject({ status: 429 });
  expect(await oneFileOf("two", async () => "read")).toBe("read");
  go();
  await held;
  expect(await oneFileOf("one", async () => "read")).toBe("read");
});
