import * as zlib from "node:zlib";

/**
 * Bodies in codings that nobody asked for: every request says `accept-encoding: identity`, and something on the way may compress all
 * the same, or say that it did. Pure, but for the time it takes: never more than one body of the largest size.
 */

export type Decoded = { body: string } | { cutShort: "too_large" | "broken" };

/** More than one is a mistake of somebody's on the way, more than these an attack. */
const MOST_CODINGS = 3;

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const DECODERS: Record<string, Decoder> = {
  gzip: zlib.gunzipSync,
  "x-gzip": zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
  // The name stands for zlib's wrapper, and servers were seen to leave that out.
  deflate: (bytes, options) => (isZlib(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)),
};

/**
 * The text of a body with that `content-encoding`, of `largestBytes` at most after each decoding. One that is named and was not done
 * is told by its text, which is taken as it stands.
 */
export function decodeBody(bytes: Buffer, input: { coding: string | undefined; largestBytes: number }): Decoded {
  const decoded = decode(bytes, input);
  if ("body" in decoded && looksPlain(decoded.body)) return decoded;
  const asItStands = bytes.toString("utf8");
  return looksPlain(asItStands) ? { body: asItStands } : decoded;
}

function decode(
  bytes: Buffer,
  { coding, largestBytes }: { coding: string | undefined; largestBytes: number },
): Decoded {
  const codings = bytes.length === 0 ? [] : codingsOf(bytes, coding);
  if (codings.length > MOST_CODINGS) return { cutShort: "broken" };
  let decoded = bytes;
  for (const name of codings) {
    const decoder = DECODERS[name];
    if (!decoder) return { cutShort: "broken" };
    try {
      decoded = decoder(decoded, { maxOutputLength: largestBytes });
    } catch (error) {
      return { cutShort: isTooLarge(error) ? "too_large" : "broken" };
    }
  }
  return { body: decoded.toString("utf8") };
}

/** In the order in which they are to be undone. Gzip is known by its first bytes, whether it is named or not. */
function codingsOf(bytes: Buffer, coding: string | undefined): string[] {
  const named = (coding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (named.length === 0) return isGzip(bytes) ? ["gzip"] : [];
  return named.reverse();
}

/** How JSON and HTML begin, after a byte-order mark and white space. */
function looksPlain(text: string): boolean {
  return /^[\ufeff\s]*[[{"<]/.test(text);
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** RFC 1950: a method and a checksum of the first two bytes. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length > 1 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
