import type { AdminState, ShopState } from "../state.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** What a visitor of the demo may press, each a `POST /store/:handle/play/:act` that answers `{said, link?, labels}`: `labels` is what its buttons say then. */
const ACTS = ["move", "edit-book", "switch", "refuse"] as const;

/** The bar at the foot of each page with which a visitor plays. */
export function playBar({ words }: AdminState, shop: ShopState): Html {
  const { play } = words;
  const base = `/store/${shop.handle}`;
  const labels = { move: play.move, "edit-book": play.editBook, switch: play.switchOff, refuse: play.refuse };
  const order = shop.orders.find(({ fulfillmentOrders }) => fulfillmentOrders.some(({ status }) => status === "OPEN"));
  return html`<aside class="play" aria-labelledby="play-heading" data-base="${base}/play" data-failed="${play.failed}">
    <div class="play-acts">
      <strong id="play-heading">${play.heading}</strong>
      ${ACTS.map((act) => html`<button type="button" data-act="${act}">${labels[act]}</button>`)}
      ${order && html`<a class="button" href="${base}/orders/${order.id}">${play.order}</a>`}
      <a class="button" href="${base}/side-by-side">${play.sideBySide}</a>
    </div>
    <p id="play-said" role="status"></p>
    <script src="/assets/play-bar.js" defer></script>
  </aside>`;
}
