import { AppError, isAppError } from "../../domain/errors.ts";

/**
 * Whatever Prisma throws, as the one fault the app knows. Its message repeats no values: Prisma's own can quote a whole row.
 * Prisma's errors are told by their code, never by their class.
 */
export function storeFault(what: string, cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown";
  const message =
    code === "P2021" ? "the database has no tables yet: run `prisma migrate deploy`" : `${what} failed with ${code}`;
  return new AppError({ kind: "internal", message: `store: ${message}`, cause });
}
