import type { WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { Client, StandIn } from "./stand-in.ts";

/** One request to a stand-in, as the app's network sends it. */

export interface Said {
  status: number;
  headers: WireAnswer["headers"];
  /** Undefined when the body is no JSON. */
  json: ReturnType<typeof JSON.parse>;
}

export interface Asked {
  token?: string | undefined;
  body?: object;
  form?: Record<string, string>;
  requestId?: string;
  environment?: "test" | "production";
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const API = "/api/v1";
export const BOOK = "/address_templates";

/** `ask(standIn, "GET /address_templates")`, below the interface's version. */
export async function ask(standIn: StandIn, line: string, asked: Asked = {}): Promise<Said> {
  const { token, body, form, requestId = "request-1", environment = "test" } = asked;
  const [method, path] = line.split(" ") as [Method, string];
  const text = form ? new URLSearchParams(form).toString() : body ? JSON.stringify(body) : null;
  const contentType = form ? "application/x-www-form-urlencoded" : body ? "application/json" : null;
  const { answer } = standIn.network.exchange({
    environment,
    request: { method, path: API + path, contentType, body: text },
    headers: {
      "user-agent": "Origen/contract",
      "x-request-id": requestId,
      ...(contentType && { "content-type": contentType }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    onSending: () => true,
    onAnswer: () => undefined,
  });
  const { status, headers, body: said } = await standIn.run(answer);
  return { status, headers, json: parsed(said) };
}

export function credentials({ clientId, clientSecret }: Client): Record<string, string> {
  return { client_id: clientId, client_secret: clientSecret };
}

export async function tokenOf(standIn: StandIn, client = standIn.clients[0]): Promise<string> {
  const form = { grant_type: "client_credentials", ...credentials(client) };
  return String((await ask(standIn, "POST /oauth/token", { form })).json.access_token);
}

export const ADDRESS = {
  name: "Ana Ruiz",
  street1: "Calle Hamburgo",
  street_number: "70",
  postal_code: "06600",
  area_level1: "Ciudad de México",
  area_level2: "Cuauhtémoc",
  area_level3: "Juárez",
  country_code: "MX",
  phone: "5555536266",
  email: "ana@tienda.example",
  reference: "Portón verde",
};

export function draft(alias: string, address: Record<string, unknown> = ADDRESS): { address_template: object } {
  return { address_template: { alias_name: alias, address_type: "from", address_attributes: address } };
}

/** A template that is there; its id. */
export async function made(standIn: StandIn, token: string, alias = "Bodega"): Promise<string> {
  const { status, json } = await ask(standIn, `POST ${BOOK}`, { token, body: draft(alias) });
  if (status !== 201) throw new Error(`not created: ${status}`);
  return String(json.data.id);
}

/** Of the class of statuses that a definite refusal has where the interface states none. */
export function isRefusal(status: number): boolean {
  return status === 400 || status === 422;
}

/** Undefined when the text is no JSON. */
export function parsed(text: string): Said["json"] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
