import { AppError, isAppError } from "../../domain/errors.ts";

/**
 * Turns whatever Prisma or PostgreSQL's driver throws into the app's fault for the store. Its message repeats no values, because theirs may
 * quote a whole row. Errors are recognised by their code, never by their class; those of Prisma's adapter have none.
 */
export function storeFault(what: string, cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  const error = cause instanceof Error ? cause : new Error("no error at all");
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  const unmigrated = UNMIGRATED.has(code) || error.message.includes("no such table");
  const message = isUniqueTaken(cause)
    ? `${what}: a unique key is taken`
    : unmigrated
      ? "the database lacks tables: run `npm run migrate`"
      : `${what} failed with ${code}`;
  return new AppError({ kind: "internal", message: `store: ${message}`, cause });
}

/** No such table: Prisma's word for it, and PostgreSQL's. */
const UNMIGRATED = new Set(["P2021", "42P01"]);
/** The same, of a unique key. */
const TAKEN = new Set<unknown>(["P2002", "23505"]);

/** Whether a row with the same unique key is there already. */
export function isUniqueTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && TAKEN.has(error.code);
}
