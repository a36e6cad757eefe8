import type { WireAnswer } from "../../app/adapters/shipping/network.ts";
import { asRecord, asText, parseJson } from "../../app/adapters/shipping/wire/json.ts";
import { isHtml } from "../../app/adapters/shipping/wire/problem.ts";
import type { Shape } from "./seen.ts";

/** The forms of answers, without their words: what a service says may repeat what stands in an account. Pure. */

const DEEPEST = 4;
const MOST_MEMBERS = 12;
/** A machine's word for a fault: `invalid_client`, `CARRIER_VERIFICATION_NOT_ENABLED`. */
const CODE = /^[A-Za-z]+(?:_[A-Za-z0-9]+){0,8}$/;
/** What may name a member: a name of the interface's kind, not a value that became one. */
const NAME = /^[a-z][a-z0-9_.[\]]{0,60}$/i;

export function shapeOf(answer: WireAnswer): Shape {
  const value = parseJson(answer.body);
  const isJson = value !== undefined && answer.body.trim() !== "";
  const body = answer.body.trim() === "" ? "empty" : isJson ? "json" : isHtml(answer.body) ? "html" : "text";
  return { status: answer.status, body, skeleton: isJson ? skeleton(value) : null, code: codeIn(value) };
}

function skeleton(value: unknown): string {
  return JSON.stringify(bones(value, 0));
}

function bones(value: unknown, depth: number): unknown {
  if (depth > DEEPEST) return "…";
  if (Array.isArray(value)) return value.length === 0 ? [] : [bones(value[0], depth + 1)];
  const record = asRecord(value);
  if (!record) return value === null ? null : typeof value === "string" ? "text" : typeof value;
  const members = Object.entries(record).slice(0, MOST_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [NAME.test(name) ? name : "(name)", bones(member, depth + 1)]),
  );
}

/** The word after `error` or `code`, where it is one. */
function codeIn(value: unknown): string | null {
  const record = asRecord(value);
  const text = asText(record?.["error"]) ?? asText(record?.["code"]);
  return text !== null && CODE.test(text) && text.length <= 60 ? text : null;
}
