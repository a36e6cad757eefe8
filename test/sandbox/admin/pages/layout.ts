import type { AdminState, ShopState } from "../state.ts";
import { WORDS } from "../words.ts";
import { html, Html } from "./html.ts";
import { playBar } from "./play-bar.ts";

export type Section = "home" | "orders" | "locations" | "flow" | "app" | "side";

export interface PageInput {
  state: AdminState;
  shop: ShopState;
  section: Section;
  title: string;
  body: Html;
  /** The frame page has no heading of its own: the app's title bar is it. */
  framed?: boolean;
  scripts?: Html;
  notice?: string | undefined;
}

/** A page of the admin: bar, navigation, and what it is about. */
export function page({ state, shop, section, title, body, framed = false, scripts, notice }: PageInput): string {
  const base = `/store/${shop.handle}`;
  const { words } = state;
  const link = (target: Section, href: string, label: string): Html =>
    html`<a href="${base}${href}" ${new Html(section === target ? 'aria-current="page"' : "")}>${label}</a>`;
  const others = [...state.shops.values()].filter((other) => other !== shop);
  return html`<!doctype html>
    <html lang="${words === WORDS.en ? "en" : "es"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${shop.name}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/admin.css" />
        ${scripts ?? null}
      </head>
      <body class="${framed ? "framed" : ""}">
        <a class="skip" href="#main">${words.skip}</a>
        <header class="bar" id="bar">
          <button type="button" class="menu-button" id="menu-button" aria-expanded="false" aria-controls="nav">
            ${words.menu}
          </button>
          <span class="brand">${words.brand}</span>
          <details class="stores">
            <summary>${shop.name}</summary>
            <ul>
              ${others.map((other) => html`<li><a href="/store/${other.handle}">${other.name}</a></li>`)}
              <li>
                <form method="post" action="/locale">
                  <input type="hidden" name="back" value="${base}" />
                  <button name="locale" value="es" lang="es">Español</button>
                  <button name="locale" value="en" lang="en">English</button>
                </form>
              </li>
            </ul>
          </details>
        </header>
        <nav class="side" id="nav" aria-label="${words.nav}">
          ${link("home", "", words.home)} ${link("orders", "/orders", words.orders)}
          ${link("locations", "/settings/locations", words.locations)}
          <p class="group">${words.apps}</p>
          ${link("flow", "/flow", words.flow.title)} ${link("app", `/apps/${state.config.handle}`, state.config.name)}
          <ul id="app-nav"></ul>
        </nav>
        <main id="main" tabindex="-1">
          ${notice ? html`<p class="notice" role="status">${notice}</p>` : null}
          ${framed ? null : html`<h1>${title}</h1>`} ${body}
        </main>
        ${state.hasPlayBar ? playBar(state, shop) : null}
        <script src="/assets/menu.js"></script>
      </body>
    </html>`.text;
}

/** A page outside any store: the list of them, and what was not found. */
export function plainPage(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/admin.css" />
      </head>
      <body class="plain">
        <main id="main">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
}
