import { json } from "@remix-run/node";
import type { Limit } from "./shop-shares.ts";
import type { TooMany } from "../views/not-taken.ts";

/** Which of a shop's shares is used up. */
export const LIMIT_HEADER = "X-Limit";

/**
 * Has the page of a form that was not taken stay as it is. A response that a route threw takes the page's place, and what was typed would be
 * lost; this one is an answer like any other, which the form itself shows (`components/hooks/use-action.ts`).
 */
export function keepPage(answer: Response): Response {
  if (answer.status !== 429) return answer;
  const headers = new Headers(answer.headers);
  headers.delete("X-Remix-Catch");
  // So Remix knows its own answers from a proxy's.
  headers.set("X-Remix-Response", "yes");
  const body: TooMany = {
    tooManyForS: Number(headers.get("Retry-After")),
    isStored: headers.get(LIMIT_HEADER) === ("stored" satisfies Limit),
  };
  return json(body, { status: 429, headers });
}
