// Deliberate faults of Shopify: rules that say which calls of which store fail and how, by count or by chance.
import type { Response } from "express";
import { throttled } from "./graphql/execute.ts";

export const ADMIN_FAULT_KINDS = ["status", "throttled", "refused-refresh", "hang", "reset", "lost"] as const;

export interface AdminFaultRule {
  /**
   * `status`: an HTTP status instead of the answer. `throttled`: the GraphQL error of an empty bucket. `refused-refresh`: the token
   * endpoint refuses a refresh token that is good. `hang`: no answer. `reset`: the connection goes. `lost`: the same once the call has
   * done what it does (the API only).
   */
  kind: (typeof ADMIN_FAULT_KINDS)[number];
  /** Domain of one store. Default: all. */
  shop?: string;
  /** Default: both the API and the token endpoint, as far as the kind makes sense there. */
  on?: "graphql" | "token";
  /** Only what names this field in its document, as `flowTriggerReceive`: one thing of many that fails. */
  field?: string;
  /** `status`. Default 503. */
  status?: number;
  /** `status`: an edge's page (default), Shopify's JSON, or nothing. */
  body?: "html" | "json" | "empty";
  /** `refused-refresh`: the OAuth error. Default `invalid_grant`. */
  error?: string;
  /** Chance for each matching call, 0 to 1. Default 1. */
  probability?: number;
  /** The rule is removed after it struck this often. Default: it stays. */
  next?: number;
}

export interface AdminCall {
  shop: string;
  on: "graphql" | "token";
  /** `grant_type` at the token endpoint. */
  grant: string | null;
  /** What the API is asked; null at the token endpoint. */
  document: string | null;
  /** It has had its effect, and its answer is to go. */
  isDone?: boolean;
}

export class AdminFaults {
  /** In [0, 1); a seeded one makes a run repeatable. */
  random: () => number = Math.random;
  /** How often each kind struck. */
  readonly struck: Record<string, number> = {};
  private rules: AdminFaultRule[] = [];

  /** Adds rules. @throws RangeError for a kind that is none. */
  set(rules: AdminFaultRule | AdminFaultRule[]): void {
    const added = Array.isArray(rules) ? rules : [rules];
    for (const { kind } of added)
      if (!ADMIN_FAULT_KINDS.includes(kind)) throw new RangeError(`kind: one of ${ADMIN_FAULT_KINDS.join(", ")}`);
    this.rules = [...this.rules, ...added.map((rule) => ({ ...rule }))];
  }

  clear(): void {
    this.rules = [];
  }

  list(): AdminFaultRule[] {
    return this.rules.map((rule) => ({ ...rule }));
  }

  /** Ends the response of a call that a rule strikes; returns false when no rule does. */
  strike(call: AdminCall, response: Response): boolean {
    const rule = this.rules.find((each) => matches(each, call) && this.random() < (each.probability ?? 1));
    if (!rule) return false;
    this.struck[rule.kind] = (this.struck[rule.kind] ?? 0) + 1;
    if (rule.next !== undefined && (rule.next -= 1) <= 0) this.rules = this.rules.filter((each) => each !== rule);
    answer(rule, response);
    return true;
  }
}

function matches({ kind, shop, on, field }: AdminFaultRule, call: AdminCall): boolean {
  if ((kind === "lost") !== (call.isDone === true)) return false;
  if (shop !== undefined && shop !== call.shop) return false;
  if (on !== undefined && on !== call.on) return false;
  if (field !== undefined && !call.document?.includes(field)) return false;
  if (kind === "throttled") return call.on === "graphql";
  return kind !== "refused-refresh" || call.grant === "refresh_token";
}

function answer({ kind, status = 503, body = "html", error = "invalid_grant" }: AdminFaultRule, response: Response) {
  switch (kind) {
    case "status":
      response.status(status);
      if (body === "empty") return void response.end();
      if (body === "json") return void response.json({ errors: `HTTP ${status}` });
      return void response.send(`<!doctype html><title>${status}</title><h1>${status}</h1>`);
    case "throttled":
      return void response.json({ errors: [throttled()] });
    case "refused-refresh": {
      const description = "This request requires an active refresh_token";
      return void response
        .status(error === "invalid_client" ? 401 : 400)
        .json({ error, error_description: description });
    }
    case "hang":
      return;
    case "reset":
    case "lost":
      return void response.socket?.resetAndDestroy();
  }
}
