import { connectRemoteNode, createRemoteElement, RemoteEvent, setRemoteId } from "@remote-dom/core/elements";
import { ROOT_ID } from "@remote-dom/core";
import type { ElementPolicy } from "../protocol.ts";

/** The worker's own document, whose body is mirrored in the page, and the functions that crossed with it. */

/** A function's place in a record. */
const FUNCTION_MARK = "@function";

const numbers = new Map<unknown, number>();
const functions: ((detail: unknown) => unknown)[] = [];

/** Properties that an input's event carries. The page knows them first, and the worker's element gets them before its listeners run. */
const TOLD_BY_EVENTS = ["value", "values", "checked", "selected"];

export function defineElements(elements: Record<string, ElementPolicy>): void {
  for (const [tag, { properties, events, slots }] of Object.entries(elements)) {
    const element = createRemoteElement({
      properties: Object.fromEntries(properties.map((name) => [name, {}])),
      events: Object.fromEntries(events.map((name) => [name, { bubbles: true, dispatchEvent: toldEvent(name) }])),
      slots,
    } as never);
    customElements.define(tag, element as never);
  }
}

/** While the worker follows the page, the page need not be told: an echo would arrive under a person's next key. */
let following = false;

function toldEvent(name: string) {
  return function (this: Record<string, unknown>, detail: unknown): RemoteEvent {
    following = true;
    for (const [property, value] of Object.entries(detail ?? {})) {
      if (TOLD_BY_EVENTS.includes(property)) this[property] = value;
    }
    following = false;
    return new RemoteEvent(name, { bubbles: true });
  };
}

/** Mirrors everything below the body. The records of one task are sent together. */
export function connectBody(mutate: (records: unknown[]) => void): void {
  let queued: unknown[] = [];
  setRemoteId(document.body, ROOT_ID);
  connectRemoteNode(document.body, {
    mutate(records) {
      if (following) return;
      if (queued.length === 0) {
        queueMicrotask(() => {
          const batch = queued;
          queued = [];
          mutate(batch);
        });
      }
      queued.push(...(records as unknown[]).map(portable));
    },
    call() {
      throw new Error("No element here has methods that an extension may call");
    },
  });
}

export function invoke(id: number, detail: unknown): void {
  functions[id]?.(detail);
}

function portable(value: unknown): unknown {
  if (typeof value === "function") return { [FUNCTION_MARK]: numberOf(value as never) };
  if (Array.isArray(value)) return value.map(portable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, portable(one)]));
}

function numberOf(call: (detail: unknown) => unknown): number {
  const known = numbers.get(call);
  if (known !== undefined) return known;
  numbers.set(call, functions.length);
  return functions.push(call) - 1;
}
