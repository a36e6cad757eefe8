import type { AdminState, ShopState } from "../state.ts";
import { html } from "./html.ts";
import { page, plainPage } from "./layout.ts";

export function storesPage(state: AdminState): string {
  const stores = [...state.shops.values()];
  return plainPage(
    state.words.stores,
    html`<ul class="cards">
      ${stores.map((shop) => html`<li><a href="/store/${shop.handle}">${shop.name}</a><span>${shop.domain}</span></li>`)}
    </ul>`,
  );
}

export function homePage(state: AdminState, shop: ShopState): string {
  const locations = [...shop.locations.values()];
  const open = shop.orders.filter((order) => order.fulfillmentOrders.some((one) => one.status !== "CLOSED"));
  const base = `/store/${shop.handle}`;
  const { config, words } = state;
  const installation = shop.installation
    ? html`<p>
        <a class="button primary" href="${base}/apps/${config.handle}">${words.open(config.name)}</a>
        <a class="button" href="${base}/apps/${config.handle}/uninstall">${words.uninstall(config.name)}</a>
      </p>`
    : html`<p><a class="button primary" href="${base}/apps/${config.handle}">${words.install(config.name)}</a></p>`;
  return page({
    state,
    shop,
    section: "home",
    title: words.home,
    body: html`<div class="tiles">
        <a class="tile" href="${base}/settings/locations"
          ><strong>${locations.length}</strong> ${words.locationsCount}</a
        >
        <a class="tile" href="${base}/orders"><strong>${open.length}</strong> ${words.ordersCount}</a>
      </div>
      <section class="card">
        <h2>${config.name}</h2>
        <p>${words.framed}</p>
        ${installation}
      </section>`,
  });
}

export function uninstallPage(state: AdminState, shop: ShopState): string {
  return page({
    state,
    shop,
    section: "app",
    title: state.words.uninstall(state.config.name),
    body: html`<form method="post" class="card">
      <p>${state.words.losesAccess}</p>
      <p class="actions">
        <button class="danger">${state.words.uninstallNow}</button>
        <a class="button" href="/store/${shop.handle}">${state.words.cancel}</a>
      </p>
    </form>`,
  });
}
