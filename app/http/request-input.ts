import * as z from "zod";
import { letIn } from "../domain/address/long-text.ts";
import { CONTACT_FIELDS, eachField } from "../domain/address/form-fields.ts";
import { MOST_CARRIERS, carrierKey } from "../domain/verification/carriers.ts";

/** What routes read from a request, and how they refuse: a clear status, never a stack trace. */

/** The value if there is one. @throws a 404 for what the shop does not have, another shop's things included. */
export function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Response(null, { status: 404, statusText: "Not Found" });
  return value;
}

/** The request's JSON, checked by the schema. @throws a 400 for anything else. */
export async function readIntent<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body: unknown = await request.json().catch(() => undefined);
  const parsed = schema.safeParse(body);
  if (!parsed.success || !isStorable(parsed.data)) throw new Response(null, { status: 400, statusText: "Bad Request" });
  return parsed.data;
}

/**
 * Whether a database takes every text of it. Half a surrogate pair is no character of any, and PostgreSQL keeps no NUL; no keyboard types
 * either. Asked of what a schema let through, which is as deep as the schema.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  return typeof value !== "object" || value === null || Object.values(value).every(isStorable);
}

/**
 * What a person wrote in a field. More than the field takes comes in as its short form, which validation refuses beside the field: a 400
 * would lose what was written.
 */
export const textOf = (field: string) => z.string().transform((text) => letIn(field, text));

/** The revision of a row that a page showed. One more must fit in a database's integer, too. */
export const shownRevision = z
  .int()
  .min(0)
  .max(2 ** 31 - 2);

/** Carriers' names as people typed them, in the service's spelling, each once. What has not the form of a name is none. */
export const carrierNames = z
  .array(z.string().max(100))
  .max(MOST_CARRIERS)
  .transform((typed) => [...new Set(typed.map(carrierKey))].filter((carrier) => carrier !== null));

/** The same, where at least one carrier is needed. */
export const someCarrierNames = carrierNames.refine((carriers) => carriers.length > 0);

/** Whose value stays in each contact field of a template that is linked; fields without an answer follow the rule. */
export const adoptionChoices = z
  .object(eachField(CONTACT_FIELDS, () => z.enum(["ours", "theirs"]).optional()))
  .optional();
