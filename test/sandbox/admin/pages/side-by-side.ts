import type { AdminState, ShopState } from "../state.ts";
import { html } from "./html.ts";
import { page } from "./layout.ts";

/** Shopify's locations on the left, the address book on the right, as both are at the moment. The rows are drawn by `assets/side-by-side.ts`. */
export function sideBySidePage(state: AdminState, shop: ShopState): string {
  const { side, save } = state.words;
  return page({
    state,
    shop,
    section: "side",
    title: side.title,
    body: html`<p>${side.told}</p>
      <div class="columns even" id="sides" data-from="/store/${shop.handle}/side-by-side.json" data-save="${save}">
        <section aria-labelledby="shopify-heading">
          <h2 id="shopify-heading">${side.shopify}</h2>
          <ul class="sides" id="shopify-side"></ul>
        </section>
        <section aria-labelledby="book-heading">
          <h2 id="book-heading">${side.book}</h2>
          <p id="book-empty" hidden>${side.empty}</p>
          <ul class="sides" id="book-side" aria-live="polite"></ul>
        </section>
      </div>
      <p id="side-report"></p>
      <script src="/assets/side-by-side.js" defer></script>`,
  });
}
