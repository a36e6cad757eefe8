/** How a request of the router's ended. */
export type Ending =
  /** What the app's route returned. `answer`: the HTTP answer, where it was one. */
  | { kind: "returned"; value: unknown; answer: Response | null }
  /** What the app's route threw, or a redirect. */
  | { kind: "thrown"; thrown: unknown; answer: Response | null }
  /** No answer of the app's: nobody listened, a proxy answered in its place, the answer was cut, or the app failed. */
  | { kind: "unanswered" };

/**
 * Waits for a loader's or action's answer, down to its last byte.
 *
 * @throws when the router itself gave the request up.
 */
export async function endingOf(ask: () => unknown, signal: AbortSignal): Promise<Ending> {
  try {
    const value = await ask();
    if (!(value instanceof Response)) return { kind: "returned", value, answer: null };
    // Remix marks each answer of its own.
    if (!value.headers.has("X-Remix-Response")) return { kind: "unanswered" };
    const body = await value.text();
    const { status, statusText, headers } = value;
    const whole = new Response(body === "" ? null : body, { status, statusText, headers });
    return { kind: "returned", value: whole, answer: whole };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    if (thrown instanceof Error) return { kind: "unanswered" };
    const answer = thrown instanceof Response ? thrown : null;
    return answer && answer.status >= 500 ? { kind: "unanswered" } : { kind: "thrown", thrown, answer };
  }
}
