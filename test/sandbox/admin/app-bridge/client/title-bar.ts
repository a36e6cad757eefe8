import { INTERFACE_MEMBERS } from "../members.ts";
import { listen, tell } from "./channel.ts";
import { menuItem, watch } from "./menu-items.ts";
import { navigate } from "./navigation.ts";
import { checkAttributes } from "./strict.ts";

// Of several title bars the newest is shown.
const bars: TitleBarElement[] = [];

/** `<ui-title-bar>`: its title and actions are drawn by the admin; a click there clicks the real element here. */
class TitleBarElement extends HTMLElement {
  private observer: MutationObserver | null = null;

  connectedCallback(): void {
    if (this.closest("ui-modal")) return;
    bars.push(this);
    this.observer = watch(this, () => this.draw());
  }

  disconnectedCallback(): void {
    this.observer?.disconnect();
    const at = bars.indexOf(this);
    if (at < 0) return;
    bars.splice(at, 1);
    const left = bars.at(-1);
    if (left) left.draw();
    else tell("titleBar", null);
  }

  press(index: number): void {
    const element = this.items()[index];
    if (element instanceof HTMLAnchorElement) navigate(element.getAttribute("href") ?? "", element);
    else if (element instanceof HTMLElement) element.click();
  }

  private items(): Element[] {
    return [...this.querySelectorAll("a, button")];
  }

  draw(): void {
    if (bars.at(-1) !== this) return;
    checkAttributes(this, INTERFACE_MEMBERS._UITitleBarAttributes ?? []);
    const items = this.items().map((element, index) => ({
      ...menuItem(element),
      index,
      section: element.closest("section")?.getAttribute("label") ?? null,
    }));
    tell("titleBar", { title: this.getAttribute("title") ?? document.title, items });
  }
}

customElements.define("ui-title-bar", TitleBarElement);
listen("titleBar.click", (index) => bars.at(-1)?.press(Number(index)));
