/** One request's way through the stand-in: arrival, rate, fault, effect, answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Ending } from "./endings.ts";
import { end, endingOf } from "./endings.ts";
import type { FaultTarget } from "./faults.ts";
import { html } from "./replies.ts";
import { routeOf } from "./routing.ts";
import type { PreparedCall } from "./service.ts";
import { prepare } from "./service.ts";
import { tooMany } from "./template-replies.ts";
import { clientKey } from "./tokens.ts";
import type { World } from "./world.ts";

export interface Served {
  request: IncomingMessage;
  response: ServerResponse;
}

const LONGEST_BODY_BYTES = 1024 * 1024;

/**
 * Serves one request of the interface. An arrival is timed on the monotonic clock, when the request's headers come in. If a rule slows the
 * way in, the arrival is at the end of that delay, because the delay stands for the network's, and a client that hangs up does not call its
 * bytes back.
 */
export async function exchange(world: World, { request, response }: Served): Promise<void> {
  const headersAtMs = performance.now();
  const route = routeOf(request.method ?? "", request.url ?? "");
  const body = await readBody(request);
  const call = prepare(world, {
    route,
    authorization: request.headers.authorization ?? "",
    contentType: request.headers["content-type"] ?? "",
    userAgent: request.headers["user-agent"] ?? "",
    body: body.text,
  });
  const { operation, environment, templateId, query } = route;
  const page = operation === "list" ? Number(query.get("page") ?? 1) : null;
  const target: FaultTarget = { operation, environment, clientId: call.clientId, templateId, page, grant: call.grant };
  const wayInMs = world.faults.delay(target, "in");
  if (wayInMs > 0) await pause(wayInMs, undefined, { ref: false });

  const client = clientKey(route.environment, call.clientId ?? "unknown");
  const { rateLimit, enforceRate } = world.behaviour;
  const inSecond = world.arrivals.arrive(client, {
    atMs: wayInMs > 0 ? performance.now() : headersAtMs,
    limit: rateLimit,
  });
  world.tally.call(route.operation, client);
  if (world.keepRequests > 0) capture(world, { request, body: body.text });

  const ending = endOfCall(world, {
    target,
    call,
    body,
    overRate: enforceRate && call.clientId !== null && inSecond > rateLimit,
  });
  const wayOutMs = world.faults.delay(target, "out");
  if (wayOutMs > 0) await pause(wayOutMs, undefined, { ref: false });
  world.tally.answered(ending.kind === "reply" ? ending.reply.status : null);
  response.setHeader("x-request-id", request.headers["x-request-id"] ?? world.chance.uuid("request"));
  for (const [name, value] of Object.entries(world.behaviour.moreHeaders)) response.setHeader(name, value);
  end(response, ending);
}

interface ArrivedCall {
  target: FaultTarget;
  call: PreparedCall;
  body: Body;
  overRate: boolean;
}

/** A call over the rate limit meets no fault and has no effect; nor does a call whose body broke off. */
function endOfCall(world: World, { target, call, body, overRate }: ArrivedCall): Ending {
  if (overRate) {
    world.tally.refusedOverRate();
    return { kind: "reply", reply: tooMany(world) };
  }
  if (body.state === "broken") return { kind: "closed", abrupt: false };
  if (body.state === "too-long") return { kind: "reply", reply: html(413, "413 Payload Too Large") };
  if (call.refused) return { kind: "reply", reply: call.refused };
  const fault = world.faults.strike(target);
  return fault ? endingOf(world, { fault, target, call }) : { kind: "reply", reply: call.perform("client") };
}

function capture(world: World, { request, body }: { request: IncomingMessage; body: string }): void {
  const { method = "", url = "", rawHeaders } = request;
  world.requests.push({ method, url, rawHeaders, body });
  if (world.requests.length > world.keepRequests) world.requests.shift();
}

interface Body {
  text: string;
  state: "whole" | "broken" | "too-long";
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  let state: Body["state"] = "whole";
  try {
    for await (const chunk of request) {
      length += chunk.length;
      if (length <= LONGEST_BODY_BYTES) chunks.push(chunk);
      else state = "too-long";
    }
  } catch {
    state = "broken";
  }
  return { text: Buffer.concat(chunks).toString(), state };
}
