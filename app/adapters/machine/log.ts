import { pino } from "pino";
import type { Log } from "../../ports.ts";
import { namingSources } from "./source-names.ts";

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

/** Keeps what identifies a defect, and drops what may hold a request's or an answer's body. */
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
    stack: scrubSecrets(namingSources(error.stack ?? "")),
  };
}

const TOKENS_IN_TEXT = /\b(id_token|access_token|refresh_token|client_secret|session|hmac)=[^&\s"']+/gi;
/** A session token, a token of Shopify's (`shpat_…`, `shprt_…`), and whatever follows `Bearer`. */
const BARE_TOKENS = /\beyJ[\w-]+\.[\w-]+\.[\w-]+|\bshp\w{2}_\w{8,}|(?<=\bBearer )[\w.~+/=-]{16,}/g;

/** Removes tokens from free text, such as a URL in the message of an error. */
export function scrubSecrets(text: string): string {
  return text.replace(TOKENS_IN_TEXT, "$1=[redacted]").replace(BARE_TOKENS, "[redacted]");
}
