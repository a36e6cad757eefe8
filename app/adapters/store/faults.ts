import { AppError, isAppError } from "../../domain/errors.ts";

/**
 * Turns whatever Prisma throws into the app's fault for the store. Its message repeats no values, because Prisma's message may quote a
 * whole row. Prisma's errors are recognised by their code, never by their class; errors of its adapter have none.
 */
export function storeFault(what: string, cause: unknown): AppError {
  if (isAppError(cause)) return cause;
  const error = cause instanceof Error ? cause : new Error("no error at all");
  const code = ownWord(cause) ?? ("code" in error && typeof error.code === "string" ? error.code : error.name);
  const unmigrated =
    code === "P2021" || error.message.includes("no such table") || rawKind(cause) === "TableDoesNotExist";
  const message = isUniqueTaken(cause)
    ? `${what}: a unique key is taken`
    : unmigrated
      ? "the database lacks tables: run `npm run migrate`"
      : `${what} failed with ${code}`;
  return new AppError({ kind: "internal", message: `store: ${message}`, cause });
}

/** Whether Prisma says that a row with the same unique key is there already. */
export function isUniqueTaken(error: unknown): boolean {
  const isModels = error instanceof Error && "code" in error && error.code === "P2002";
  return isModels || rawKind(error) === "UniqueConstraintViolation";
}

/** What kind of failure Prisma's adapter calls that of a raw statement, for which Prisma has no code of its own. */
function rawKind(error: unknown): unknown {
  return fromAdapter(error)?.kind;
}

/** What SQLite or the system says in one word, as `SQLITE_FULL`; Prisma calls each failed statement of its own P2010. */
function ownWord(error: unknown): string | undefined {
  return /^(?:SQLITE_\w+|E[A-Z]+)(?=:)/.exec(String(fromAdapter(error)?.originalMessage))?.[0];
}

function fromAdapter(error: unknown): { kind?: unknown; originalMessage?: unknown } | undefined {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: { cause?: object } } };
  return meta?.driverAdapterError?.cause;
}
