import { asCount, asRecord, parseJson } from "../../../app/adapters/shipping/wire/json.ts";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { Asking } from "../asking.ts";
import type { Seen } from "../seen.ts";
import { listEnds } from "../scratch.ts";
import { ask } from "../service.ts";
import { shapeOf } from "../shape.ts";
import { note } from "./tokens.ts";

/** docs/shipping-interface.md, 4.1 to 4.3: pages, unknown ids, what is refused, and the list's order. */

const MOST = 20;
const ASKED = 50;

export async function askPages(asking: Asking): Promise<void> {
  const { service, seen, call } = asking;
  const { client, caller } = service;
  note(asking, "list", await ask(service, () => client.list(caller, { ...call, page: 1 })));
  const { answer } = await ask(service, () => client.list(caller, { ...call, page: 1, perPage: ASKED }));
  const over = answer && perPageOver(answer);
  if (over) seen.perPageOver = over;
}

function perPageOver(answer: { status: number; body: string }): Seen["perPageOver"] | null {
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return "reject";
  if (answer.status !== 200) return null;
  const body = asRecord(parseJson(answer.body));
  const told = asCount(asRecord(body?.["meta"])?.["per_page"]);
  const rows = Array.isArray(body?.["data"]) ? body["data"].length : 0;
  if (rows > MOST || told === ASKED) return "allow";
  return told !== null && told <= MOST ? "cap" : null;
}

export async function askUnknownIds({ service, seen, call }: Asking): Promise<void> {
  const { client, caller } = service;
  const none = await ask(service, () => client.get(caller, "00000000-0000-0000-0000-000000000000", call));
  if (none.answer) seen.notFound = shapeOf(none.answer);
  const malformed = await ask(service, () => client.get(caller, "not-an-id", call));
  if (malformed.answer) seen.malformedId = shapeOf(malformed.answer);
}

/** A create without a name and with a postal code that is none. A service that takes it has made one more scratch template. */
export async function askRefusal({ scratch, seen }: Asking): Promise<void> {
  const { outcome } = await scratch.make({ name: "", postal_code: "0" });
  const { answer, value } = outcome;
  if (!answer || value?.kind !== "refused") return;
  const named = Object.keys(value.problem.fields);
  const isNamed = (field: string) => named.includes(field);
  seen.refusal = { ...shapeOf(answer), namesField: isNamed("name") || isNamed("postal_code") };
}

export async function makeTemplates(asking: Asking): Promise<void> {
  const { scratch, made, seen } = asking;
  for (const purpose of ["changed", "verified", "deleted"] as const) {
    const { made: template, outcome } = await scratch.make();
    note(asking, "create", outcome);
    if (template) made[purpose] = template;
    if (template && outcome.answer) seen.moreFields ??= moreFields(outcome.answer.body);
  }
}

const FIELDS = new Set(["id", "alias_name", "address_type", "default", "address", "verified_carriers"]);
const ADDRESS = new Set<string>([...ADDRESS_FIELDS, "tax_id_number", "tax_id_type"]);

function moreFields(body: string): string[] {
  const template = asRecord(asRecord(parseJson(body))?.["data"]) ?? {};
  const address = asRecord(template["address"]) ?? {};
  const above = Object.keys(template).filter((name) => !FIELDS.has(name));
  const within = Object.keys(address).filter((name) => !ADDRESS.has(name));
  return [...above, ...within.map((name) => `address.${name}`)].sort();
}

/** After the three were made, and before any was changed; asked again once the first was changed. */
export async function askOrder({ service, seen, made, call }: Asking): Promise<void> {
  const ids = [made.changed, made.verified, made.deleted].map((each) => each?.template.id);
  const rows = (await listEnds(service, call.signal)).map(({ id }) => ids.indexOf(id)).filter((at) => at !== -1);
  if (rows.length < ids.length) return;
  const order = ORDERS.get(rows.join("")) ?? "other";
  const before = seen.order;
  seen.order = before === undefined || before === order ? order : "last_changed";
}

/** 0, 1, 2 in the order in which they were made; their names are 50, 20, 80. */
const ORDERS = new Map<string, NonNullable<Seen["order"]>>([
  ["012", "oldest"],
  ["210", "newest"],
  ["102", "alias"],
]);
