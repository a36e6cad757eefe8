import type { OriginsView } from "../../../app/views/origins.ts";
import { confirmReviewed, mapShops } from "../../sandbox/play/mapped-shops.ts";
import type { PlayedShop } from "../../sandbox/play/mapped-shops.ts";
import { ONE_ADDRESS, startOneShop } from "../../sandbox/play/one-shop.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { until } from "../../sandbox/play/until.ts";
import { createVisitor } from "../../sandbox/play/visitor.ts";
import type { Visitor } from "../../sandbox/play/visitor.ts";
import { sandboxClient } from "../../sandbox/shipping/options.ts";
import type { AccountTemplate } from "../../sandbox/shipping/control.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import type { PageLanguage } from "../dialogs.ts";

/** A store with its work done, in which more can be made, and new stores for the first steps, one of each language. */
export interface AwayStage {
  sandbox: Sandbox;
  shop: PlayedShop;
  newStores: Record<PageLanguage, { connects: NewStore; confirms: NewStore }>;
  templates(): AccountTemplate[];
  idOf(name: string): number;
  origins(): Promise<OriginsView>;
  /** One more location, which waits for its colonia in Review. */
  toReview(name: string): Promise<void>;
  /** One more location, with its template. */
  mapped(name: string): Promise<void>;
  /** The same, and somebody changed the template in the account. */
  changedThere(name: string): Promise<void>;
  /** Reads what the account has. */
  refreshed(): Promise<void>;
  /** Opens a new store and waits until its only location was read, whose name is the page's from then on. */
  opened(store: NewStore): Promise<void>;
  /** Connects a new store's account, and reads its only location and its empty book. */
  connected(store: NewStore): Promise<void>;
}

interface NewStore {
  handle: string;
  visitor: Visitor;
  clientId: string;
  clientSecret: string;
}

const STARTED = ["Centro", "Oriente"];
const HANDLES = ["nueva-es", "lista-es", "nueva-en", "lista-en"] as const;

export async function startAwayStage(): Promise<AwayStage> {
  const further = HANDLES.map((handle) => ({
    handle,
    name: handle,
    locations: [{ name: handle, address: ONE_ADDRESS }],
  }));
  const { sandbox, shop } = await startOneShop(STARTED, {}, further);
  const newStore = (handle: (typeof HANDLES)[number]): NewStore => ({
    ...sandboxClient("production", HANDLES.indexOf(handle) + 2),
    handle,
    visitor: createVisitor({ adminUrl: sandbox.adminUrl, store: handle }),
  });
  await mapShops([shop]);
  const templates = () => sandbox.shipping!.templates(shop.clientId, "production");
  const idOf = (name: string) => [...shop.state.locations.values()].find((one) => one.name === name)!.id;
  const add = async (name: string, address2: string | null) => {
    sandbox.admin.locations.create(shop.state, { name, address: { ...ONE_ADDRESS, address2 } });
    await until({
      what: `${name} in Review`,
      read: async () => (await pages.review(shop)).rows.map((row) => row.name),
      holds: (names) => names.includes(name),
    });
  };
  const mapped = async (name: string) => {
    await add(name, ONE_ADDRESS.address2);
    await confirmReviewed(shop, (row) => row.name === name);
    await until({
      what: `The template of ${name}`,
      read: () => templates().map(({ alias_name }) => String(alias_name)),
      holds: (names) => names.some((alias) => alias.startsWith(name)),
    });
  };
  const opened = async ({ visitor }: NewStore) => {
    await visitor.open("/app");
    await until({
      what: "The location of a new store",
      read: async () => (await pages.home({ visitor })).onlyLocationId,
      holds: (id) => id !== null,
    });
  };
  return {
    sandbox,
    shop,
    newStores: {
      es: { connects: newStore("nueva-es"), confirms: newStore("lista-es") },
      en: { connects: newStore("nueva-en"), confirms: newStore("lista-en") },
    },
    templates,
    idOf,
    origins: async () =>
      (await shop.visitor.load<{ view: OriginsView }>("/app/origins", "routes/app.origins._index")).view,
    toReview: (name) => add(name, null),
    mapped,
    async changedThere(name) {
      await mapped(name);
      const { id } = templates().find(({ alias_name }) => String(alias_name).startsWith(name))!;
      sandbox.shipping!.editTemplate(id, { address_attributes: { reference: "Timbre azul" } });
      await pages.askOrigin(shop, idOf(name), { intent: "sync" });
      await until({
        what: `What was changed of ${name}`,
        read: async () => (await pages.origin(shop, idOf(name))).differences,
        holds: (differences) => differences.length > 0,
      });
    },
    async refreshed() {
      await shop.visitor.submit("/app", "routes/app", { intent: "refresh_connection" });
    },
    opened,
    async connected(store) {
      await opened(store);
      const { visitor, clientId, clientSecret } = store;
      const stated = { environment: "production" as const, clientId, clientSecret, scope: null, redirectUri: null };
      await pages.askSettings({ visitor }, { intent: "connect", ...stated });
      await until({
        what: "The first steps of a store",
        read: async () => (await pages.home({ visitor })).setup?.step,
        holds: (step) => step === "confirm",
      });
    },
  };
}
