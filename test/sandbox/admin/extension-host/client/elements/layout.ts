import { make, PlainElement, slot } from "./plain-element.ts";

/** Boxes that stack their children, with Shopify's named sizes as pixels of our own. */

const SPACE: Record<string, string> = {
  none: "0",
  "small-500": "1px",
  "small-400": "2px",
  "small-300": "4px",
  "small-200": "6px",
  "small-100": "8px",
  small: "10px",
  base: "16px",
  large: "20px",
  "large-100": "24px",
};

const BACKGROUND: Record<string, string> = { subdued: "#f7f7f7", strong: "#ebebeb", base: "#fff" };

/** The values whose meaning is the same in CSS. */
const AS_CSS: Record<string, string> = {
  blockSize: "block-size",
  minBlockSize: "min-block-size",
  maxBlockSize: "max-block-size",
  inlineSize: "inline-size",
  minInlineSize: "min-inline-size",
  maxInlineSize: "max-inline-size",
  overflow: "overflow",
  justifyContent: "justify-content",
  alignItems: "align-items",
};

export class Box extends PlainElement {
  protected readonly box = make("div", { children: [slot()] });

  protected build(root: ShadowRoot): void {
    root.append(this.box);
  }

  protected override update(): void {
    const { style } = this.box;
    for (const [name, css] of Object.entries(AS_CSS)) style.setProperty(css, this.text(name) || null);
    style.padding = SPACE[this.text("padding")] ?? "";
    style.background = BACKGROUND[this.text("background")] ?? "";
    style.borderRadius = this.text("borderRadius") && this.text("borderRadius") !== "none" ? "8px" : "";
    const role = this.text("accessibilityRole");
    const label = this.text("accessibilityLabel");
    set(this.box, "role", role === "generic" ? "" : role || (label ? "group" : ""));
    set(this.box, "aria-label", label);
  }
}

export class Stack extends Box {
  protected override update(): void {
    super.update();
    const { style } = this.box;
    const inline = this.text("direction") === "inline";
    style.display = "flex";
    style.flexDirection = inline ? "row" : "column";
    style.flexWrap = inline ? "wrap" : "nowrap";
    style.gap = SPACE[this.text("gap")] ?? "0";
  }
}

export class Grid extends Box {
  protected override update(): void {
    super.update();
    const { style } = this.box;
    style.display = "grid";
    style.gridTemplateColumns = this.text("gridTemplateColumns");
    style.gap = SPACE[this.text("gap")] ?? "0";
  }
}

/** A heading above its children. */
export class Section extends PlainElement {
  protected readonly headElement = make("h3");

  protected build(root: ShadowRoot): void {
    root.append(this.headElement, slot());
  }

  protected override update(): void {
    this.headElement.textContent = this.text("heading");
    this.headElement.hidden = this.headElement.textContent === "";
  }
}

export class AdminBlock extends PlainElement {
  protected readonly headElement = make("h2");

  protected build(root: ShadowRoot): void {
    root.append(this.headElement, slot());
  }

  protected override update(): void {
    this.headElement.textContent = this.text("heading");
  }
}

export class AdminAction extends AdminBlock {
  readonly #body = make("div", { children: [slot()] });

  protected override build(root: ShadowRoot): void {
    const footer = make("div", { className: "footer", children: [slot("secondary-actions"), slot("primary-action")] });
    root.append(this.headElement, this.#body, footer);
  }

  protected override update(): void {
    super.update();
    set(this.#body, "aria-busy", this.is("loading") ? "true" : "");
  }
}

export class Banner extends Section {
  protected override build(root: ShadowRoot): void {
    root.append(make("div", { className: "banner", children: [this.headElement, slot(), slot("secondary-actions")] }));
  }

  protected override update(): void {
    super.update();
    set(this.shadowRoot!.firstElementChild!, "role", this.text("tone") === "critical" ? "alert" : "status");
  }
}

export function set(element: Element, name: string, value: string): void {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
