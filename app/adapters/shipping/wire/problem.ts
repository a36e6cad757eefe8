import type { ServiceProblem } from "../../../domain/errors.ts";
import { asRecord, asText, parseJson } from "./json.ts";

/**
 * Every form of a refusal as one shape: `{fields, message, serviceMessage, code}`. The test lists the known forms; an unknown one ends as a
 * message, or as nothing. Pure; never throws.
 */

/** Names that wrap a field's name, both as nesting and in dotted names. */
const WRAPPERS = new Set(["address_template", "address_attributes", "address", "errors", "error", "data"]);
/** Members that concern the whole request. */
const GENERAL = new Set(["message", "error_description", "detail", "title", "base"]);
/** Members that tell a person nothing useful. */
const SILENT = new Set([
  "success",
  "status",
  "code",
  "timestamp",
  "path",
  "request_id",
  "trace_id",
  "type",
  "instance",
]);

const LONGEST_MESSAGE = 500;
const MOST_MESSAGES = 50;
const DEEPEST = 6;

interface Findings {
  fields: Map<string, string[]>;
  general: string[];
  code: string | null;
  count: number;
  clean: (text: string) => string;
}

/**
 * The problem in an answer that is no success. HTML is a proxy's page and is not quoted. `clean` removes secrets of the request that the
 * service repeats.
 */
export function readProblem(answer: {
  status: number;
  body: string;
  requestId: string;
  clean: (text: string) => string;
}): ServiceProblem {
  const { status, body, requestId, clean } = answer;
  const found: Findings = { fields: new Map(), general: [], code: null, count: 0, clean };
  const value = parseJson(body);
  if (value === undefined) addPlainText(found, body);
  else read(found, value, null, 0);
  const message = found.general[0] ?? null;
  const quoted = [...found.general, ...[...found.fields].map(([name, messages]) => `${name}: ${messages.join(", ")}`)];
  return {
    fields: Object.fromEntries(found.fields),
    message,
    serviceMessage: quoted.length > 0 ? quoted.join(" · ").slice(0, LONGEST_MESSAGE * 4) : found.code,
    code: found.code,
    status,
    requestId,
  };
}

/** Whether a body is a page. The service itself answers in JSON or with no body. */
export function isHtml(body: string): boolean {
  return body.trimStart().startsWith("<");
}

function addPlainText(found: Findings, body: string): void {
  const text = body.trim();
  if (text !== "" && !isHtml(body)) addGeneral(found, text);
}

/** `field` is the nearest enclosing name that may be a field; null at the top and inside wrappers. */
function read(found: Findings, value: unknown, field: string | null, depth: number): void {
  if (depth > DEEPEST || found.count >= MOST_MESSAGES) return;
  if (Array.isArray(value)) return value.forEach((item) => read(found, item, field, depth + 1));
  const record = asRecord(value);
  if (!record) {
    const text = asText(value);
    if (text !== null) addText(found, field, text);
    return;
  }
  const named = asText(record["field"]) ?? asText(record["attribute"]);
  const saying = asText(record["message"]);
  if (named !== null && saying !== null) return addText(found, fieldName(found.clean(named)), saying);
  for (const [name, member] of Object.entries(record)) readMember(found, { name, member, field }, depth);
}

function readMember(found: Findings, at: { name: string; member: unknown; field: string | null }, depth: number): void {
  const { name, member, field } = at;
  const text = asText(member);
  if ((name === "error" || name === "code") && text !== null && isCode(text)) found.code ??= found.clean(text);
  else if (SILENT.has(name)) return;
  else if (name === "error" && text !== null) addGeneral(found, text);
  else if (GENERAL.has(name)) read(found, member, field, depth + 1);
  else read(found, member, fieldName(found.clean(name)) ?? field, depth + 1);
}

/** `address_template.address_attributes.phone` gives `phone`; the name of a wrapper or an index gives null. */
function fieldName(name: string): string | null {
  const parts = name.split(/[.[\]/]+/).filter((part) => part !== "" && !/^\d+$/.test(part) && !WRAPPERS.has(part));
  return parts.at(-1)?.slice(0, 64) ?? null;
}

/** `CARRIER_VERIFICATION_NOT_ENABLED` and `invalid_client` are codes; "Not Found" is words. */
function isCode(text: string): boolean {
  return /^[A-Za-z]+(_[A-Za-z0-9]+)+$|^[A-Z][A-Z0-9]+$/.test(text);
}

function addText(found: Findings, field: string | null, text: string): void {
  const trimmed = text.trim();
  if (trimmed === "") return;
  if (field === null) return addGeneral(found, trimmed);
  const messages = found.fields.get(field) ?? [];
  found.fields.set(field, [...messages, found.clean(trimmed).slice(0, LONGEST_MESSAGE)]);
  found.count += 1;
}

function addGeneral(found: Findings, text: string): void {
  found.general.push(found.clean(text).slice(0, LONGEST_MESSAGE));
  found.count += 1;
}
