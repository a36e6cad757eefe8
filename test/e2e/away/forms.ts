import type { Frame, Response } from "playwright-core";

/**
 * The answer to what was pressed. A page also asks by itself whether its address has changed, and a token that has grown old is answered 401.
 * App Bridge sends a form as a stream, of which Playwright does not know the text, so the answer tells which form it was.
 */
export async function isOfPress(answer: Response): Promise<boolean> {
  const request = answer.request();
  if (request.method() !== "POST" || !request.url().includes("_data=") || answer.status() === 401) return false;
  const said = (await answer.json().catch(() => null)) as { intent?: string } | null;
  return said?.intent !== "refresh";
}

/** What the router has of each form: a note that stays is told together with whose it is. */
export function formsOf(app: Frame): Promise<unknown> {
  interface Router {
    state: { fetchers: Map<string, { state: string; data: unknown }> };
  }
  return app.evaluate(() => {
    const { state } = (window as unknown as { __remixRouter: Router }).__remixRouter;
    return [...state.fetchers].map(([key, form]) => ({ key, state: form.state, data: form.data }));
  });
}
