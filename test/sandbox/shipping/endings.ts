/** How a call ends: with its reply, or as the fault that struck it has it. */
import type { ServerResponse } from "node:http";
import type { ActiveFault, FaultTarget } from "./faults.ts";
import { drawDelay } from "./faults.ts";
import type { Reply } from "./replies.ts";
import { html, json, tokenError } from "./replies.ts";
import type { PreparedCall } from "./service.ts";
import { tooMany, unauthorized } from "./template-replies.ts";
import { refusal } from "./validation.ts";
import type { World } from "./world.ts";

export type Ending =
  | { kind: "reply"; reply: Reply }
  /** The connection goes without a byte of an answer; `abrupt`: with a TCP reset. */
  | { kind: "closed"; abrupt: boolean }
  /** No answer ever. */
  | { kind: "silence" }
  /** Headers and half of the body, then the connection goes (`cut`) or nothing more comes. */
  | { kind: "half"; reply: Reply; cut: boolean };

export interface Struck {
  fault: ActiveFault;
  target: FaultTarget;
  call: PreparedCall;
}

const HUGE_BYTES = 3 * 1024 * 1024;

/**
 * Applies a fault to a call that was not refused. The call's effect happens now, later or never, and the fault decides how the call ends.
 */
export function endingOf(world: World, { fault, target, call }: Struck): Ending {
  const effect = (otherwise: boolean) => ((fault.effect ?? otherwise) ? call.perform("client") : null);
  const serverError = () => errorReply(world, fault);
  switch (fault.kind) {
    case "lost-reply":
      call.perform("client");
      return { kind: "closed", abrupt: false };
    case "late-effect":
      world.later(drawDelay(fault, world.chance, target), () => call.perform("late"));
      if (fault.answer === "hang") return { kind: "silence" };
      return fault.answer === "error" ? answer(html(504, "504 Gateway Timeout")) : { kind: "closed", abrupt: false };
    case "error-before":
      return answer(serverError());
    case "error-after":
      call.perform("client");
      return answer(serverError());
    case "reset":
      return { kind: "closed", abrupt: true };
    case "hang":
      effect(false);
      return { kind: "silence" };
    case "html": {
      const status = fault.status ?? world.chance.pick("html-status", [200, 403, 502]);
      effect(status < 300);
      return answer(html(status, status < 300 ? "Mantenimiento" : `${status} nginx`));
    }
    case "unreadable-json": {
      const reply = effect(true) ?? json(200, { data: null });
      return answer({ ...reply, body: `${reply.body.slice(0, Math.ceil(reply.body.length / 2))}\u0000{` });
    }
    case "cut-reply":
    case "stalled-reply":
      return { kind: "half", reply: effect(true) ?? json(200, { data: null }), cut: fault.kind === "cut-reply" };
    case "huge-reply": {
      const reply = effect(true) ?? json(200, { data: null });
      return answer({ ...reply, body: reply.body + " ".repeat(HUGE_BYTES) });
    }
    case "redirect":
      return answer({ ...html(fault.status ?? 302, "302 Found"), headers: { location: "/" } });
    case "unauthorized":
      return answer(unauthorized(world));
    case "too-many":
      return answer(tooMany(world, fault.retryAfter));
    case "invalid-client":
      return answer(tokenError(target.operation === "revoke" ? 403 : 401, "invalid_client"));
    case "invalid-grant":
      return answer(tokenError(fault.status ?? world.chance.pick("grant-status", [400, 401]), "invalid_grant"));
    case "invalid":
      return answer(invalid(world, fault));
    case "odd-rows":
      return answer(withOddRows(call.perform("client"), fault.rows ?? {}));
    case "slow":
      throw new Error("a slow call still ends as its answer has it");
  }
}

function answer(reply: Reply): Ending {
  return { kind: "reply", reply };
}

/** What is read, of which some is not as it should be; the counts of a list stay. Any other answer stays as it is. */
function withOddRows(reply: Reply, odd: NonNullable<ActiveFault["rows"]>): Reply {
  const { data, ...rest } = JSON.parse(reply.body) as { data?: Row | Row[] };
  const bared = (row: Row) => (odd[row.id] === "bare" ? { ...row, address: null } : row);
  if (!data) return reply;
  const shown = Array.isArray(data) ? data.filter(({ id }) => odd[id] !== "hidden").map(bared) : bared(data);
  return { ...reply, body: JSON.stringify({ data: shown, ...rest }) };
}

interface Row {
  id: string;
}

function invalid(world: World, { fields, shape, status, message }: ActiveFault): Reply {
  return refusal(fields ?? { phone: ["no es válido"] }, { ...world, shape, status, message });
}

function errorReply({ chance }: World, { status: named, message }: ActiveFault): Reply {
  const status = named ?? chance.pick("error-status", [500, 502, 503, 504]);
  if (message !== undefined) return json(status, { message });
  return chance.pick("error-shape", [
    json(status, { status, error: "Internal Server Error" }),
    html(status, `${status} Error`),
  ]);
}

/** Puts an ending on the wire. */
export function end(response: ServerResponse, ending: Ending): void {
  if (ending.kind === "silence" || response.destroyed) return;
  if (ending.kind === "closed") {
    if (ending.abrupt) response.socket?.resetAndDestroy();
    else response.socket?.destroy();
    return;
  }
  const { status, headers, body } = ending.reply;
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": Math.max(bytes.length, ending.kind === "half" ? 2 : 0) });
  if (ending.kind === "reply") {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.max(1, Math.floor(bytes.length / 2))), () => {
    if (ending.cut) response.socket?.destroy();
  });
}
