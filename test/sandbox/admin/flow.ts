// Shopify Flow, as far as an app's action meets it: a workflow's step is a signed POST, which is repeated while it may still succeed.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "smol-toml";
import * as z from "zod";
import { EXTENSIONS } from "../../../scripts/builds/extension-bundles.ts";
import { webhookSignature } from "./signing.ts";
import type { AdminState, ShopState } from "./state.ts";

/** Flow waits so long for an answer; what comes later counts as none. */
const ANSWER_WITHIN_MS = 10_000;
/** Flow goes on for more than a day; here it is seconds. */
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000, 4_000];

const shape = z.object({
  extensions: z
    .array(
      z.object({
        name: z.string(),
        handle: z.string().max(30),
        type: z.literal("flow_action"),
        runtime_url: z.string(),
      }),
    )
    .length(1),
  settings: z.object({
    fields: z.array(
      z.object({ key: z.string(), name: z.string(), type: z.string(), required: z.boolean().default(false) }),
    ),
  }),
});

export interface FlowAction {
  name: string;
  handle: string;
  /** Below the app's own address, or absolute. */
  url: string;
  fields: { key: string; name: string; required: boolean }[];
}

/** A run of a step, and how its requests were answered. */
export interface FlowRun {
  actionRunId: string;
  shop: string;
  action: string;
  properties: Record<string, string>;
  attempts: { atMs: number; status: number | null; tookMs: number; body: string }[];
  outcome: "under way" | "done" | "failed" | "given up";
}

export interface FlowRunOptions {
  /** How many times the same request is sent, besides what Flow repeats. */
  times?: number;
  actionRunId?: string;
  /** Sends a wrong signature, as a stranger would. */
  forged?: boolean;
}

/** The actions that a deploy of the extensions would give to Flow. @throws when a toml is not what Flow takes. */
function flowActions(folder = EXTENSIONS): FlowAction[] {
  return readdirSync(folder)
    .map((name) => join(folder, name, "shopify.extension.toml"))
    .filter((file) => existsSync(file) && /type = "flow_action"/.test(readFileSync(file, "utf8")))
    .map((file) => {
      const { extensions, settings } = shape.parse(parse(readFileSync(file, "utf8")));
      const [{ name, handle, runtime_url: url }] = extensions as [z.infer<typeof shape>["extensions"][number]];
      return { name, handle, url, fields: settings.fields };
    });
}

export class Flow {
  readonly runs: FlowRun[] = [];
  readonly actions = flowActions();
  private readonly state: AdminState;
  private readonly appUrl: () => string;
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS;

  constructor(state: AdminState, appUrl: () => string) {
    this.state = state;
    this.appUrl = appUrl;
  }

  /** Runs a workflow's step in a store. @throws for an action that no extension declares, and for fields that it has not, or lacks. */
  async run(
    shop: ShopState,
    handle: string,
    {
      properties,
      times = 1,
      actionRunId = randomUUID(),
      forged = false,
    }: FlowRunOptions & { properties: Record<string, string> },
  ): Promise<FlowRun> {
    const action = this.actions.find((one) => one.handle === handle);
    if (!action) throw new Error(`No extension declares the action "${handle}"`);
    const unknown = Object.keys(properties).filter((key) => !action.fields.some((field) => field.key === key));
    const missing = action.fields.filter(({ key, required }) => required && !properties[key]);
    if (unknown.length > 0) throw new Error(`The action has no field ${unknown.join(", ")}`);
    if (missing.length > 0) throw new Error(`The action needs ${missing.map(({ key }) => key).join(", ")}`);
    const run: FlowRun = {
      actionRunId,
      shop: shop.domain,
      action: handle,
      properties,
      attempts: [],
      outcome: "under way",
    };
    this.runs.push(run);
    const body = JSON.stringify({
      shop_id: String(shop.id),
      shopify_domain: shop.domain,
      action_run_id: actionRunId,
      action_definition_id: action.name,
      handle,
      properties,
      step_reference: randomUUID(),
    });
    const outcomes = await Promise.all(Array.from({ length: times }, () => this.send(run, { action, body, forged })));
    run.outcome = outcomes[0]!;
    return run;
  }

  private async send(
    run: FlowRun,
    { action, body, forged }: { action: FlowAction; body: string; forged: boolean },
  ): Promise<FlowRun["outcome"]> {
    for (let attempt = 0; ; attempt += 1) {
      const status = await this.post(run, { action, body, forged });
      if (status === 200) return "done";
      const isFinal = status !== null && status >= 400 && status < 500 && status !== 429;
      if (isFinal) return "failed";
      const pause = this.retryDelaysMs[attempt];
      if (pause === undefined) return "given up";
      await sleep(pause);
    }
  }

  private async post(
    run: FlowRun,
    { action, body, forged }: { action: FlowAction; body: string; forged: boolean },
  ): Promise<number | null> {
    const atMs = Date.now();
    const told = (status: number | null, text: string) => {
      run.attempts.push({ atMs, status, tookMs: Date.now() - atMs, body: text });
      return status;
    };
    try {
      const response = await fetch(new URL(action.url, this.appUrl()), {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        headers: {
          "Content-Type": "application/json",
          "X-Shopify-Hmac-Sha256": webhookSignature(this.state, forged ? `${body} ` : body),
        },
        body,
      });
      return told(response.status, await response.text());
    } catch {
      return told(null, "");
    }
  }
}
