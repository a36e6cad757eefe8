import type { Request, Response } from "express";
import type { RequestBody } from "./request-body.ts";

/** How long somebody who sends too much may take to be done with it. */
const PATIENCE_MS = 2_000;
const WORDS = "The body is too large";

/**
 * Answers that the body is too long and closes the connection. The close waits a moment for the rest of the body: closing over bytes that
 * are still coming resets the connection, and the answer is lost with it.
 */
export function refuseTooLong(request: Request, response: Response, body: Pick<RequestBody, "discard">): void {
  if (response.headersSent) return;
  response.writeHead(413, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": WORDS.length,
    Connection: "close",
  });
  response.write(WORDS);
  const end = () => {
    clearTimeout(waiting);
    response.end();
  };
  const waiting = setTimeout(end, PATIENCE_MS);
  request.once("end", end);
  request.once("close", end);
  body.discard();
}
