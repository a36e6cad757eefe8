import type { IncomingMessage } from "node:http";

/** More than any page or any webhook of Shopify's sends. */
export const LARGEST_BODY = 2 * 1024 * 1024;
/** Of a body that is refused for its length, so much is still taken in: whoever sends it reads the answer only afterwards. */
const MOST_DISCARDED = 4 * LARGEST_BODY;

export interface RequestBody {
  /** What a route reads. It errs when the body turns out too long, or breaks off. */
  stream: ReadableStream<Uint8Array>;
  isTooLong(): boolean;
  /** Lets the rest come in and keeps none of it. */
  discard(): void;
}

/** What came of a body that is wanted whole. */
export type WholeBody = { kind: "whole"; bytes: Buffer } | { kind: "too_long" } | { kind: "broken_off" };

/**
 * Reads a body whole, without a stream of the web's in between, which would cost more than the reading. Of one that is too long the rest comes
 * in and is not kept.
 */
export function wholeBody(request: IncomingMessage): Promise<WholeBody> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let received = 0;
    const isTooLong = () => {
      chunks = [];
      resolve({ kind: "too_long" });
    };
    if (Number(request.headers["content-length"] ?? 0) > LARGEST_BODY) isTooLong();
    request.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > MOST_DISCARDED) request.destroy();
      if (received > LARGEST_BODY) isTooLong();
      else chunks.push(chunk);
    });
    request.on("end", () => resolve({ kind: "whole", bytes: Buffer.concat(chunks) }));
    request.on("error", () => resolve({ kind: "broken_off" }));
    request.on("close", () => resolve({ kind: "broken_off" }));
  });
}

/**
 * A request's body for whoever wants it, with a cap. Nothing is read before that, so a body that nobody asks for takes no memory. All the
 * same it must have come in before the connection can carry the next request, perhaps another person's behind a proxy: see `discard`.
 */
export function bodyOf(request: IncomingMessage, onTooLong: () => void = () => {}): RequestBody {
  let received = 0;
  let reader: ReadableStreamDefaultController<Uint8Array> | null = null;

  const discard = (): void => {
    reader = null;
    request.resume();
  };
  const fail = (reason: string): void => {
    reader?.error(new Error(reason));
    discard();
  };

  request.pause();
  request.on("data", (chunk: Buffer) => {
    const fitted = received <= LARGEST_BODY;
    received += chunk.length;
    if (received > MOST_DISCARDED) request.destroy();
    if (received > LARGEST_BODY) {
      fail("the body is too long");
      if (fitted) onTooLong();
      return;
    }
    reader?.enqueue(chunk);
    if (reader) request.pause();
  });
  request.on("end", () => {
    reader?.close();
    discard();
  });
  request.on("error", () => fail("the body broke off"));
  request.on("close", () => fail("the body broke off"));

  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (controller) => void (reader = controller),
    pull: () => void request.resume(),
    cancel: discard,
  };
  const stream = new ReadableStream(source, { highWaterMark: 0 });
  return { stream, isTooLong: () => received > LARGEST_BODY, discard };
}
