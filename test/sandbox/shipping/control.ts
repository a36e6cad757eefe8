/** The control interface over HTTP: what a test, a demo or a person does to the stand-in from outside its process. */
import type { IncomingMessage } from "node:http";
import type { TemplateInput } from "./address-book.ts";
import type { Served } from "./exchange.ts";
import type { FaultRule } from "./faults.ts";
import type { ClientApplication } from "./options.ts";
import type { ShippingService } from "./server.ts";
import type { Verdict } from "./verification.ts";

export type Control = Omit<ShippingService, "url" | "testUrl" | "productionUrl" | "controlUrl">;

interface ControlCall {
  /** What follows the command in the path. */
  id: string;
  query: URLSearchParams;
  body: unknown;
}

type Command = (control: Control, call: ControlCall) => unknown;

/** By method and command; README.md lists them. */
const COMMANDS: Record<string, Command> = {
  "GET report": (control) => control.report(),
  "GET faults": (control) => control.faults.list(),
  "POST faults": (control, { body }) => ({ ids: control.faults.set(body as FaultRule | FaultRule[]) }),
  "DELETE faults": (control, { id }) => control.faults.clear(id || undefined),
  "POST down": (control, { body }) => control.goDown(object(body).forMs as number | undefined),
  "POST up": (control) => control.comeUp(),
  "GET clients": (control) => control.clients(),
  "POST clients": (control, { body }) =>
    many(body).map((one) => control.addClient(one as unknown as ClientApplication)),
  "GET templates": (control, { query }) => {
    const clientId = query.get("client_id");
    return clientId ? control.templates(clientId) : control.allTemplates();
  },
  "POST templates": (control, { body }) =>
    many(body).map(({ client_id: clientId, ...input }) =>
      control.createTemplate(String(clientId), input as TemplateInput),
    ),
  "PATCH templates": (control, { id, body }) => control.editTemplate(id, object(body) as TemplateInput),
  "DELETE templates": (control, { id }) => control.deleteTemplate(id),
  "POST revoke-tokens": (control, { body }) => ({ revoked: control.revokeTokens(String(object(body).client_id)) }),
  "POST verification": (control, { body }) => control.setVerdict(object(body) as unknown as Verdict),
  "GET behaviour": (control) => control.configure({}),
  "POST behaviour": (control, { body }) => control.configure(object(body)),
  "GET log": (control, { query }) => control.log(Number(query.get("since") ?? 0)),
  "POST reset": (control) => control.reset(),
};

/** Answers JSON; 400 with a message where the call makes no sense, 404 where there is no such command. */
export async function answerControl(control: Control, { request, response }: Served): Promise<void> {
  const { status, value } = await outcome(control, request);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", connection: "close" });
  response.end(JSON.stringify(value ?? {}));
}

async function outcome(control: Control, request: IncomingMessage): Promise<{ status: number; value: unknown }> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://control");
  const [, root, name = "", id = ""] = pathname.split("/");
  const command = root === "control" ? COMMANDS[`${request.method} ${name}`] : undefined;
  if (!command) return { status: 404, value: { message: `no such command: ${request.method} ${pathname}` } };
  try {
    const text = Buffer.concat(await request.toArray()).toString();
    const body: unknown = text ? JSON.parse(text) : undefined;
    return { status: 200, value: await command(control, { id: decodeURIComponent(id), query, body }) };
  } catch (error) {
    return { status: 400, value: { message: error instanceof Error ? error.message : String(error) } };
  }
}

function object(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (body === null || typeof body !== "object" || Array.isArray(body)) throw new RangeError("body: a JSON object");
  return { ...body };
}

function many(body: unknown): Record<string, unknown>[] {
  return Array.isArray(body) ? body.map(object) : [object(body)];
}
