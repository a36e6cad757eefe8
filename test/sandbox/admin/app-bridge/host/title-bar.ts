import { byId, send, settings } from "./frame.ts";
import type { BarItem } from "./frame.ts";

export interface TitleBarState {
  title: string;
  items: BarItem[];
}

export function drawTitleBar(bar: TitleBarState | null): void {
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

function titleButton(item: BarItem): HTMLButtonElement {
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
