/** The control interface over HTTP: what a test, a demo or a person does to the stand-in from outside its process. */
import type { IncomingMessage } from "node:http";
import type { TemplateInput } from "./address-book.ts";
import type { Served } from "./exchange.ts";
import type { Behaviour, BehaviourChange, ClientApplication, FaultRule } from "./options.ts";
import type { Environment } from "./routing.ts";
import type { ActiveFault } from "./faults.ts";
import type { Report } from "./tally.ts";
import type { Client } from "./tokens.ts";
import type { CapturedRequest } from "./world.ts";
import type { WriteEntry } from "./write-log.ts";
import type { Verdict } from "./verification.ts";

/** A template as the service shows it, with the account it belongs to. */
export interface AccountTemplate extends Record<string, unknown> {
  id: string;
  account: string;
}

/** What a test, a demo or a person does to the stand-in. */
export interface Control {
  report(): Report;
  faults: {
    /** Adds rules; returns their ids. Throws a RangeError for a rule that makes no sense. */
    set(rules: FaultRule | FaultRule[]): string[];
    clear(id?: string): void;
    list(): ActiveFault[];
  };
  /** Connections are refused and open ones dropped; `forMs`: up again by itself. */
  goDown(forMs?: number): Promise<void>;
  comeUp(): Promise<void>;
  clients(): Client[];
  addClient(application: ClientApplication): Client;
  /** Templates of a client's account, in order of creation. Throws a RangeError for an unknown client. */
  templates(clientId: string, environment?: Environment): AccountTemplate[];
  allTemplates(): AccountTemplate[];
  /** What a person does in the service's own pages; nothing is validated. Throws a RangeError for an unknown client or template. */
  createTemplate(clientId: string, input: TemplateInput): AccountTemplate;
  editTemplate(templateId: string, change: TemplateInput): AccountTemplate;
  deleteTemplate(templateId: string): void;
  /** Ends a client's tokens behind its back; returns how many lived. */
  revokeTokens(clientId: string): number;
  /** Says what a carrier answers now. */
  setVerdict(verdict: Verdict): AccountTemplate;
  /** Changes choices of the behaviour from the next call on. Throws a RangeError for a name that is none. */
  configure(part: BehaviourChange): Behaviour;
  /** Writes that took effect after a sequence number (default 0), oldest first, as far as they are kept. */
  log(since?: number): WriteEntry[];
  /** Raw requests, if `keepRequests` says so; secrets included. */
  requests(): CapturedRequest[];
  /** Back to the start: templates, tokens, counts, faults and behaviour. The ids that come after were never used before. */
  reset(): void;
  stop(): Promise<void>;
}

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
