import type { Exchange, Network, UnderWay, WireAnswer } from "../../app/adapters/shipping/network.ts";
import type { AddressTemplate } from "../../app/domain/records.ts";
import type { Clock } from "../../app/ports.ts";
import type { FakeAccount, Habits } from "./shipping-account.ts";

/** The service's nine operations, as a network that the true shipping adapter speaks to, on any clock. */

export type Operation = "list" | "get" | "create" | "update" | "delete" | "verify" | "token" | "revoke" | "introspect";

/** What becomes of one request. */
export interface Fate {
  /** How long until it arrives; null: it never does. */
  arrivesAfterMs: number | null;
  /** How long from its arrival to its effect: at once, or late. Null: it has none. */
  effectAfterMs: number | null;
  /** How the client hears of it, so long after the arrival. */
  answer:
    | { kind: "true" | "server_error" | "rate_limited" | "unreadable" | "reset" | "unauthorized"; afterMs: number }
    | { kind: "silence" };
}

export interface NetworkOptions {
  clock: Pick<Clock, "after" | "nowMs">;
  accountOf: (clientId: string) => FakeAccount | null;
  habits: Habits;
  fateOf: (operation: Operation) => Fate;
  /** Every arrival, for the judge of the rate. */
  arrived: (arrival: { clientId: string; operation: Operation; atMs: number }) => void;
  /** A template as an answer shows it, where a test has it malformed. */
  shown?: (template: AddressTemplate, operation: Operation) => unknown;
  verdict?: (account: FakeAccount, templateId: string, carrier: string) => void;
  /** Every request as it leaves, with its fate: for telling a story. */
  left?: (
    request: { operation: Operation; requestId: string; templateId: string; body: Record<string, unknown> },
    fate: Fate,
  ) => void;
}

export const PROMPT: Fate = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 20 } };

interface Parsed {
  operation: Operation;
  requestId: string;
  clientId: string;
  reader: string;
  templateId: string;
  page: number;
  body: Record<string, unknown>;
}

export function createFakeNetwork(options: NetworkOptions): Network {
  return { offers: () => true, exchange: (exchange) => send(options, exchange), close: async () => undefined };
}

function send(options: NetworkOptions, exchange: Exchange): UnderWay {
  const { clock, fateOf, arrived, accountOf } = options;
  const request = parse(exchange);
  const fate = fateOf(request.operation);
  options.left?.(request, fate);
  const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
  const account = accountOf(request.clientId);
  // A plan rests on the reading that was there when its write was sent.
  const { templateId, reader } = request;
  const readAtMs = account?.readings.before(templateId, { reader, atMs: clock.nowMs() }) ?? null;
  const refused = fate.answer.kind === "rate_limited" || fate.answer.kind === "unauthorized";
  if (request.operation === "update" && !refused) account?.readings.spend(templateId, reader);
  exchange.onSending();
  const fail = () => reject(new Error("reset"));
  if (fate.arrivesAfterMs === null) {
    if (fate.answer.kind !== "silence") clock.after(fate.answer.afterMs, fail);
    return { answer: promise, stop: fail };
  }
  clock.after(fate.arrivesAfterMs, () => {
    arrived({ clientId: request.clientId, operation: request.operation, atMs: clock.nowMs() });
    let answer: WireAnswer = said(503, "{}");
    const effect = () => {
      answer = perform(options, request, account, readAtMs);
    };
    if (fate.effectAfterMs === 0) effect();
    else if (fate.effectAfterMs !== null) clock.after(fate.effectAfterMs, effect);
    const { answer: told } = fate;
    if (told.kind === "silence") return;
    clock.after(told.afterMs, () => {
      if (told.kind === "reset") return fail();
      exchange.onAnswer();
      const { headers, ...rest } = told.kind === "true" ? answer : ANSWERS[told.kind];
      resolve({ ...rest, headers: { date: new Date(clock.nowMs()).toUTCString(), ...headers } });
    });
  });
  return { answer: promise, stop: fail };
}

const ANSWERS: Record<"server_error" | "rate_limited" | "unreadable" | "unauthorized", WireAnswer> = {
  server_error: said(502, "<html>bad gateway</html>"),
  rate_limited: { ...said(429, "{}"), headers: { "retry-after": "1" } },
  unreadable: said(200, "<html>welcome</html>"),
  unauthorized: said(401, "{}"),
};

function said(status: number, body: string): WireAnswer {
  return { status, headers: {}, body, cutShort: null };
}

function parse({ request, headers }: Exchange): Parsed {
  const path = request.path.replace("/api/v1/", "");
  const requestId = headers["x-request-id"] ?? "";
  const bearer = (headers.authorization ?? "").replace("Bearer token-of-", "");
  if (path.startsWith("oauth/")) {
    const form = new URLSearchParams(request.body ?? "");
    const operation = path.slice("oauth/".length) as "token" | "revoke" | "introspect";
    const reader = readerOf(form.get("client_secret") ?? "");
    return { operation, requestId, clientId: form.get("client_id") ?? "", reader, templateId: "", page: 1, body: {} };
  }
  const [, id = "", verb] = path.split("?")[0]!.split("/");
  const [clientId, reader = ""] = bearer.split("#");
  const body = request.body ? (JSON.parse(request.body) as Record<string, unknown>) : {};
  const page = Number(new URLSearchParams(path.split("?")[1] ?? "").get("page") ?? 1);
  return {
    operation: operationOf(request.method, id, verb),
    requestId,
    clientId: clientId!,
    reader,
    templateId: id,
    page,
    body,
  };
}

/** Two shops may share a client id; who of them asks is told by the first word of the secret, which a new secret keeps. */
export function secretOf(reader: string, nth: number): string {
  return `${reader} ${nth}`;
}

function readerOf(secret: string): string {
  return secret.split(" ")[0]!;
}

function operationOf(method: string, id: string, verb: string | undefined): Operation {
  if (verb) return "verify";
  if (method === "GET") return id ? "get" : "list";
  return method === "POST" ? "create" : method === "PATCH" ? "update" : "delete";
}

function perform(
  options: NetworkOptions,
  request: Parsed,
  account: FakeAccount | null,
  readAtMs: number | null,
): WireAnswer {
  const { clock, habits, verdict } = options;
  const { operation, templateId, body, clientId, reader } = request;
  const atMs = clock.nowMs();
  const template = body["address_template"] as never;
  const shown = (one: AddressTemplate | null) => one && (options.shown ? options.shown(one, operation) : one);
  if (!account) return said(401, JSON.stringify({ error: "invalid_client", error_description: "no such client" }));
  const data = (value: unknown, status = 200) =>
    value ? said(status, JSON.stringify({ data: value })) : said(404, `{"message":"No encontrado"}`);
  switch (operation) {
    case "token":
      return said(
        200,
        JSON.stringify({
          access_token: `token-of-${clientId}#${reader}#${atMs}`,
          token_type: "Bearer",
          expires_in: 7200,
          scope: "default",
        }),
      );
    case "revoke":
      return said(200, "{}");
    case "introspect":
      return said(200, `{"active":true}`);
    case "list": {
      const { templates, totalCount, totalPages } = account.list(request.page, 20, { reader, atMs });
      return said(
        200,
        JSON.stringify({
          data: templates.map(shown),
          meta: { total_count: totalCount, per_page: 20, current_page: request.page, total_pages: totalPages },
        }),
      );
    }
    case "get":
      return data(shown(account.get(templateId, { reader, atMs })));
    case "create":
      return data(shown(account.create(template)), 201);
    case "update":
      return data(shown(account.update(templateId, template, { reader, atMs, readAtMs })));
    case "delete":
      return account.delete(templateId) ? said(200, "") : said(404, `{"message":"No encontrado"}`);
    case "verify": {
      const carriers = body["carriers"] as string[];
      if (carriers.some((carrier) => habits.refuses.includes(carrier))) {
        const { status, body } = habits.refusal ?? {
          status: 422,
          body: `{"error":"CARRIER_VERIFICATION_NOT_ENABLED"}`,
        };
        return said(status, body);
      }
      const asked = account.verify(templateId, carriers);
      if (asked) for (const carrier of carriers) verdict?.(account, templateId, carrier);
      return data(asked, 202);
    }
  }
}
