import { byId, frame, internal, send, settings } from "./frame.ts";
import { drawNavigation, openOutside, showLocation } from "./navigation.ts";
import type { NavigationItem } from "./navigation.ts";
import { ask } from "./question.ts";
import { confirmLeave, drawSaveBar } from "./save-bar.ts";
import type { SaveBarState } from "./save-bar.ts";
import { drawTitleBar } from "./title-bar.ts";
import type { TitleBarState } from "./title-bar.ts";
import { dismissToast, showToast } from "./toast.ts";
import type { ToastState } from "./toast.ts";

const methods: Record<string, (detail: never) => unknown> = {
  ready: () => drawSaveBar(null),
  idToken: async () => (await internal<{ token: string }>("session-token")).token,
  location: (path: string) => showLocation(path),
  loading: (on: boolean) => (byId("progress").hidden = !on),
  navMenu: (items: NavigationItem[]) => drawNavigation(items),
  titleBar: (bar: TitleBarState | null) => drawTitleBar(bar),
  saveBar: (state: SaveBarState | null) => drawSaveBar(state),
  leaveConfirmation: () => confirmLeave(),
  "toast.show": (toast: ToastState) => showToast(toast),
  "toast.hide": (id: string) => dismissToast(id),
  "scopes.query": () => internal("scopes"),
  "scopes.request": (scopes: string[]) => requestScopes(scopes),
  "scopes.revoke": async (scopes: string[]) => ({ detail: await internal("scopes/revoke", { scopes }) }),
  open: ({ url, target }: { url: string; target: string }) => openOutside(url, target),
};

window.addEventListener("message", ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== settings.appOrigin || data?.channel !== "app-bridge") return;
  void answer(data.call as number | undefined, data.method as string, data.detail as never);
});

async function answer(call: number | undefined, method: string, detail: never): Promise<void> {
  try {
    const handler = methods[method];
    if (!handler) throw new Error(`The admin knows no "${method}"`);
    const result = await handler(detail);
    if (call !== undefined) send({ reply: call, result });
  } catch (error) {
    if (call !== undefined) send({ reply: call, error: String((error as Error).message) });
  }
}

async function requestScopes(scopes: string[]): Promise<unknown> {
  await internal("scopes/check", { scopes });
  const { words } = settings;
  const lines = [words.asksForMore.replace("{app}", settings.name), ...scopes];
  const granted = await ask({ title: words.updateAccess, lines, yes: words.update, no: words.cancel });
  const detail = granted ? await internal("scopes/grant", { scopes }) : await internal("scopes");
  return { result: granted ? "granted-all" : "declined-all", detail };
}

// The frame opens only now: what a fast app sends before anybody listens would be lost, and its App Bridge would wait for an answer for
// ever. It is confined only now, too: the browser warns of a confined empty document, which has the admin's own origin.
frame.sandbox.value = frame.dataset.sandbox ?? "";
frame.src = frame.dataset.src ?? "";
