import { resolveLink } from "../links.ts";
import { set } from "./layout.ts";
import { make, PlainElement, slot } from "./plain-element.ts";

/** Buttons. One with an `href` is a link. */
export class Button extends PlainElement {
  #control: HTMLButtonElement | HTMLAnchorElement = make("button");

  protected build(root: ShadowRoot): void {
    this.style.display = "inline-block";
    root.append(this.#control);
  }

  protected override update(): void {
    const href = this.text("href");
    const wanted = href ? "a" : "button";
    if (this.#control.localName !== wanted || this.#control.childNodes.length === 0) this.#rebuild(wanted);
    set(this.#control, "aria-label", this.text("accessibilityLabel"));
    set(this.#control, "aria-busy", this.is("loading") ? "true" : "");
    this.#control.className = this.classFor();
    if (this.#control instanceof HTMLButtonElement) {
      // While loading, the button ignores presses but is not disabled, because a disabled button loses the focus.
      this.#control.disabled = this.is("disabled") && !this.is("loading");
      return;
    }
    const address = resolveLink(href);
    if (address) this.#control.href = address;
    set(this.#control, "target", this.text("target"));
  }

  protected classFor(): string {
    return this.text("href") ? "button" : this.text("variant");
  }

  #rebuild(tag: "a" | "button"): void {
    const control = make(tag, { children: [slot()] });
    if (control instanceof HTMLButtonElement) control.type = "button";
    control.addEventListener("click", (event) => {
      event.stopPropagation();
      if (!this.is("loading")) this.tell("click");
    });
    this.#control.replaceWith(control);
    this.#control = control;
  }
}

export class Link extends Button {
  protected override build(root: ShadowRoot): void {
    super.build(root);
    this.style.display = "inline";
  }

  protected override classFor(): string {
    return this.text("href") ? "" : "plain";
  }
}
