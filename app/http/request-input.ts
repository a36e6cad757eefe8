import { z } from "zod";
import { carrierKey } from "../domain/verification/carriers.ts";

/** What routes read from a request, and how they refuse: a clear status, never a stack trace. */

/** @throws a 404 for what the shop does not have, another shop's things included. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Response(null, { status: 404, statusText: "Not Found" });
  return value;
}

/** The request's JSON as the schema says. @throws a 400 for anything else. */
export async function readIntent<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body: unknown = await request.json().catch(() => undefined);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Response(null, { status: 400, statusText: "Bad Request" });
  return parsed.data;
}

/** Carriers as people typed them, as the service spells them: each once, and at most fifty. */
export const carrierNames = z
  .array(z.string().max(100))
  .max(50)
  .transform((typed) => [...new Set(typed.map(carrierKey))].filter((carrier) => carrier !== null));

/** The same, where there is nothing to do without one. */
export const someCarrierNames = carrierNames.refine((carriers) => carriers.length > 0);
