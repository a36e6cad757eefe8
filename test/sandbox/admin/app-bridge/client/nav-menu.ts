import { listen, tell } from "./channel.ts";
import { watch } from "./menu-items.ts";
import { navigate } from "./navigation.ts";
import { checkAttributes } from "./strict.ts";

const menus: NavMenuElement[] = [];

/** `<ui-nav-menu>` and `<s-app-nav>`: the app's pages, drawn in the admin's own navigation. */
class NavMenuElement extends HTMLElement {
  private observer: MutationObserver | null = null;

  connectedCallback(): void {
    menus.push(this);
    this.observer = watch(this, () => this.draw());
  }

  disconnectedCallback(): void {
    this.observer?.disconnect();
    menus.splice(menus.indexOf(this), 1);
  }

  go(href: string): void {
    navigate(
      href,
      this.links().find((link) => link.getAttribute("href") === href),
    );
  }

  private links(): Element[] {
    return [...this.querySelectorAll("a, s-link")];
  }

  private draw(): void {
    checkAttributes(this, []);
    const links = this.links();
    if (links.filter((link) => link.getAttribute("rel") === "home").length > 1) {
      throw new TypeError('Only one link of the navigation menu may have rel="home"');
    }
    const items = links.map((link) => ({
      label: link.textContent?.trim() ?? "",
      href: link.getAttribute("href") ?? "",
      home: link.getAttribute("rel") === "home",
    }));
    tell("navMenu", items);
  }
}

class AppNavElement extends NavMenuElement {}

customElements.define("ui-nav-menu", NavMenuElement);
customElements.define("s-app-nav", AppNavElement);
listen("navMenu.click", (href) => menus.at(-1)?.go(String(href)));
