import { formatted } from "../graphql/nodes.ts";
import type { LocationInput } from "../locations.ts";
import { MEXICAN_PROVINCES } from "../provinces.ts";
import type { AdminState, LocationRecord, ShopState } from "../state.ts";
import { html } from "./html.ts";
import type { Html } from "./html.ts";
import { page } from "./layout.ts";

/** Shopify keeps number and colonia behind this mark in address1 and address2. */
const DELIMITER = "\u2060";

export function locationsPage(state: AdminState, shop: ShopState, notice?: string): string {
  const base = `/store/${shop.handle}/settings/locations`;
  const rows = [...shop.locations.values()].map(
    (location) =>
      html`<li>
        <a href="${base}/${location.id}"><strong>${location.name}</strong></a>
        <span>${formatted(location.address).join(", ").replaceAll(DELIMITER, "")}</span>
        <span class="badges">${badges(location)}</span>
      </li>`,
  );
  return page({
    state,
    shop,
    section: "locations",
    title: "Locations",
    notice,
    body: html`<p><a class="button primary" href="${base}/new">Add location</a></p>
      ${
        rows.length > 0
          ? html`<ul class="cards">
              ${rows}
            </ul>`
          : html`<p class="card">This store has no locations yet.</p>`
      }`,
  });
}

export interface LocationFormInput {
  state: AdminState;
  shop: ShopState;
  location: LocationRecord | null;
  problem?: string;
}

export function locationPage({ state, shop, location, problem }: LocationFormInput): string {
  const base = `/store/${shop.handle}/settings/locations`;
  const address = location?.address;
  const [street, number] = (address?.address1 ?? "").split(DELIMITER);
  const [line2, colonia] = splitSecondLine(address?.address2 ?? "");
  return page({
    state,
    shop,
    section: "locations",
    title: location ? location.name : "Add location",
    body: html`<p>
        <a href="${base}">← Locations</a> <span class="badges">${location ? badges(location) : null}</span>
      </p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : null}
      <form method="post" class="card fields">
        ${field("name", "Location name", location?.name)}
        <label for="countryCode">Country</label>
        <select id="countryCode" name="countryCode">
          ${option("MX", "Mexico", address?.countryCode ?? "MX")} ${option("US", "United States", address?.countryCode)}
        </select>
        ${field("street", "Street", street?.trimEnd())} ${field("number", "House number", number)}
        ${field("line2", "Apartment, suite, etc.", line2)} ${field("colonia", "Neighborhood", colonia)}
        ${field("zip", "Postal code", address?.zip)} ${field("city", "City", address?.city)}
        <label for="provinceCode">State</label>
        <select id="provinceCode" name="provinceCode">
          ${option("", "—", address?.provinceCode ?? "")}
          ${MEXICAN_PROVINCES.map(([code, name]) => option(code, name, address?.provinceCode))}
        </select>
        ${field("phone", "Phone", address?.phone)}
        <label class="check">
          <input
            type="checkbox"
            name="fulfillsOnlineOrders"
            ${attribute(location?.fulfillsOnlineOrders ?? true, "checked")}
          />
          Fulfill online orders from this location
        </label>
        <p class="actions"><button class="primary">Save</button></p>
      </form>
      ${location ? lifeOf(base, location) : null}`,
  });
}

function lifeOf(base: string, location: LocationRecord): Html {
  const act = (verb: string, label: string, style: string): Html =>
    html`<form method="post" action="${base}/${location.id}/${verb}"><button class="${style}">${label}</button></form>`;
  return html`<section class="card row" aria-label="Status">
    ${location.isActive ? act("deactivate", "Deactivate location", "") : act("activate", "Activate location", "")}
    ${location.isActive ? null : act("delete", "Delete location", "danger")}
  </section>`;
}

/** The form's values as the admin stores them: number and colonia behind Shopify's mark, an empty value as null. */
export function locationInput(form: URLSearchParams): LocationInput {
  const text = (name: string): string => (form.get(name) ?? "").trim();
  const street = text("street");
  const number = text("number");
  const line2 = text("line2");
  const colonia = text("colonia");
  return {
    name: text("name"),
    fulfillsOnlineOrders: form.get("fulfillsOnlineOrders") === "on",
    address: {
      address1: (number ? `${street} ${DELIMITER}${number}` : street) || null,
      address2: (colonia ? `${line2}${line2 ? " " : ""}${DELIMITER}${colonia}` : line2) || null,
      zip: text("zip") || null,
      city: text("city") || null,
      provinceCode: text("provinceCode") || null,
      countryCode: text("countryCode") || "MX",
      phone: text("phone") || null,
    },
  };
}

function splitSecondLine(text: string): [string, string] {
  const at = text.indexOf(DELIMITER);
  return at < 0 ? [text, ""] : [text.slice(0, at).trimEnd(), text.slice(at + 1)];
}

function badges(location: LocationRecord): Html[] {
  return [
    location.isActive ? html`<span class="badge good">Active</span>` : html`<span class="badge">Inactive</span>`,
    ...(location.isFulfillmentService ? [html`<span class="badge">Fulfillment service</span>`] : []),
    ...(location.fulfillsOnlineOrders ? [] : [html`<span class="badge">No online orders</span>`]),
  ];
}

function field(name: string, label: string, value: string | null | undefined): Html {
  return html`<label for="${name}">${label}</label
    ><input id="${name}" name="${name}" value="${value ?? ""}" autocomplete="off" />`;
}

function option(value: string, label: string, selected: string | null | undefined): Html {
  return html`<option value="${value}" ${attribute(value === selected, "selected")}>${label}</option>`;
}

function attribute(on: boolean, name: string): string | null {
  return on ? name : null;
}
