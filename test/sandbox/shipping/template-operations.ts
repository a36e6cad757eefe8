/** The six operations of the address book (docs/shipping-interface.md, 4.1 to 4.6), each for a client already known. */
import type { StoredTemplate, TemplateInput, Writer } from "./address-book.ts";
import { bookBehind } from "./dialect/behind.ts";
import { keptAddress, keptValue } from "./dialect/keeping.ts";
import type { Reply } from "./replies.ts";
import { empty, json } from "./replies.ts";
import type { Operation } from "./routing.ts";
import { notFound, renderPage, renderTemplate } from "./template-replies.ts";
import type { Client } from "./tokens.ts";
import { addressProblems, refusal, templateProblems } from "./validation.ts";
import type { Problems } from "./validation.ts";
import type { World } from "./world.ts";

export interface TemplateCall {
  client: Client;
  /** The reader for whom this call counts as a reading. */
  reader: string;
  writer: Writer;
  /** Of the path; empty where the path has none. */
  templateId: string;
  query: URLSearchParams;
  /** The parsed body; undefined when it is not a JSON object. */
  body: Record<string, unknown> | undefined;
}

const MAXIMUM_PER_PAGE = 20;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** 4.1 */
function listTemplates(world: World, { client, reader, query }: TemplateCall): Reply {
  const page = wholeNumber(query.get("page"), 1);
  const asked = wholeNumber(query.get("per_page"), MAXIMUM_PER_PAGE);
  const { perPageOver, listBehindMs } = world.behaviour;
  if (page === null || asked === null || (asked > MAXIMUM_PER_PAGE && perPageOver === "reject")) {
    return refusal({ [page === null ? "page" : "per_page"]: ["no es válido"] }, world);
  }
  const templates = bookBehind(world, client.account, listBehindMs);
  const perPage = perPageOver === "allow" ? asked : Math.min(asked, MAXIMUM_PER_PAGE);
  const listed = renderPage(world, { templates, page, perPage });
  world.log.read(
    reader,
    listed.data.map(({ id }) => String(id)),
  );
  return json(200, listed);
}

/** 4.2 */
function getTemplate(world: World, { client, reader, templateId }: TemplateCall): Reply {
  if (world.behaviour.malformedId === "refuse" && !ID.test(templateId)) return refusal({ id: ["no es válido"] }, world);
  const { getBehindMs } = world.behaviour;
  const template = bookBehind(world, client.account, getBehindMs).find(({ id }) => id === templateId);
  if (!template) return notFound(world);
  world.log.read(reader, [templateId]);
  return json(200, shown(world, template));
}

/** 4.3 */
function createTemplate(world: World, { writer, body }: TemplateCall): Reply {
  const input = record(body?.address_template);
  if (!input) return refusal({ address_template: ["no puede estar en blanco"] }, world);
  const given = record(input.address_attributes);
  const problems = templateProblems(input, { whole: true, ...world.behaviour });
  if (given) Object.assign(problems, problemsOf(world, given));
  else problems.address_attributes = ["no puede estar en blanco"];
  if (!given || Object.keys(problems).length > 0) return refusal(problems, world);
  const made = world.book.create(writer, { input: keptInput(world, input), address: kept(world, given) });
  return json(world.behaviour.createStatus, shown(world, made));
}

/** 4.4 */
function updateTemplate(world: World, { client, writer, templateId, body }: TemplateCall): Reply {
  const template = world.book.find(client.account, templateId);
  if (!template) return notFound(world);
  const input = record(body?.address_template);
  if (!input) return refusal({ address_template: ["no puede estar en blanco"] }, world);
  const given = input.address_attributes === undefined ? null : record(input.address_attributes);
  if (given === undefined) return refusal({ address_attributes: ["no es válido"] }, world);
  const problems = templateProblems(input, { whole: false, ...world.behaviour });
  if (given) Object.assign(problems, problemsOfChange(world, { template, given }));
  if (Object.keys(problems).length > 0) return refusal(problems, world);
  const { partialAddress, missingAddress } = world.behaviour;
  const whole = given ?? (missingAddress === "empty" ? {} : null);
  const merged = whole && given && partialAddress === "merge" ? { ...template.address, ...given } : whole;
  world.book.update(template, { writer, input: keptInput(world, input), address: merged && kept(world, merged) });
  return json(200, shown(world, template));
}

/** 4.5 */
function deleteTemplate(world: World, { client, writer, templateId }: TemplateCall): Reply {
  const template = world.book.find(client.account, templateId);
  if (!template) return notFound(world);
  world.book.remove(writer, template);
  const wanted = world.behaviour.deleteBody;
  const shape = wanted === "seed" ? world.chance.pick("delete-body", ["empty", "object", "data"] as const) : wanted;
  if (shape === "empty") return empty(200);
  return shape === "object" ? json(200, {}) : json(200, shown(world, template));
}

/** 4.6: one carrier without verification refuses the whole call. */
function verifyTemplate(world: World, { client, writer, templateId, body }: TemplateCall): Reply {
  const template = world.book.find(client.account, templateId);
  if (!template) return notFound(world);
  const carriers = body?.carriers;
  if (
    !Array.isArray(carriers) ||
    carriers.length === 0 ||
    !carriers.every((name) => typeof name === "string" && name)
  ) {
    return refusal({ carriers: ["no puede estar en blanco"] }, world);
  }
  const { unsupportedCarriers, knownCarriers } = world.behaviour.verification;
  if (knownCarriers && carriers.some((name: string) => !knownCarriers.includes(name))) {
    return json(422, { error: "CARRIER_NOT_FOUND" });
  }
  if (carriers.some((name: string) => unsupportedCarriers.includes(name))) {
    return json(422, { error: "CARRIER_VERIFICATION_NOT_ENABLED" });
  }
  world.book.verify(template, { writer, carriers });
  return json(202, shown(world, template));
}

export type TemplateOperation = Exclude<Operation, "token" | "revoke" | "introspect">;
export type TemplatePerform = (world: World, call: TemplateCall) => Reply;

export const TEMPLATE_OPERATIONS: Record<TemplateOperation, TemplatePerform> = {
  list: listTemplates,
  get: getTemplate,
  create: createTemplate,
  update: updateTemplate,
  delete: deleteTemplate,
  verify: verifyTemplate,
};

function shown({ behaviour, nowMs }: World, template: StoredTemplate) {
  return { data: renderTemplate(template, { behaviour, nowMs: nowMs() }) };
}

function problemsOf({ behaviour }: World, address: Record<string, unknown>): Problems {
  return addressProblems(address, behaviour);
}

interface Change {
  template: StoredTemplate;
  given: Record<string, unknown>;
}

function problemsOfChange(world: World, { template, given }: Change): Problems {
  const { partialAddress, dropFields } = world.behaviour;
  const whole = partialAddress === "reject" ? given : { ...template.address, ...given };
  const problems = problemsOf(world, whole);
  const asked = (field: string) => field in given || (partialAddress !== "replace" && !dropFields.includes(field));
  return Object.fromEntries(Object.entries(problems).filter(([field]) => asked(field)));
}

function kept({ behaviour }: World, given: Record<string, unknown>): Record<string, unknown> {
  return keptAddress(behaviour, given);
}

/** Only an alias is altered: what the log of writes calls the payload stays what was sent in all else. */
function keptInput({ behaviour }: World, input: TemplateInput): TemplateInput {
  if (input.alias_name === undefined) return input;
  return { ...input, alias_name: keptValue(behaviour, { field: "alias_name", value: input.alias_name }) };
}

function record(value: unknown): (TemplateInput & Record<string, unknown>) | undefined {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : undefined;
}

function wholeNumber(text: string | null, otherwise: number): number | null {
  if (text === null) return otherwise;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
