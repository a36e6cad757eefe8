import { existsSync } from "node:fs";
import { shownLines } from "./shown-lines.ts";
import type { AdminState, FulfillmentOrderRecord, OrderRecord, ShopState } from "../state.ts";
import type { Words } from "../words.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import { page } from "./layout.ts";

/** The admin UI extensions' host, which has a folder of its own and is mounted when it is there. */
export const EXTENSION_HOST = new URL("../extension-host/", import.meta.url);

export function ordersPage(state: AdminState, shop: ShopState): string {
  const base = `/store/${shop.handle}/orders`;
  const rows = shop.orders.toReversed().map(
    (order) =>
      html`<li>
        <span>
          <input
            type="checkbox"
            data-select
            aria-label="${state.words.select(order.number)}"
            value="gid://shopify/Order/${order.id}"
          />
          <a href="${base}/${order.id}"><strong>#${order.number}</strong></a>
        </span>
        <span>${day(order.createdAtMs)} · ${order.customerName} · MXN ${order.totalMxn}</span>
        <span class="badges"
          >${originNames(state, shop, order).map((name) => html`<span class="badge">${name}</span>`)}</span
        >
      </li>`,
  );
  return page({
    state,
    shop,
    section: "orders",
    title: state.words.orders,
    scripts: extensionScripts(state, shop),
    body: html`<div class="page-actions" data-extension-menu="admin.order-index.action"></div>
      ${
        rows.length > 0
          ? html`<div class="page-actions selection">
                <label><input type="checkbox" data-select-all /> ${state.words.selectAll}</label>
                <details class="menu" data-extension-menu="admin.order-index.selection-action" hidden>
                  <summary>${state.words.withSelected} (<span data-selected>0</span>)</summary>
                  <ul></ul>
                </details>
              </div>
              <ul class="cards">
                ${rows}
              </ul>`
          : html`<p class="card">${state.words.noOrders}</p>`
      }`,
  });
}

export function orderPage(state: AdminState, shop: ShopState, order: OrderRecord): string {
  const { words } = state;
  const gid = `gid://shopify/Order/${order.id}`;
  return page({
    state,
    shop,
    section: "orders",
    title: words.order(order.number),
    scripts: extensionScripts(state, shop, gid),
    body: html`<p><a href="/store/${shop.handle}/orders">← ${words.orders}</a> ${day(order.createdAtMs)}</p>
      <div class="page-actions">
        <details class="menu" data-extension-menu="admin.order-details.action">
          <summary>${words.moreActions}</summary>
          <ul>
            <li><button type="button" disabled>${words.duplicate}</button></li>
          </ul>
        </details>
      </div>
      <div class="columns">
        <div>
          ${order.fulfillmentOrders.map((one) => fulfillmentCard(words, shop, one))}
          <div class="blocks" data-extension-blocks="admin.order-details.block.render"></div>
          <section class="card">
            <h2>${words.timeline}</h2>
            <p>${day(order.createdAtMs)} · ${words.placed(order.customerName)}</p>
          </section>
        </div>
        <section class="card">
          <h2>${words.customer}</h2>
          <p>${order.customerName}<br />${order.destination}</p>
          <p>${words.total} MXN ${order.totalMxn}</p>
        </section>
      </div>`,
  });
}

function fulfillmentCard(words: Words, shop: ShopState, record: FulfillmentOrderRecord): Html {
  const live = shop.locations.get(record.locationId);
  const origin = record.snapshot ?? live;
  return html`<section class="card">
    <h2>
      ${origin?.name ?? words.deletedLocation}
      <span class="badge">${words.statuses[record.status]}</span>
    </h2>
    ${origin ? html`<p>${shownLines(words, origin.address).join(", ")}</p>` : null}
    <ul>
      ${record.lines.map((line) => html`<li>${line.quantity} × ${line.title}</li>`)}
    </ul>
  </section>`;
}

/** The scripts of the extension host, which finds its places by data attributes, and the page's context as JSON. */
function extensionScripts(state: AdminState, shop: ShopState, orderId?: string): Html {
  if (!existsSync(new URL("server.ts", EXTENSION_HOST))) return html``;
  const context = JSON.stringify({
    handle: shop.handle,
    shop: shop.domain,
    app: state.config.handle,
    orderId: orderId ?? null,
  });
  return html`<meta name="extension-context" content="${context}" />
    <script type="module" src="/extension-host/host.js"></script>`;
}

function originNames({ words }: AdminState, shop: ShopState, order: OrderRecord): string[] {
  return order.fulfillmentOrders.map(
    (one) => one.snapshot?.name ?? shop.locations.get(one.locationId)?.name ?? words.deletedLocation,
  );
}

function day(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
