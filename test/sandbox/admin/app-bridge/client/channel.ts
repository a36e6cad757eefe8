// Exchanges messages with the admin's page around the frame, and with no other window or origin.

type Listener = (detail: unknown) => void;

const scriptElement = document.currentScript as HTMLScriptElement;
export const adminOrigin = new URL(scriptElement.src).origin;
export const scriptApiKey = scriptElement.dataset.apiKey;
export const embedded = window.parent !== window;

const pending = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
const listeners = new Map<string, Listener>();
let nextCall = 1;

/** Sends the admin a question and waits for its answer. */
export function ask<T>(method: string, detail?: unknown): Promise<T> {
  if (!embedded) return Promise.reject(new Error("The app is not inside the admin"));
  const call = nextCall++;
  window.parent.postMessage({ channel: "app-bridge", call, method, detail }, adminOrigin);
  return new Promise((resolve, reject) => pending.set(call, { resolve: resolve as (value: unknown) => void, reject }));
}

/** Sends the admin a message that needs no answer. */
export function tell(method: string, detail?: unknown): void {
  if (embedded) window.parent.postMessage({ channel: "app-bridge", method, detail }, adminOrigin);
}

export function listen(event: string, listener: Listener): void {
  listeners.set(event, listener);
}

window.addEventListener("message", ({ origin, source, data }) => {
  if (origin !== adminOrigin || source !== window.parent || data?.channel !== "app-bridge") return;
  if (data.event) listeners.get(data.event)?.(data.detail);
  const waiting = pending.get(data.reply);
  if (!waiting) return;
  pending.delete(data.reply);
  if (data.error) waiting.reject(new Error(data.error));
  else waiting.resolve(data.result);
});
