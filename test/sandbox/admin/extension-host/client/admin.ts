/** The page's own admin: who and where it is, and what it may be asked. */

export interface PageContext {
  handle: string;
  shop: string;
  app: string;
  orderId: string | null;
}

export const context = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="extension-context"]')?.content ?? "{}",
) as PageContext;

/** @throws with the admin's words when it refuses. */
export async function askAdmin<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`/internal/${context.handle}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `The admin answered ${response.status}`);
  return answer;
}
