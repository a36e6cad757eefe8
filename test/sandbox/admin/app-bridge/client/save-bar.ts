import { INTERFACE_MEMBERS } from "../members.ts";
import { listen, tell } from "./channel.ts";
import { menuItem, watch } from "./menu-items.ts";
import { checkAttributes } from "./strict.ts";

/** The owner of the admin's save bar at present: an element, or a form with data-save-bar. */
interface SaveBarOwner {
  save(): void;
  discard(): void;
  describe(): unknown;
}

let owner: SaveBarOwner | null = null;

function showFor(next: SaveBarOwner): void {
  owner = next;
  tell("saveBar", next.describe());
}

function hideFor(current: SaveBarOwner): void {
  if (owner !== current) return;
  owner = null;
  tell("saveBar", null);
}

/** `<ui-save-bar>`: the admin draws the bar; its Save and Discard click the buttons inside. */
export class SaveBarElement extends HTMLElement implements SaveBarOwner {
  private observer: MutationObserver | null = null;

  connectedCallback(): void {
    this.observer = watch(this, () => this.redraw());
  }

  disconnectedCallback(): void {
    this.observer?.disconnect();
    hideFor(this);
  }

  get showing(): boolean {
    return owner === this;
  }

  get discardConfirmation(): boolean {
    return this.hasAttribute("discardconfirmation");
  }

  set discardConfirmation(value: boolean) {
    this.toggleAttribute("discardconfirmation", value);
  }

  async show(): Promise<void> {
    if (this.showing) return;
    showFor(this);
    this.dispatchEvent(new Event("show"));
  }

  async hide(): Promise<void> {
    if (!this.showing) return;
    hideFor(this);
    this.dispatchEvent(new Event("hide"));
  }

  toggle(): Promise<void> {
    return this.showing ? this.hide() : this.show();
  }

  save(): void {
    this.button("primary")?.click();
  }

  discard(): void {
    this.button(null)?.click();
  }

  describe(): unknown {
    const primary = this.button("primary");
    const plain = this.button(null);
    return {
      save: primary ? menuItem(primary) : null,
      discard: plain ? menuItem(plain) : null,
      confirmDiscard: this.discardConfirmation,
    };
  }

  private button(variant: "primary" | null): HTMLButtonElement | undefined {
    return [...this.querySelectorAll("button")].find(
      (one) => (one.getAttribute("variant") === "primary") === (variant === "primary"),
    );
  }

  private redraw(): void {
    checkAttributes(this, INTERFACE_MEMBERS._UISaveBarAttributes ?? []);
    if (this.showing) tell("saveBar", this.describe());
  }
}

class FormOwner implements SaveBarOwner {
  readonly form: HTMLFormElement;

  constructor(form: HTMLFormElement) {
    this.form = form;
  }

  save(): void {
    this.form.requestSubmit();
  }

  discard(): void {
    this.form.reset();
  }

  describe(): unknown {
    return { save: null, discard: null, confirmDiscard: this.form.hasAttribute("data-discard-confirmation") };
  }
}

const formOwners = new WeakMap<HTMLFormElement, FormOwner>();

function ownerOf(event: Event): FormOwner | null {
  const form = event.target instanceof Element ? event.target.closest<HTMLFormElement>("form[data-save-bar]") : null;
  if (!form) return null;
  const known = formOwners.get(form) ?? new FormOwner(form);
  formOwners.set(form, known);
  return known;
}

for (const type of ["input", "change"]) {
  document.addEventListener(type, (event) => {
    const form = ownerOf(event);
    if (form) showFor(form);
  });
}
for (const type of ["submit", "reset"]) {
  document.addEventListener(type, (event) => {
    const form = ownerOf(event);
    if (form) hideFor(form);
  });
}

customElements.define("ui-save-bar", SaveBarElement);
listen("saveBar.save", () => owner?.save());
listen("saveBar.discard", () => owner?.discard());

/** @throws when the page has no save bar of this id. */
export function saveBarById(id: string): SaveBarElement {
  const element = document.getElementById(id);
  if (!(element instanceof SaveBarElement)) throw new Error(`There is no <ui-save-bar id="${id}">`);
  return element;
}
