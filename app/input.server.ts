import type { z } from "zod";

/**
 * A JSON body as the page's own script sends it. What does not fit is no person's mistake, so it is answered with a bare 400, which the
 * page shows as "we could not read that"; people's mistakes are outcomes of use cases.
 */
export async function readInput<T>(request: Request, shape: z.ZodType<T>): Promise<T> {
  const body: unknown = await request.json().catch(() => undefined);
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Response("The request's body is not what this page sends", { status: 400 });
}
