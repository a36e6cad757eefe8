import { byId, send, settings } from "./frame.ts";
import type { BarItem } from "./frame.ts";
import { ask } from "./question.ts";

export interface SaveBarState {
  save: BarItem | null;
  discard: BarItem | null;
  confirmDiscard: boolean;
}

const saveBar = byId("save-bar");
let unsaved: SaveBarState | null = null;

export function drawSaveBar(state: SaveBarState | null): void {
  const appears = unsaved === null;
  unsaved = state;
  saveBar.hidden = state === null;
  if (!state) return;
  if (appears) forgetRefusal();
  describeSaveBar(state);
}

function forgetRefusal(): void {
  saveBar.classList.remove("refused");
  saveBar.setAttribute("role", "region");
  byId("save-bar-text").textContent = settings.words.unsaved;
}

function describeSaveBar(state: SaveBarState): void {
  const save = byId<HTMLButtonElement>("save-bar-save");
  const discard = byId<HTMLButtonElement>("save-bar-discard");
  save.textContent = state.save?.label || settings.words.save;
  save.disabled = Boolean(state.save?.disabled || state.save?.loading);
  save.setAttribute("aria-busy", String(Boolean(state.save?.loading)));
  discard.textContent = state.discard?.label || settings.words.discard;
  discard.disabled = Boolean(state.discard?.disabled || state.discard?.loading);
}

async function discardChanges(): Promise<void> {
  const question = {
    title: settings.words.discardAll,
    lines: [settings.words.isLost],
    yes: settings.words.discardChanges,
    no: settings.words.goOn,
  };
  if (unsaved?.confirmDiscard && !(await ask(question))) return;
  send({ event: "saveBar.discard" });
}

/** Whether unsaved changes prevent leaving; if so, the bar shows that. */
export function heldBack(): boolean {
  if (!unsaved) return false;
  saveBar.classList.remove("refused");
  void saveBar.offsetWidth;
  saveBar.classList.add("refused");
  byId("save-bar-text").textContent = settings.words.saveFirst;
  saveBar.setAttribute("role", "alert");
  return true;
}

/** Resolves when the person agrees to leave. If not, the promise never settles, as App Bridge's does. */
export async function confirmLeave(): Promise<void> {
  if (!unsaved) return;
  const leave = {
    title: settings.words.leave,
    lines: [settings.words.leaveLoses],
    yes: settings.words.leavePage,
    no: settings.words.stay,
  };
  if (!(await ask(leave))) await new Promise(() => undefined);
  drawSaveBar(null);
}

byId("save-bar-save").addEventListener("click", () => send({ event: "saveBar.save" }));
byId("save-bar-discard").addEventListener("click", () => void discardChanges());

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
