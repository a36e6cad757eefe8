import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { Refused } from "./refused.ts";

const beginsWith = (bytes: Buffer, ...first: number[]): boolean => first.every((byte, at) => bytes[at] === byte);

/** The text of a file, unpacked, in whichever of the three encodings these lists come. @throws Refused */
export function textOfFile(path: string): string {
  const name = basename(path);
  const bytes = unpacked(read(path), name);
  if (bytes.length === 0) throw new Refused(`${name} is empty.`);
  if (beginsWith(bytes, 0x50, 0x4b))
    throw new Refused(`${name} is a ZIP archive or a workbook. Unpack it, or save its sheets as CSV.`);
  if (beginsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new Refused(`${name} is a workbook. Save its sheets as CSV.`);
  const text = decoded(bytes);
  if (text.includes("\0")) throw new Refused(`${name} is no text.`);
  if (!/[\r\n]$/.test(text)) {
    throw new Refused(`${name} ends in the middle of a line, so it may be cut short. Fetch it again.`);
  }
  return text;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Refused(`${path} cannot be read.`);
  }
}

function unpacked(bytes: Buffer, name: string): Buffer {
  if (!beginsWith(bytes, 0x1f, 0x8b)) return bytes;
  try {
    return gunzipSync(bytes);
  } catch {
    throw new Refused(`${name} is cut short or damaged: it does not unpack. Fetch it again.`);
  }
}

/** UTF-8 says by itself whether it is that; whatever is not was written as Windows-1252, unless a mark says UTF-16. */
function decoded(bytes: Buffer): string {
  if (beginsWith(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
