import { pino } from "pino";
import type { Log } from "../../ports.ts";

/** Names of fields whose values never reach a log, wherever they stand one or two levels deep. */
const SECRET_NAMES = [
  "access_token",
  "accessToken",
  "refresh_token",
  "refreshToken",
  "client_secret",
  "clientSecret",
  "id_token",
  "token",
  "secret",
  "password",
  "authorization",
  "Authorization",
  "cookie",
];

const redacted = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** The process's log: one line of JSON each, to standard output. */
export function createLog(level: string): Log {
  const logger = pino({
    level,
    base: null,
    redact: { paths: redacted, censor: "[redacted]" },
    serializers: { error: describeError },
  });
  return {
    info: (fields, message) => logger.info(fields, scrubSecrets(message)),
    warn: (fields, message) => logger.warn(fields, scrubSecrets(message)),
    error: (fields, message) => logger.error(fields, scrubSecrets(message)),
  };
}

/** Keeps what tells a defect apart and drops what might carry a body. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: scrubSecrets(String(error)) };
  const { kind, requestId, status } = error as Error & {
    kind?: string;
    requestId?: string | null;
    status?: number | null;
  };
  return {
    name: error.name,
    message: scrubSecrets(error.message),
    kind,
    requestId,
    status,
    stack: scrubSecrets(error.stack ?? ""),
  };
}

const TOKENS_IN_TEXT = /\b(id_token|access_token|refresh_token|client_secret|session|hmac)=[^&\s"']+/gi;
/** A session token, one of Shopify's own (`shpat_…`, `shprt_…`), and whatever stands behind `Bearer`. */
const BARE_TOKENS = /\beyJ[\w-]+\.[\w-]+\.[\w-]+|\bshp\w{2}_\w{8,}|(?<=\bBearer )[\w.~+/=-]{16,}/g;

/** Takes tokens out of free text, such as an address in an error's message or in one of Shopify's package's. */
export function scrubSecrets(text: string): string {
  return text.replace(TOKENS_IN_TEXT, "$1=[redacted]").replace(BARE_TOKENS, "[redacted]");
}
