import type { AdminState, ShopState } from "../state.ts";
import { html } from "./html.ts";
import { page, plainPage } from "./layout.ts";

export function storesPage(state: AdminState): string {
  const stores = [...state.shops.values()];
  return plainPage(
    "Stores",
    html`<ul class="cards">
      ${stores.map((shop) => html`<li><a href="/store/${shop.handle}">${shop.name}</a><span>${shop.domain}</span></li>`)}
    </ul>`,
  );
}

export function homePage(state: AdminState, shop: ShopState): string {
  const locations = [...shop.locations.values()];
  const open = shop.orders.filter((order) => order.fulfillmentOrders.some((one) => one.status !== "CLOSED"));
  const base = `/store/${shop.handle}`;
  const { config } = state;
  const installation = shop.installation
    ? html`<p>
        <a class="button primary" href="${base}/apps/${config.handle}">Open ${config.name}</a>
        <a class="button" href="${base}/apps/${config.handle}/uninstall">Uninstall ${config.name}</a>
      </p>`
    : html`<p><a class="button primary" href="${base}/apps/${config.handle}">Install ${config.name}</a></p>`;
  return page({
    state,
    shop,
    section: "home",
    title: "Home",
    body: html`<div class="tiles">
        <a class="tile" href="${base}/settings/locations"><strong>${locations.length}</strong> locations</a>
        <a class="tile" href="${base}/orders"><strong>${open.length}</strong> orders to fulfil</a>
      </div>
      <section class="card">
        <h2>${config.name}</h2>
        <p>The app runs in a frame on another site, as it does in Shopify's admin.</p>
        ${installation}
      </section>`,
  });
}

export function uninstallPage(state: AdminState, shop: ShopState): string {
  return page({
    state,
    shop,
    section: "app",
    title: `Uninstall ${state.config.name}`,
    body: html`<form method="post" class="card">
      <p>The app loses its access at once, and is told so.</p>
      <p class="actions">
        <button class="danger">Uninstall</button> <a class="button" href="/store/${shop.handle}">Cancel</a>
      </p>
    </form>`,
  });
}
