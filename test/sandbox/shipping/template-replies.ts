/** Address templates as replies show them (docs/shipping-interface.md, 2.1, 2.2 and 2.4), and the refusals of resource calls. */
import type { StoredTemplate } from "./address-book.ts";
import type { Behaviour } from "./options.ts";
import type { Reply } from "./replies.ts";
import { empty, html, json } from "./replies.ts";
import { ADDRESS_FIELDS } from "./validation.ts";
import type { RenderOptions } from "./verification.ts";
import { renderVerification } from "./verification.ts";
import type { World } from "./world.ts";

const NULLABLE: readonly string[] = ["company", "street_number", "apartment_number", "area_level3", "reference", "rfc"];

export function renderTemplate(template: StoredTemplate, options: RenderOptions): Record<string, unknown> {
  const rendered: Record<string, unknown> = {
    id: template.id,
    alias_name: template.alias_name,
    address_type: template.address_type,
    default: template.default,
    address: renderAddress(template.address, options.behaviour),
    verified_carriers: template.verifications.map((entry) => renderVerification(entry, options)),
  };
  if (!options.behaviour.unknownFields) return rendered;
  return {
    ...rendered,
    object: "address_template",
    created_at: new Date(template.createdAtMs).toISOString(),
    tags: [],
  };
}

function renderAddress(address: Record<string, unknown>, behaviour: Behaviour): Record<string, unknown> {
  const rendered: Record<string, unknown> = behaviour.unknownFields
    ? { latitude: null, further_information: null }
    : {};
  for (const field of ADDRESS_FIELDS) {
    const value = address[field] ?? (NULLABLE.includes(field) ? null : "");
    if (value !== null || !behaviour.omitNulls) rendered[field] = value;
  }
  for (const [field, value] of Object.entries(address))
    if (!(field in rendered) && value !== null) rendered[field] = value;
  if (!behaviour.omitNulls) Object.assign(rendered, { tax_id_number: null, tax_id_type: null });
  return rendered;
}

export interface Page {
  templates: StoredTemplate[];
  /** From 1. */
  page: number;
  perPage: number;
}

function inOrder(templates: StoredTemplate[], order: Behaviour["order"]): StoredTemplate[] {
  if (order === "newest") return templates.toReversed();
  if (order === "oldest") return templates;
  return templates.toSorted((one, other) => (String(one.alias_name) < String(other.alias_name) ? -1 : 1));
}

/** 4.1: one page of the account's templates with `meta`. */
export function renderPage(
  { behaviour, nowMs }: World,
  { templates, page, perPage }: Page,
): { data: Record<string, unknown>[]; meta: Record<string, unknown> } {
  const ordered = inOrder(templates, behaviour.order);
  const options = { behaviour, nowMs: nowMs() };
  const totalPages = Math.max(1, Math.ceil(ordered.length / perPage));
  return {
    data: ordered.slice((page - 1) * perPage, page * perPage).map((one) => renderTemplate(one, options)),
    meta: {
      total_count: ordered.length,
      per_page: perPage,
      current_page: page,
      total_pages: totalPages,
      next_page: page < totalPages ? page + 1 : null,
      prev_page: page > 1 ? page - 1 : null,
    },
  };
}

/** 404: the status decides, the body is any of those seen. */
export function notFound({ behaviour, chance }: World): Reply {
  const wanted = behaviour.notFoundShape;
  const shape = wanted === "seed" ? chance.pick("not-found-shape", ["message", "error", "html"] as const) : wanted;
  if (shape === "message") return json(404, { message: "No se encontró la dirección solicitada." });
  return shape === "error" ? json(404, { error: "Not Found" }) : html(404, "404 Not Found");
}

/** 401 of a resource: missing, unknown, expired or revoked token. */
export function unauthorized({ behaviour, chance }: World): Reply {
  const wanted = behaviour.unauthorizedShape;
  const shape = wanted === "seed" ? chance.pick("unauthorized-shape", ["json", "html", "empty"] as const) : wanted;
  const reply =
    shape === "json"
      ? json(401, { error: "The access token is invalid" })
      : shape === "html"
        ? html(401, "401 Unauthorized")
        : empty(401);
  reply.headers["www-authenticate"] = 'Bearer realm="api", error="invalid_token"';
  return reply;
}

/** 429, with the pause as seconds, as a date, or unsaid. `named` overrides what the behaviour would say. */
export function tooMany({ behaviour, chance, nowMs }: World, named?: number | string | null): Reply {
  const shapes = [
    json(429, { message: "Límite de solicitudes excedido" }),
    html(429, "429 Too Many Requests"),
    empty(429),
  ];
  const reply = chance.pick("too-many-shape", shapes);
  if (named !== undefined) {
    if (named !== null) reply.headers["retry-after"] = String(named);
    return reply;
  }
  const wanted = behaviour.retryAfter;
  const form = wanted === "seed" ? chance.pick("retry-after-form", ["seconds", "date", "absent"] as const) : wanted;
  if (form === "absent") return reply;
  const seconds = chance.whole("retry-after-seconds", behaviour.retryAfterSeconds);
  reply.headers["retry-after"] =
    form === "seconds" ? String(seconds) : new Date(nowMs() + seconds * 1000).toUTCString();
  return reply;
}
