import * as zlib from "node:zlib";

/**
 * Bodies in codings that nobody asked for. Every request says `accept-encoding: identity`, but a proxy may compress all the same, or claim
 * that it did. Pure. Never decodes more than one body of the largest size.
 */

export type Decoded = { body: string } | { cutShort: "too_large" | "broken" };

/** Two codings are a proxy's mistake; more than this are an attack. */
const MOST_CODINGS = 3;

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;

const DECODERS = new Map<string, Decoder>([
  ["gzip", zlib.gunzipSync],
  ["x-gzip", zlib.gunzipSync],
  ["br", zlib.brotliDecompressSync],
  ["zstd", zlib.zstdDecompressSync],
  // The name means zlib's format, but servers were seen to send the bare deflate stream.
  [
    "deflate",
    (bytes, options) => (isZlib(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)),
  ],
]);

/**
 * The text of a body with that `content-encoding`, with at most `largestBytes` after each decoding. Where the header names a coding that
 * was not applied, the text shows it, and is taken as it is.
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
    const decoder = DECODERS.get(name);
    if (!decoder) return { cutShort: "broken" };
    try {
      decoded = decoder(decoded, { maxOutputLength: largestBytes });
    } catch (error) {
      return { cutShort: isTooLarge(error) ? "too_large" : "broken" };
    }
  }
  return { body: decoded.toString("utf8") };
}

/** The codings, in the order in which they are to be undone. Gzip is recognised by its first bytes, whether the header names it or not. */
function codingsOf(bytes: Buffer, coding: string | undefined): string[] {
  const named = (coding ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (named.length === 0) return isGzip(bytes) ? ["gzip"] : [];
  return named.reverse();
}

/** Whether a text begins as JSON or HTML does, after a byte-order mark and white space. */
function looksPlain(text: string): boolean {
  return /^[\ufeff\s]*[[{"<]/.test(text);
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** RFC 1950: the first two bytes hold a method and a checksum. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length > 1 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
