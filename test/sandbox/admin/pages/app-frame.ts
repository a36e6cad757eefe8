import { embeddedQuery } from "../signing.ts";
import type { AdminState, ShopState } from "../state.ts";
import { html, Html } from "./html.ts";
import { page } from "./layout.ts";

export interface FrameInput {
  state: AdminState;
  shop: ShopState;
  appUrl: string;
  locale: string;
  /** The path and query within the app, as they stand in the admin's address after the app's handle. */
  path: string;
}

// What Shopify's own frame is allowed; it may not navigate the admin by itself.
const SANDBOX =
  "allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts";

export function framePage({ state, shop, appUrl, locale, path }: FrameInput): string {
  const url = new URL(path || "/", appUrl);
  for (const [key, value] of embeddedQuery(state, shop, locale)) url.searchParams.set(key, value);
  const settings = JSON.stringify({
    handle: shop.handle,
    app: state.config.handle,
    name: state.config.name,
    appOrigin: url.origin,
    words: state.words.host,
  });
  return page({
    state,
    shop,
    section: "app",
    title: state.config.name,
    framed: true,
    scripts: html`<meta name="frame-settings" content="${settings}" />
      <script src="/assets/app-frame.js" defer></script>`,
    body: html`<div class="progress" id="progress" hidden></div>
      <div class="title-bar" id="title-bar">
        <h1 id="app-title">${state.config.name}</h1>
        <div class="title-actions" id="title-actions"></div>
      </div>
      <iframe
        id="app"
        name="app-iframe"
        title="${state.config.name}"
        data-src="${url.href}"
        data-sandbox="${SANDBOX}"
      ></iframe>
      <div class="save-bar" id="save-bar" role="region" aria-label="${state.words.host.unsaved}" hidden>
        <span id="save-bar-text">${state.words.host.unsaved}</span>
        <span class="actions">
          <button type="button" id="save-bar-discard">${state.words.host.discard}</button>
          <button type="button" id="save-bar-save" class="primary">${state.words.host.save}</button>
        </span>
      </div>
      <div class="toasts" id="toasts" role="status" aria-live="polite"></div>
      <dialog id="question" aria-labelledby="question-title">
        <h2 id="question-title"></h2>
        <div id="question-text"></div>
        <p class="actions">
          <button type="button" id="question-no"></button>
          <button type="button" id="question-yes" class="primary"></button>
        </p>
      </dialog>`,
  });
}

export function installPage(state: AdminState, shop: ShopState): string {
  return page({
    state,
    shop,
    section: "app",
    title: state.words.install(state.config.name),
    body: html`<form method="post" action="/store/${shop.handle}/apps/${state.config.handle}/install" class="card">
      <p>${state.words.asksFor}</p>
      <ul>
        ${state.config.scopes.map((scope) => new Html(`<li>${scope}</li>`))}
      </ul>
      <p class="actions"><button class="primary">${state.words.installNow}</button></p>
    </form>`,
  });
}
