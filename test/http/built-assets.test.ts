import { mkdtempSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import compression from "compression";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtAssets } from "../../app/http/built-assets.ts";

const SCRIPT = "export const one = 1;\n".repeat(200);

let server: Server;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "assets-"));
  writeFileSync(join(folder, "one.js"), SCRIPT);
  writeFileSync(join(folder, "one.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "bare.js"), SCRIPT);
  writeFileSync(join(folder, "gone.js.br"), brotliCompressSync(SCRIPT));
  const app = express();
  app.use(compression());
  app.use("/assets", ...builtAssets(folder));
  await new Promise<void>((listening) => (server = app.listen(0, "127.0.0.1", listening)));
});
afterAll(() => void server.close());

/** As it came: `fetch` would undo the compression. */
async function ask(path: string, encodings: string): Promise<{ answer: IncomingMessage; body: Buffer }> {
  const { port } = server.address() as AddressInfo;
  const headers = { "Accept-Encoding": encodings };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers }, resolve).on("error", reject);
  });
  return { answer, body: await buffer(answer) };
}

test("a browser that reads Brotli gets what the build compressed, as the script that it is", async () => {
  const { answer, body } = await ask("/assets/one.js", "gzip, deflate, br, zstd");
  expect(answer.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "application/javascript; charset=utf-8",
    "content-length": String(brotliCompressSync(SCRIPT).length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(body).toString()).toBe(SCRIPT);
});

test("another gets the script itself, and no cache on the way mixes them up", async () => {
  const { answer, body } = await ask("/assets/one.js", "identity");
  expect(answer.headers).toMatchObject({
    "content-type": expect.stringMatching(/javascript/),
    vary: "Accept-Encoding",
  });
  expect([answer.headers["content-encoding"], body.toString()]).toEqual([undefined, SCRIPT]);
});

test("a script that the build left as it is comes compressed at once", async () => {
  const { answer, body } = await ask("/assets/bare.js", "br");
  expect([answer.headers["content-encoding"], brotliDecompressSync(body).toString()]).toEqual(["br", SCRIPT]);
});

test("there is no script where only a compressed one is left, and none by a name with a path in it", async () => {
  for (const path of ["/assets/gone.js", "/assets/none.js", "/assets/..%2fone.js", "/assets/"])
    expect((await ask(path, "br")).answer.statusCode, path).toBeOneOf([403, 404]);
});
