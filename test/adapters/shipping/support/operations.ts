import { isAppError } from "../../../../app/domain/errors.ts";
import type { ConnectionRef, Credentials, ShippingService } from "../../../../app/ports.ts";
import { DELETE, DRAFT, INTERACTIVE, WRITE } from "./world.ts";

/** Of its own, so that the reading that a delete begins with is told from a get. */
export const DELETED_ID = "t-9";

/** The nine operations by name, each as one call through the port, and its end as one word. */

type Operation = (service: ShippingService, at: { ref: ConnectionRef; credentials: Credentials }) => Promise<unknown>;

export const NINE = {
  list: (service, { ref }) => service.account(ref).listPage({ ...INTERACTIVE, page: 1 }),
  get: (service, { ref }) => service.account(ref).get("t-1", INTERACTIVE),
  create: (service, { ref }) => service.account(ref).create(DRAFT, WRITE),
  update: (service, { ref }) => service.account(ref).update("t-1", { alias_name: "x" }, WRITE),
  delete: (service, { ref }) => service.account(ref).delete(DELETED_ID, DELETE),
  verify: (service, { ref }) => service.account(ref).verifyByCarriers("t-1", ["fedex"], INTERACTIVE),
  token: (service, { credentials }) => service.obtainToken(credentials, INTERACTIVE),
  revoke: (service, { credentials }) =>
    service.revoke({ credentials, accessToken: "t", refreshToken: null }, INTERACTIVE),
  introspect: (service, { ref }) => service.introspect(ref, INTERACTIVE),
} as const satisfies Record<string, Operation>;

export type NineName = keyof typeof NINE;

/** Those that change something at the service. */
export const WRITES = ["create", "update", "delete"] as const satisfies NineName[];

export const NAMES = Object.keys(NINE) as NineName[];

/**
 * A returned outcome by its kind; a thrown `AppError` as `!kind`, or `!kind?` when it may have happened. Anything else that is
 * thrown comes out as it is.
 */
export async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    const value = await call;
    if (typeof value === "boolean") return String(value);
    return typeof value === "object" && value !== null && "kind" in value ? String(value.kind) : "read";
  } catch (error) {
    if (!isAppError(error)) throw error;
    return `!${error.kind}${error.effect === "unknown" ? "?" : ""}`;
  }
}

/** Answers as the interface has them. */
export const TEMPLATE = {
  id: "t-1",
  alias_name: DRAFT.alias_name,
  address_type: "from",
  default: false,
  address: { ...DRAFT.address_attributes, rfc: null, tax_id_number: null, tax_id_type: null },
  verified_carriers: [{ carrier_name: "fedex", status: "process", update_state: null, verification_id: null }],
};

const data = { data: TEMPLATE };
const meta = { total_count: 1, per_page: 20, current_page: 1, total_pages: 1, next_page: null, prev_page: null };

export const GOOD: Record<NineName, { status: number; body: unknown }> = {
  list: { status: 200, body: { data: [TEMPLATE], meta } },
  get: { status: 200, body: data },
  create: { status: 201, body: data },
  update: { status: 200, body: data },
  delete: { status: 200, body: {} },
  verify: { status: 202, body: data },
  token: {
    status: 200,
    body: { access_token: "fresh", token_type: "Bearer", expires_in: 7200, scope: "default", created_at: 1 },
  },
  revoke: { status: 200, body: {} },
  introspect: { status: 200, body: { active: true, scope: "default", exp: 2_000_000_000 } },
};

/** The answer as the interface has it, of the template that is asked for. */
export function goodFor(request: { method: string; path: string }): { status: number; body: unknown } {
  const name = nameOf(request);
  if (name !== "get" || !request.path.endsWith(DELETED_ID)) return GOOD[name];
  return { status: 200, body: { data: { ...TEMPLATE, id: DELETED_ID } } };
}

export function nameOf({ method, path }: { method: string; path: string }): NineName {
  const oauth = /\/oauth\/(token|revoke|introspect)$/.exec(path)?.[1];
  if (oauth) return oauth as NineName;
  if (path.endsWith("/verify_by_carriers")) return "verify";
  if (method === "POST") return "create";
  if (method === "PATCH") return "update";
  if (method === "DELETE") return "delete";
  return /address_templates\/[^/?]+$/.test(path) ? "get" : "list";
}
