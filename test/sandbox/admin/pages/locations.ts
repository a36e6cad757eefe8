import { formatted } from "../graphql/nodes.ts";
import type { LocationInput } from "../locations.ts";
import { MEXICAN_PROVINCES } from "../provinces.ts";
import type { AdminState, LocationRecord, ShopState } from "../state.ts";
import type { Words } from "../words.ts";
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
        <span class="badges">${badges(state, location)}</span>
      </li>`,
  );
  return page({
    state,
    shop,
    section: "locations",
    title: state.words.locations,
    notice,
    body: html`<p><a class="button primary" href="${base}/new">${state.words.addLocation}</a></p>
      ${
        rows.length > 0
          ? html`<ul class="cards">
              ${rows}
            </ul>`
          : html`<p class="card">${state.words.noLocations}</p>`
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
  const { words } = state;
  const address = location?.address;
  const [street, number] = (address?.address1 ?? "").split(DELIMITER);
  const [line2, colonia] = splitSecondLine(address?.address2 ?? "");
  return page({
    state,
    shop,
    section: "locations",
    title: location ? location.name : words.addLocation,
    body: html`<p>
        <a href="${base}">← ${words.locations}</a>
        <span class="badges">${location ? badges(state, location) : null}</span>
      </p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : null}
      <form method="post" class="card fields">
        ${field("name", words.fields.name, location?.name)}
        <label for="countryCode">${words.fields.country}</label>
        <select id="countryCode" name="countryCode">
          ${option("MX", words.mexico, address?.countryCode ?? "MX")} ${option("US", words.usa, address?.countryCode)}
        </select>
        ${field("street", words.fields.street, street?.trimEnd())} ${field("number", words.fields.number, number)}
        ${field("line2", words.fields.line2, line2)} ${field("colonia", words.fields.colonia, colonia)}
        ${field("zip", words.fields.zip, address?.zip)} ${field("city", words.fields.city, address?.city)}
        <label for="provinceCode">${words.fields.state}</label>
        <select id="provinceCode" name="provinceCode">
          ${option("", "—", address?.provinceCode ?? "")}
          ${MEXICAN_PROVINCES.map(([code, name]) => option(code, name, address?.provinceCode))}
        </select>
        ${field("phone", words.fields.phone, address?.phone)}
        <label class="check">
          <input
            type="checkbox"
            name="fulfillsOnlineOrders"
            ${attribute(location?.fulfillsOnlineOrders ?? true, "checked")}
          />
          ${words.fields.fulfills}
        </label>
        <p class="actions"><button class="primary">${words.save}</button></p>
      </form>
      ${location ? lifeOf(words, base, location) : null}`,
  });
}

function lifeOf(words: Words, base: string, location: LocationRecord): Html {
  const act = (verb: string, label: string, style: string): Html =>
    html`<form method="post" action="${base}/${location.id}/${verb}"><button class="${style}">${label}</button></form>`;
  return html`<section class="card row" aria-label="${words.status}">
    ${location.isActive ? act("deactivate", words.deactivate, "") : act("activate", words.activate, "")}
    ${location.isActive ? null : act("delete", words.delete, "danger")}
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

function badges({ words }: AdminState, location: LocationRecord): Html[] {
  return [
    location.isActive
      ? html`<span class="badge good">${words.active}</span>`
      : html`<span class="badge">${words.inactive}</span>`,
    ...(location.isFulfillmentService ? [html`<span class="badge">${words.fulfillmentService}</span>`] : []),
    ...(location.fulfillsOnlineOrders ? [] : [html`<span class="badge">${words.noOnlineOrders}</span>`]),
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
