// The admin's half of App Bridge: draws what the app in the frame asks for. It listens to that frame and its origin only.

interface Item {
  label: string;
  variant: string | null;
  tone: string | null;
  disabled: boolean;
  loading: boolean;
  index: number;
  section: string | null;
}

interface SaveBarState {
  save: Item | null;
  discard: Item | null;
  confirmDiscard: boolean;
}

interface Question {
  title: string;
  lines: string[];
  yes: string;
  no: string;
}

const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="frame-settings"]')?.content ?? "{}",
) as {
  handle: string;
  app: string;
  name: string;
  appOrigin: string;
};
const frame = byId<HTMLIFrameElement>("app");
const saveBar = byId("save-bar");
const appBase = `/store/${settings.handle}/apps/${settings.app}`;
let unsaved: SaveBarState | null = null;

function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

function send(message: object): void {
  frame.contentWindow?.postMessage({ channel: "app-bridge", ...message }, settings.appOrigin);
}

async function internal<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`/internal/${settings.handle}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `The admin answered ${response.status}`);
  return answer;
}

const methods: Record<string, (detail: never) => unknown> = {
  ready: () => drawSaveBar(null),
  idToken: async () => (await internal<{ token: string }>("session-token")).token,
  location: (path: string) => showLocation(path),
  loading: (on: boolean) => (byId("progress").hidden = !on),
  navMenu: (items: { label: string; href: string; home: boolean }[]) => drawNavigation(items),
  titleBar: (bar: { title: string; items: Item[] } | null) => drawTitleBar(bar),
  saveBar: (state: SaveBarState | null) => drawSaveBar(state),
  leaveConfirmation: () => confirmLeave(),
  "toast.show": (toast: { id: string; message: string; duration: number; isError: boolean; action: string | null }) =>
    showToast(toast),
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

function showLocation(path: string): void {
  history.replaceState(null, "", appBase + (path === "/" ? "" : path));
  markCurrent(path);
}

function markCurrent(path: string): void {
  const here = new URL(path, location.origin).pathname;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#app-nav a")) {
    if (link.dataset.path === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function drawNavigation(items: { label: string; href: string; home: boolean }[]): void {
  const list = byId("app-nav");
  list.replaceChildren(
    ...items
      .filter((item) => !item.home)
      .map((item) => {
        const link = document.createElement("a");
        link.href = appBase + item.href;
        link.dataset.path = new URL(item.href, location.origin).pathname;
        link.textContent = item.label;
        link.addEventListener("click", (event) => inApp(event, "navMenu.click", item.href));
        const entry = document.createElement("li");
        entry.append(link);
        return entry;
      }),
  );
  const home = items.find((item) => item.home);
  const name = document.querySelector<HTMLAnchorElement>(`.side > a[href="${appBase}"]`);
  if (name && home) name.onclick = (event) => inApp(event, "navMenu.click", home.href);
  markCurrent(location.pathname.slice(appBase.length) || "/");
}

/** A click that stays within the app is the app's router's, unless unsaved changes hold it back. */
function inApp(event: MouseEvent, name: string, detail: unknown): void {
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (heldBack()) return;
  send({ event: name, detail });
}

function drawTitleBar(bar: { title: string; items: Item[] } | null): void {
  byId("app-title").textContent = bar?.title || settings.name;
  document.title = `${bar?.title || settings.name} · ${settings.name}`;
  const actions = byId("title-actions");
  const groups = new Map<string, HTMLElement>();
  actions.replaceChildren();
  for (const item of bar?.items ?? []) {
    const button = titleButton(item);
    if (item.variant === "breadcrumb") actions.prepend(button);
    else if (item.section === null) actions.append(button);
    else groupOf(groups, item.section, actions).append(asEntry(button));
  }
}

function titleButton(item: Item): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = item.variant === "breadcrumb" ? `← ${item.label}` : item.label;
  button.disabled = item.disabled || item.loading;
  button.classList.toggle("primary", item.variant === "primary");
  button.classList.toggle("danger", item.tone === "critical");
  button.addEventListener("click", () => send({ event: "titleBar.click", detail: item.index }));
  return button;
}

function groupOf(groups: Map<string, HTMLElement>, label: string, actions: HTMLElement): HTMLElement {
  const known = groups.get(label);
  if (known) return known;
  const details = document.createElement("details");
  details.className = "menu";
  const summary = document.createElement("summary");
  summary.textContent = label;
  const list = document.createElement("ul");
  details.append(summary, list);
  actions.append(details);
  groups.set(label, list);
  return list;
}

function asEntry(button: HTMLElement): HTMLLIElement {
  const entry = document.createElement("li");
  entry.append(button);
  return entry;
}

function drawSaveBar(state: SaveBarState | null): void {
  unsaved = state;
  saveBar.hidden = state === null;
  if (!state) return;
  const save = byId<HTMLButtonElement>("save-bar-save");
  const discard = byId<HTMLButtonElement>("save-bar-discard");
  save.textContent = state.save?.label || "Save";
  save.disabled = Boolean(state.save?.disabled || state.save?.loading);
  save.setAttribute("aria-busy", String(Boolean(state.save?.loading)));
  discard.textContent = state.discard?.label || "Discard";
  discard.disabled = Boolean(state.discard?.disabled || state.discard?.loading);
}

byId("save-bar-save").addEventListener("click", () => send({ event: "saveBar.save" }));
byId("save-bar-discard").addEventListener("click", () => void discardChanges());

async function discardChanges(): Promise<void> {
  const question = {
    title: "Discard all unsaved changes?",
    lines: ["What you changed is lost."],
    yes: "Discard changes",
    no: "Continue editing",
  };
  if (unsaved?.confirmDiscard && !(await ask(question))) return;
  send({ event: "saveBar.discard" });
}

/** Whether unsaved changes keep the person here; if so the bar says it. */
function heldBack(): boolean {
  if (!unsaved) return false;
  saveBar.classList.remove("refused");
  void saveBar.offsetWidth;
  saveBar.classList.add("refused");
  byId("save-bar-text").textContent = "Save or discard your changes first";
  saveBar.setAttribute("role", "alert");
  return true;
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link && !event.defaultPrevented && heldBack()) event.preventDefault();
});
document.addEventListener("submit", (event) => {
  if (heldBack()) event.preventDefault();
});
window.addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});

/** Resolves when the person agrees to leave; when they stay the promise stays open, as App Bridge's does. */
async function confirmLeave(): Promise<void> {
  if (!unsaved) return;
  const leave = {
    title: "Leave page with unsaved changes?",
    lines: ["Leaving this page deletes all unsaved changes."],
    yes: "Leave page",
    no: "Stay",
  };
  if (!(await ask(leave))) await new Promise(() => undefined);
  drawSaveBar(null);
}

async function requestScopes(scopes: string[]): Promise<unknown> {
  await internal("scopes/check", { scopes });
  const lines = [`${settings.name} asks for more access to this store:`, ...scopes];
  const granted = await ask({ title: "Update data access", lines, yes: "Update", no: "Cancel" });
  const detail = granted ? await internal("scopes/grant", { scopes }) : await internal("scopes");
  return { result: granted ? "granted-all" : "declined-all", detail };
}

function ask({ title, lines, yes, no }: Question): Promise<boolean> {
  const dialog = byId<HTMLDialogElement>("question");
  byId("question-title").textContent = title;
  byId("question-text").replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })),
  );
  byId("question-yes").textContent = yes;
  byId("question-no").textContent = no;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    byId("question-yes").onclick = () => dialog.close("yes");
    byId("question-no").onclick = () => dialog.close("no");
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
  });
}

function showToast(toast: {
  id: string;
  message: string;
  duration: number;
  isError: boolean;
  action: string | null;
}): void {
  const element = document.createElement("div");
  element.className = toast.isError ? "toast error" : "toast";
  element.id = toast.id;
  const text = document.createElement("span");
  text.textContent = toast.message;
  element.append(text);
  if (toast.action)
    element.append(toastButton(toast.action, toast.action, () => send({ event: "toast.action", detail: toast.id })));
  element.append(toastButton("×", "Dismiss", () => dismissToast(toast.id)));
  byId("toasts").append(element);
  setTimeout(() => dismissToast(toast.id), toast.duration);
}

function toastButton(text: string, label: string, press: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.setAttribute("aria-label", label);
  button.addEventListener("click", press);
  return button;
}

function dismissToast(id: string): void {
  const element = document.getElementById(id);
  if (!element?.classList.contains("toast")) return;
  element.remove();
  send({ event: "toast.dismissed", detail: id });
}

/** `shopify:admin/…` is this admin, `app:` the app itself; the live admin's addresses lead here too. */
function openOutside(url: string, target: string): void {
  const inAdmin =
    /^shopify:\/*admin\/?(.*)$/i.exec(url)?.[1] ??
    /^https:\/\/admin\.shopify\.com\/store\/[^/]+\/?(.*)$/.exec(url)?.[1];
  const ownPath = /^app:\/*(.*)$/i.exec(url)?.[1];
  const address =
    inAdmin !== undefined
      ? `/store/${settings.handle}/${inAdmin}`
      : ownPath !== undefined
        ? `${appBase}/${ownPath}`
        : url;
  if (!address.startsWith("/") && !/^https?:/.test(address)) throw new Error(`The admin does not open ${url}`);
  if (target === "_blank") {
    window.open(address, "_blank", "noopener");
    return;
  }
  if (!heldBack()) location.assign(address);
}
