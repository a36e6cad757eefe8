import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { gatherPieces } from "../../../app/http/document/document-pieces.server.ts";

function gathering() {
  const stream = gatherPieces();
  const pieces: string[] = [];
  stream.on("data", (piece: Buffer) => pieces.push(piece.toString("utf8")));
  return { stream, pieces };
}

test("what is written in one go leaves in one piece, without waiting for the end", async () => {
  const { stream, pieces } = gathering();
  for (const text of ["<html>", "¡Hola", "!"]) stream.write(Buffer.from(text));
  expect(pieces).toEqual([]);
  await nextTurn();
  await nextTurn();
  expect(pieces).toEqual(["<html>¡Hola!"]);
});

test("a long document leaves in large pieces, whole and in order", async () => {
  const { stream, pieces } = gathering();
  const written = Array.from({ length: 100 }, (_, at) => String(at).padStart(2_000, "."));
  for (const text of written) stream.write(Buffer.from(text));
  stream.end();
  await new Promise((done) => stream.once("end", done));
  expect(pieces.join("")).toBe(written.join(""));
  expect(pieces.length).toBeLessThan(10);
});

test("one that is broken off sends nothing more", async () => {
  const { stream, pieces } = gathering();
  stream.write(Buffer.from("half a page"));
  stream.destroy();
  await nextTurn();
  expect(pieces).toEqual([]);
});
