import type { ReviewView } from "../../app/views/review.ts";
import { prepareJob } from "../sandbox/play/job.ts";
import { playTheJob } from "../sandbox/play/play.ts";
import { until } from "../sandbox/play/until.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import type { LocationRecord } from "../sandbox/admin/state.ts";
import { CLIENT, STORE } from "./job-stage.ts";

/** A store with something to see on every page: what is done, what waits for its owner, what was changed elsewhere. */

/** The second store: nothing is connected and nothing is there yet. */
export const NEW_STORE = "casa-jacaranda";

export interface PagesStage {
  sandbox: Sandbox;
  /** A page of the app in the admin. */
  url(path: string, store?: string): string;
  /** A location's page, by the location's name. */
  origin(name: string): string;
  templateId: string;
  /** Changes a location's address in Shopify to one that its owner must confirm, and waits until the app knows it. */
  moveInShopify(name: string, address: Partial<LocationRecord["address"]>): Promise<void>;
  /** The address attributes of a location's template, as the shipping service holds them. */
  templateOf(name: string): object;
  /**
   * A new location, and a template that somebody made for it in the account and whose contact is another than the store's. Waits until
   * the app proposes one for the other.
   */
  addKnownThere(name: string, number: string): Promise<{ templateId: string }>;
  /** The address attributes of a template, by its id. */
  template(templateId: string): Record<string, unknown>;
  /** Somebody else of the store presses the button of the connection's banner. */
  refreshConnection(): Promise<unknown>;
  /** Somebody changes a location's template in the account. */
  editThere(name: string, change: Record<string, unknown>): void;
  /** A carrier's answer about a location's template, in the carrier's own word. */
  answerOfCarrier(name: string, answer: { carrier: string; status: string }): void;
  /** Switches a location off or on in Shopify. */
  setActive(name: string, isActive: boolean): void;
}

export const NO_SUCH_PAGE = "/app/origins/1";

/** Every page of the app, as it is in one of the two stores. */
export const PAGES = {
  home: ({ url }) => url("/app"),
  origins: ({ url }) => url("/app/origins"),
  "origins-import": ({ url }) => url("/app/origins/import"),
  origin: ({ url, origin }) => url(origin("Tienda Roma Norte")),
  "origin-move": ({ url, origin }) => url(`${origin("Tienda Roma Norte")}/move`),
  "origin-report": ({ url, origin }) => url(`${origin("Tienda Roma Norte")}/report`),
  "origin-changed-there": ({ url, origin }) => url(origin("Bodega Monterrey")),
  "origin-to-review": ({ url, origin }) => url(origin("Local Puebla")),
  "origin-not-included": ({ url, origin }) => url(origin("Envíos del Bajío")),
  review: ({ url }) => url("/app/review"),
  "address-book": ({ url }) => url("/app/address-book"),
  "address-new": ({ url }) => url("/app/address-book/new"),
  address: ({ url, templateId }) => url(`/app/address-book/${templateId}`),
  activity: ({ url }) => url("/app/activity"),
  settings: ({ url }) => url("/app/settings"),
  help: ({ url }) => url("/app/help"),
  "new-store-home": ({ url }) => url("/app", NEW_STORE),
  "new-store-origins": ({ url }) => url("/app/origins", NEW_STORE),
  "new-store-review": ({ url }) => url("/app/review", NEW_STORE),
  "new-store-address-book": ({ url }) => url("/app/address-book", NEW_STORE),
  "new-store-activity": ({ url }) => url("/app/activity", NEW_STORE),
  "new-store-settings": ({ url }) => url("/app/settings", NEW_STORE),
  "no-such-page": ({ url }) => url(NO_SUCH_PAGE),
} satisfies Record<string, (stage: PagesStage) => string>;

export type PageName = keyof typeof PAGES;

/** @throws when the job cannot be played. */
export async function startPagesStage(): Promise<PagesStage> {
  const sandbox = await startSandbox({
    locale: "en",
    shipping: {
      verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "verified" } },
    },
  });
  try {
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    return await furnish(sandbox);
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

async function furnish(sandbox: Sandbox): Promise<PagesStage> {
  const shipping = sandbox.shipping!;
  const shop = [...sandbox.admin.state.shops.values()].find(({ handle }) => handle === STORE)!;
  const named = (name: string): LocationRecord => [...shop.locations.values()].find((one) => one.name === name)!;
  const url: PagesStage["url"] = (path, store = STORE) => `${sandbox.adminUrl}/store/${store}/apps/origen${path}`;

  const byHand = { name: "Ramón Ituarte", street1: "Calle 5 de Mayo", street_number: "310", area_level3: "Centro" };
  const makeThere = (alias: string, attributes: object): string =>
    shipping.createTemplate(CLIENT, {
      alias_name: alias,
      address_type: "from",
      address_attributes: {
        ...byHand,
        country_code: "MX",
        area_level1: "Puebla",
        area_level2: "Puebla",
        postal_code: "72000",
        phone: "2222420707",
        email: "puebla@taller-copal.example",
        reference: "Junto al zaguán",
        ...attributes,
      },
    }).id;
  makeThere("Puebla, la de siempre", {});
  const templateOf = (name: string): string =>
    shipping.templates(CLIENT).find(({ alias_name }) => String(alias_name).startsWith(name))!.id;
  shipping.editTemplate(templateOf("Bodega Monterrey"), {
    address_attributes: { reference: "Entrada por el callejón" },
  });
  shipping.setVerdict({ templateId: templateOf("Almacén Mérida"), carrier: "dhl", status: "rejected" });
  sandbox.admin.locations.create(shop, {
    name: "Local Puebla",
    address: { ...PUEBLA, address1: "Calle 5 de Mayo 310", address2: "Centro" },
  });
  sandbox.admin.locations.create(shop, {
    name: "Quiosco Cholula",
    address: { ...PUEBLA, address1: "Portal Guerrero 7", city: "Cholula" },
  });
  const { visitor, originOf } = prepareJob(sandbox);
  await visitor.submit("/app", "routes/app", { intent: "refresh_connection" });
  await until({
    what: "What was changed in the account",
    read: () => originOf(named("Bodega Monterrey")),
    holds: ({ differences }) => differences.length > 0,
  });
  await until({
    what: "The template that is like a location",
    read: async () => (await visitor.load<{ view: ReviewView }>("/app/review", "routes/app.review")).view,
    holds: ({ rows }) => rows.length === 2 && rows.some(({ proposals }) => proposals.length > 0),
  });
  return {
    sandbox,
    url,
    origin: (name) => `/app/origins/${named(name).id}`,
    templateId: templateOf("Bodega Monterrey"),
    async moveInShopify(name, address) {
      sandbox.admin.locations.change(shop, named(name).id, { address: { ...named(name).address, ...address } });
      await until({
        what: "The address that changed in Shopify",
        read: () => originOf(named(name)),
        holds: ({ state }) => state === "incomplete",
      });
    },
    async addKnownThere(name, number) {
      const templateId = makeThere(`${name}, de antes`, { street_number: number, rfc: "XAXX010101000" });
      sandbox.admin.locations.create(shop, {
        name,
        address: { ...PUEBLA, address1: `Calle 5 de Mayo ${number}`, address2: "Centro" },
      });
      await visitor.submit("/app", "routes/app", { intent: "refresh_connection" });
      await until({
        what: "The template that is like the new location",
        read: async () => (await visitor.load<{ view: ReviewView }>("/app/review", "routes/app.review")).view,
        holds: ({ rows }) => rows.some((row) => row.name === name && row.proposals.length > 0),
      });
      return { templateId };
    },
    template: (templateId) =>
      shipping.templates(CLIENT).find(({ id }) => id === templateId)!.address as Record<string, unknown>,
    editThere: (name, change) => void shipping.editTemplate(templateOf(name), { address_attributes: change }),
    answerOfCarrier: (name, answer) => void shipping.setVerdict({ templateId: templateOf(name), ...answer }),
    setActive: (name, isActive) => void sandbox.admin.locations.setActive(shop, named(name).id, isActive),
    refreshConnection: () => visitor.submit("/app", "routes/app", { intent: "refresh_connection" }),
    templateOf: (name) => shipping.templates(CLIENT).find(({ id }) => id === templateOf(name))!.address as object,
  };
}

const PUEBLA = { countryCode: "MX", provinceCode: "PUE", city: "Puebla", zip: "72000", phone: "222 242 0707" };
