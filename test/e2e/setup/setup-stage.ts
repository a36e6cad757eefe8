import type { Frame, Page } from "playwright-core";
import type { LocationInput } from "../../sandbox/admin/locations.ts";
import type { StoreInput } from "../../sandbox/admin/server.ts";
import { sandboxClient } from "../../sandbox/shipping/options.ts";
import { createKeyboard } from "../keyboard.ts";
import type { PageLanguage } from "../dialogs.ts";
import type { JobStage } from "../job-stage.ts";
import { IS_WHOLE } from "../../whole.ts";

/** New stores, each with an address book of its own, and the hand that sets them up. */

export const SIX = 6;
export const MOST_PRESSES = 3;
export const MOST_FIELDS = { empty: 6, complete: 2 } as const;

type Book = keyof typeof MOST_FIELDS;
export type By = "mouse" | "keyboard";

interface Walk {
  language: PageLanguage;
  book: Book;
  by: By;
}

const SHORT: Walk[] = [{ language: "es", book: "empty", by: "mouse" }];
export const WALKS: Walk[] = IS_WHOLE
  ? [
      ...SHORT,
      { language: "es", book: "complete", by: "mouse" },
      { language: "en", book: "empty", by: "keyboard" },
      { language: "es", book: "empty", by: "keyboard" },
      { language: "en", book: "complete", by: "mouse" },
      { language: "en", book: "complete", by: "keyboard" },
      { language: "es", book: "complete", by: "keyboard" },
    ]
  : SHORT;

const place = (number: number) => ({
  name: `Tienda ${number}`,
  street1: "Calle Allende",
  street_number: String(number * 10),
  area_level3: "Centro",
  postal_code: `7200${number}`,
});

/** As Shopify's own form writes them; the phone is for the owner to say. */
export const LOCATIONS: LocationInput[] = Array.from({ length: SIX }, (_one, index) => {
  const { name, street1, street_number, area_level3, postal_code } = place(index + 1);
  const address1 = `${street1} \u2060${street_number}`;
  return {
    name,
    address: {
      ...{ countryCode: "MX", provinceCode: "PUE", city: "Puebla", zip: postal_code, phone: null },
      ...{ address1, address2: `\u2060${area_level3}` },
    },
  };
});

/** A store that gets its only location later. */
export const ALONE = WALKS.length;
export const handleOf = (index: number): string => `tienda-${index}`;
export const STORES: StoreInput[] = [...WALKS.map(() => LOCATIONS), []].map((locations, index) => ({
  handle: handleOf(index),
  name: `Tienda ${index}`,
  locations,
}));
export const clientOf = (index: number) => sandboxClient("production", index + 1);

/** What a shop owner types, by the key of the field's label. */
export const ANSWERS: Record<string, string> = {
  "common:fields.name": "Marisol Cervantes",
  "common:fields.email": "hola@tienda.example",
  "common:fields.phone": "222 264 0100",
  "common:fields.reference": "Portón de madera",
};

/** Presses and fields, counted as a person's hand does them. */
export interface Hand {
  presses: number;
  fields: number;
  fill(label: string, value: string): Promise<void>;
  press(name: string | RegExp): Promise<void>;
}

/** Connects, types and presses, as `by` says, and counts it. */
export function handOf({ page, app, by }: { page: Page; app: Frame; by: By }): Hand {
  const keyboard = createKeyboard(page);
  const hand: Hand = {
    presses: 0,
    fields: 0,
    async fill(label, value) {
      hand.fields += 1;
      if (by === "mouse") return app.getByLabel(label, { exact: true }).fill(value);
      await keyboard.tabTo(label);
      await keyboard.type(value);
    },
    async press(name) {
      hand.presses += 1;
      if (by === "mouse") return app.getByRole("button", { name, exact: true }).click();
      await keyboard.tabTo(name);
      await keyboard.press("Enter");
    },
  };
  return hand;
}

/** Who answers at the doors, as the address book knows it. */
export const THERE = {
  name: "Ramón Ituarte",
  phone: "2222420707",
  email: "ramon@tienda.example",
  reference: "Junto al zaguán",
} as const;

/** A template that somebody made by hand. */
export function makeThere(stage: JobStage, clientId: string, number: number): void {
  const { name, ...address } = place(number);
  stage.sandbox.shipping!.createTemplate(clientId, {
    alias_name: `${name}, la de siempre`,
    address_type: "from",
    address_attributes: { country_code: "MX", area_level1: "Puebla", area_level2: "Puebla", ...address, ...THERE },
  });
}
