// The elements as the sandbox renders them: plain and usable. Each is a custom element with its own shadow root.

const sheet = new CSSStyleSheet();

export function setStyle(css: string): void {
  sheet.replaceSync(css);
}

/** Renders once when it is added to the page, then whenever its properties change. */
export abstract class PlainElement extends HTMLElement {
  readonly #values = new Map<string, unknown>();
  #drawn = false;
  #queued = false;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
  }

  connectedCallback(): void {
    if (!this.#drawn) this.build(this.shadowRoot!);
    this.#drawn = true;
    this.update();
  }

  read<T>(name: string): T | undefined {
    return this.#values.get(name) as T | undefined;
  }

  text(name: string): string {
    const value = this.read(name);
    return typeof value === "string" ? value : "";
  }

  is(name: string): boolean {
    const value = this.read(name);
    return value === true || (typeof value === "string" && value !== "");
  }

  write(name: string, value: unknown): void {
    this.#values.set(name, value);
    if (this.#queued || !this.#drawn) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      this.update();
    });
  }

  /** Sends the worker an event, with the data that events of this name carry. */
  tell(event: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }

  protected abstract build(root: ShadowRoot): void;

  protected update(): void {}
}

/** An element of a tag, with a class and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { className = "", children = [] as (Node | string)[] } = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const made = element as HTMLElement;
  if (className) made.className = className;
  made.append(...children);
  return element;
}

export function slot(name?: string): HTMLSlotElement {
  const element = document.createElement("slot");
  if (name) element.name = name;
  return element;
}
