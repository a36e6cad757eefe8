import { Transform } from "node:stream";
import type { TransformCallback } from "node:stream";

/** About one packet of a compressed page; a short page fits in one piece. */
const PIECE_BYTES = 32 * 1024;

/**
 * Gathers what React renders into larger pieces. React writes 2 kB at a time, and Remix compresses, flushes and sends each write by itself;
 * for a long list that takes longer than rendering it. What React renders in one go is sent at the end of that at the latest.
 */
export function gatherPieces(): Transform {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let leaving: NodeJS.Immediate | null = null;

  const leave = (stream: Transform): void => {
    if (leaving) clearImmediate(leaving);
    leaving = null;
    if (heldBytes > 0) stream.push(Buffer.concat(held, heldBytes));
    held = [];
    heldBytes = 0;
  };

  return new Transform({
    transform(this: Transform, chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      held.push(chunk);
      heldBytes += chunk.byteLength;
      if (heldBytes >= PIECE_BYTES) leave(this);
      else leaving ??= setImmediate(() => leave(this));
      done();
    },
    flush(this: Transform, done: TransformCallback) {
      leave(this);
      done();
    },
    destroy(error, done) {
      if (leaving) clearImmediate(leaving);
      done(error);
    },
  });
}
