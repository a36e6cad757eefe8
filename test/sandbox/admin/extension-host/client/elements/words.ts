import { set } from "./layout.ts";
import { make, PlainElement, slot } from "./plain-element.ts";

/** Text, and elements that mark it up. */

const INLINE = "display: inline";

export class Text extends PlainElement {
  protected build(root: ShadowRoot): void {
    this.style.cssText = INLINE;
    root.append(make("span", { children: [slot()] }));
  }

  protected override update(): void {
    const tags = { strong: "strong", address: "span" } as Record<string, "strong" | "span">;
    const tag = tags[this.text("type")] ?? "span";
    const current = this.shadowRoot!.firstElementChild!;
    const next = current.localName === tag ? current : make(tag, { children: [slot()] });
    if (next !== current) current.replaceWith(next);
    if (tag === "strong") (next as HTMLElement).style.fontWeight = "650";
    next.className = [this.text("color"), this.text("tone") && `tone-${this.text("tone")}`].join(" ").trim();
    set(next, "aria-hidden", this.text("accessibilityVisibility") === "hidden" ? "true" : "");
  }
}

export class Paragraph extends PlainElement {
  protected build(root: ShadowRoot): void {
    root.append(make("p", { children: [slot()] }));
  }

  protected override update(): void {
    this.shadowRoot!.firstElementChild!.className = [
      this.text("color"),
      this.text("tone") && `tone-${this.text("tone")}`,
    ]
      .join(" ")
      .trim();
  }
}

export class Heading extends PlainElement {
  protected build(root: ShadowRoot): void {
    root.append(make("h3", { children: [slot()] }));
  }
}

export class Badge extends PlainElement {
  protected build(root: ShadowRoot): void {
    this.style.cssText = INLINE;
    root.append(make("span", { className: "badge", children: [slot()] }));
  }

  protected override update(): void {
    this.shadowRoot!.firstElementChild!.className = `badge tone-${this.text("tone") || "neutral"}`;
  }
}

export class Divider extends PlainElement {
  protected build(root: ShadowRoot): void {
    root.append(make("hr"));
  }
}

export class Spinner extends PlainElement {
  protected build(root: ShadowRoot): void {
    this.style.cssText = INLINE;
    root.append(make("span", { children: ["…"] }));
  }

  protected override update(): void {
    const mark = this.shadowRoot!.firstElementChild!;
    set(mark, "role", "status");
    set(mark, "aria-label", this.text("accessibilityLabel") || "Loading");
  }
}

/** Renders nothing, because pictures are Shopify's. */
export class Picture extends PlainElement {
  protected build(): void {
    this.style.display = "none";
  }
}

export class List extends PlainElement {
  protected build(root: ShadowRoot): void {
    root.append(make("div", { children: [slot()] }));
    set(root.firstElementChild!, "role", "list");
  }
}

export class ListItem extends PlainElement {
  protected build(root: ShadowRoot): void {
    root.append(make("div", { children: ["• ", slot()] }));
    set(root.firstElementChild!, "role", "listitem");
  }
}
