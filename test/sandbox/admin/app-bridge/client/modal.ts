import { INTERFACE_MEMBERS } from "../members.ts";
import { menuItem, watch } from "./menu-items.ts";
import { checkAttributes } from "./strict.ts";

const MODAL_VARIANTS = new Set([null, "small", "base", "large", "max"]);
const NO_CONTENT = "ui-title-bar, ui-save-bar";

// A style sheet in place of style attributes, because the page's markup must stay as the server sent it for React's hydration.
const MODAL_STYLE = `
ui-title-bar, ui-nav-menu, s-app-nav, ui-save-bar, ui-modal { display: none; }
dialog.ui-modal { border: 0; border-radius: 12px; padding: 0; width: min(38rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem);
  box-shadow: 0 20px 40px rgb(0 0 0 / 0.3); color: #303030; overflow: hidden; }
dialog.ui-modal[open] { display: flex; flex-direction: column; }
dialog.ui-modal[data-variant="small"] { width: min(24rem, calc(100vw - 2rem)); }
dialog.ui-modal[data-variant="large"] { width: min(60rem, calc(100vw - 2rem)); }
dialog.ui-modal[data-variant="max"] { width: calc(100vw - 2rem); height: calc(100dvh - 2rem); }
dialog.ui-modal::backdrop { background: rgb(0 0 0 / 0.5); }
dialog.ui-modal header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 0.75rem 1rem; background: #f3f3f3; }
dialog.ui-modal h2 { font-size: 0.875rem; font-weight: 650; margin: 0; }
dialog.ui-modal .ui-modal-content { overflow: auto; flex: 1 1 auto; }
dialog.ui-modal footer { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; padding: 0.75rem 1rem; border-top: 1px solid #e3e3e3; }
dialog.ui-modal button.ui-modal-action { font: inherit; font-size: 0.8125rem; padding: 0.375rem 0.75rem; border-radius: 8px; border: 1px solid #8a8a8a; background: #fff; color: #303030; cursor: pointer; }
dialog.ui-modal button.ui-modal-action[data-variant="primary"] { background: #303030; border-color: #303030; color: #fff; }
dialog.ui-modal button.ui-modal-action[data-tone="critical"] { background: #c70a24; border-color: #c70a24; color: #fff; }
dialog.ui-modal button.ui-modal-action:disabled { opacity: 0.5; cursor: default; }
dialog.ui-modal button:focus-visible { outline: 2px solid #005bd3; outline-offset: 2px; }
`;

let modalCount = 0;

/** `<ui-modal>`: title and actions come from the title bar inside it, the rest is its content. */
export class ModalElement extends HTMLElement {
  readonly content = document.createElement("div");
  private readonly dialog = document.createElement("dialog");
  private readonly heading = document.createElement("h2");
  private readonly actions = document.createElement("footer");
  private observer: MutationObserver | null = null;

  constructor() {
    super();
    modalCount += 1;
    this.heading.id = `ui-modal-title-${modalCount}`;
    this.content.className = "ui-modal-content";
    this.dialog.className = "ui-modal";
    this.dialog.setAttribute("aria-labelledby", this.heading.id);
    const close = document.createElement("button");
    close.type = "button";
    close.className = "ui-modal-action";
    close.setAttribute("aria-label", document.documentElement.lang.startsWith("es") ? "Cerrar" : "Close");
    close.textContent = "×";
    close.addEventListener("click", () => void this.hide());
    const header = document.createElement("header");
    header.append(this.heading, close);
    this.dialog.append(header, this.content, this.actions);
    this.dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void this.hide();
    });
  }

  connectedCallback(): void {
    document.body.append(this.dialog);
    this.observer = watch(this, () => this.draw());
  }

  disconnectedCallback(): void {
    this.observer?.disconnect();
    this.dialog.close();
    this.dialog.remove();
  }

  get variant(): string {
    return this.getAttribute("variant") ?? "base";
  }

  set variant(value: string) {
    this.setAttribute("variant", value);
  }

  get src(): string | undefined {
    return this.getAttribute("src") ?? undefined;
  }

  set src(value: string | undefined) {
    if (value) this.setAttribute("src", value);
  }

  get contentWindow(): Window | null {
    return this.content.querySelector("iframe")?.contentWindow ?? null;
  }

  async show(): Promise<void> {
    if (this.dialog.open) return;
    this.fill();
    this.dialog.showModal();
    this.dispatchEvent(new Event("show"));
  }

  async hide(): Promise<void> {
    if (!this.dialog.open) return;
    this.dialog.close();
    this.dispatchEvent(new Event("hide"));
  }

  toggle(): Promise<void> {
    return this.dialog.open ? this.hide() : this.show();
  }

  /** Moves plain children into the content, unless React's wrapper has put its own there. */
  private fill(): void {
    if (this.src && !this.content.querySelector("iframe")) {
      const frame = document.createElement("iframe");
      frame.src = this.src;
      frame.title = this.heading.textContent ?? "";
      frame.style.cssText = "border: 0; width: 100%; height: 100%;";
      this.content.append(frame);
    }
    if (this.content.childNodes.length > 0) return;
    this.content.append(...[...this.children].filter((child) => !child.matches(NO_CONTENT)));
  }

  private draw(): void {
    checkAttributes(this, INTERFACE_MEMBERS._UIModalAttributes ?? []);
    if (!MODAL_VARIANTS.has(this.getAttribute("variant")))
      throw new TypeError(`<ui-modal> has no variant "${this.variant}"`);
    this.dialog.dataset.variant = this.variant;
    const bar = this.querySelector("ui-title-bar");
    this.heading.textContent = bar?.getAttribute("title") ?? document.title;
    const buttons = [...(bar?.querySelectorAll<HTMLElement>("a, button") ?? [])];
    this.actions.hidden = buttons.length === 0;
    this.syncActions(buttons);
  }

  /** Keeps the rendered buttons, so that a button with the focus keeps it when its state changes. */
  private syncActions(sources: HTMLElement[]): void {
    while (this.actions.children.length > sources.length) this.actions.lastElementChild?.remove();
    sources.forEach((source, index) => {
      const item = menuItem(source);
      const drawn = (this.actions.children[index] as HTMLButtonElement | undefined) ?? document.createElement("button");
      drawn.type = "button";
      drawn.className = "ui-modal-action";
      drawn.textContent = item.label;
      drawn.dataset.variant = item.variant ?? "";
      drawn.dataset.tone = item.tone ?? "";
      drawn.disabled = item.disabled || item.loading;
      drawn.onclick = () => source.click();
      if (!drawn.isConnected) this.actions.append(drawn);
    });
    if (this.actions.dataset.reversed) return;
    this.actions.dataset.reversed = "true";
    this.actions.style.flexDirection = "row-reverse";
    this.actions.style.justifyContent = "flex-start";
  }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(MODAL_STYLE);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
customElements.define("ui-modal", ModalElement);

/** @throws when the page has no modal of this id. */
export function modalById(id: string): ModalElement {
  const element = document.getElementById(id);
  if (!(element instanceof ModalElement)) throw new Error(`There is no <ui-modal id="${id}">`);
  return element;
}
