import type { OriginAnswer, OriginIntent } from "../../../app/components/origin/origin-intent.ts";
import type { OriginsAnswer, OriginsIntent } from "../../../app/components/origins/origins-intent.ts";
import type { SettingsReply } from "../../../app/components/settings/settings-actions.ts";
import type { HomeView } from "../../../app/views/home.ts";
import type { JobView } from "../../../app/views/job.ts";
import type { OriginView } from "../../../app/views/origin.ts";
import type { OriginsQuery, OriginsView } from "../../../app/views/origins.ts";
import type { ReviewView } from "../../../app/views/review.ts";
import type { ConnectionHealth, ShellView } from "../../../app/views/shell.ts";
import type { LocationAddress, LocationRecord } from "../../sandbox/admin/state.ts";
import type { PlayedShop } from "../../sandbox/play/mapped-shops.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { until } from "../../sandbox/play/until.ts";
import type { Sandbox } from "../../sandbox/start.ts";

/** One store of the table, and everything that may happen to it: by its owner, in Shopify, in the account, on the line. */

const NEVER_MS = 86_400_000;
/** Longer than the pages of a state take. */
const PATIENCE_S = 3_600;

const EVERY_ORIGIN: OriginsQuery = {
  ...{ tab: "all", state: null, carrier: null, problem: null, locations: null },
  ...{ search: "", sort: "name", descending: false, page: 1 },
};

export interface StateStore {
  handle: string;
  locations(): LocationRecord[];
  /** By name. */
  location(name: string): LocationRecord;
  templateId(name: string): string | undefined;
  origin(name: string): Promise<OriginView>;
  review(): Promise<ReviewView>;
  ask(name: string, intent: OriginIntent): Promise<OriginAnswer>;
  until(what: string, holds: () => Promise<boolean>): Promise<void>;
  untilState(name: string, holds: (state: OriginView["state"], origin: OriginView) => boolean): Promise<unknown>;
  untilHealth(health: ConnectionHealth): Promise<unknown>;
  /** Presses the button that reads the account anew. */
  lookAgain(): Promise<unknown>;
  disconnect(): Promise<void>;
  /** The carriers are asked about an address, and never answer. */
  askCarriers(name: string): Promise<void>;
  carrierSays(name: string, carrier: string, status: string): void;
  moveTo(name: string, address: Partial<LocationAddress>): void;
  /** Shopify tells of a new address, and goes on showing the one before. */
  tellsOnly(name: string): void;
  deactivate(name: string): void;
  deleteInShopify(name: string): void;
  editThere(name: string, address: Record<string, string>): void;
  /** Somebody has said there that nothing is picked up at the address any more. */
  makeDestination(name: string): void;
  deleteThere(name: string): void;
  /** Somebody has made a template for the location in the account, by hand. */
  makeThere(name: string): void;
  serviceRefuses(name: string, fields: Record<string, string[]>): void;
  /** What is sent about the location arrives, and no answer comes back. */
  loseAnswers(name: string): void;
  /** The service answers this store's client no more. */
  silence(): void;
  refuseCredentials(): void;
  home(): Promise<HomeView>;
  /** Starts a bulk action for all locations. */
  startForAll(intent: OriginsIntent["intent"]): Promise<void>;
  /** The store's bulk action, as its progress shows it. */
  job(): Promise<JobView | null>;
  /** The service answers each call with the word to wait. */
  askForPatience(): void;
  /** A template is shown without its address, in the list and alone. */
  showBare(name: string): void;
  /** The list counts one more template than it shows. */
  hideOne(): void;
  /** What is deleted by hand does not go through for now. */
  stallDeletions(): () => void;
  /** Turns on a workflow of Shopify Flow that begins with this trigger. */
  useTrigger(handle: string): Promise<void>;
  /** Shopify takes nothing for Flow. */
  failFlow(): void;
}

export function stateStore(sandbox: Sandbox, shop: PlayedShop): StateStore {
  const { admin } = sandbox;
  const shipping = sandbox.shipping!;
  const { clientId } = shop;
  const locations = () => [...shop.state.locations.values()];
  const location = (name: string) => {
    const found = locations().find((one) => one.name === name);
    if (!found) throw new Error(`No location is called ${name}`);
    return found;
  };
  const idOf = (name: string) => location(name).id;
  const templateId = (name: string) =>
    shipping.templates(clientId).find(({ alias_name: alias }) => String(alias).startsWith(name))?.id;
  const templateOf = (name: string) => {
    const id = templateId(name);
    if (id === undefined) throw new Error(`The account has no template for ${name}`);
    return id;
  };
  const settled = <T>(what: string, read: () => Promise<T>, holds: (value: T) => boolean) =>
    until({ what: `${shop.name}: ${what}`, read, holds });
  const lookAgain = () => shop.visitor.submit("/app", "routes/app", { intent: "refresh_connection" });
  const origin = (name: string) => pages.origin(shop, idOf(name));
  const readJob = async () =>
    (await shop.visitor.load<{ view: OriginsView }>("/app/origins", "routes/app.origins._index")).view.job;
  const odd: Record<string, "hidden" | "bare"> = {};
  const oddRow = (id: string, how: "hidden" | "bare") => {
    if (Object.keys(odd).length === 0)
      shipping.faults.set({ kind: "odd-rows", operations: ["list", "get"], clientId, rows: odd });
    odd[id] = how;
  };

  return {
    handle: shop.state.handle,
    locations,
    location,
    templateId,
    origin,
    review: () => pages.review(shop),
    ask: (name, intent) => pages.askOrigin(shop, idOf(name), intent),
    until: async (what, holds) => void (await settled(what, holds, Boolean)),
    untilState: (name, holds) =>
      settled(
        `the state of ${name}`,
        () => origin(name),
        (view) => holds(view.state, view),
      ),
    untilHealth: (health) =>
      settled(
        health,
        async () => {
          await lookAgain();
          return (await shop.visitor.load<ShellView>("/app/settings", "routes/app")).connection.health;
        },
        (now) => now === health,
      ),
    lookAgain,
    async disconnect() {
      await shop.visitor.submit<SettingsReply>("/app/settings", "routes/app.settings", { intent: "disconnect" });
    },
    async askCarriers(name) {
      // Carriers that were asked a moment ago are not asked again.
      await settled(
        "the end of the minute after the last question",
        () => origin(name),
        ({ standings }) => standings.every(({ askedAtMs }) => askedAtMs === null || Date.now() - askedAtMs > 61_000),
      );
      const { stepMs } = shipping.configure({}).verification;
      shipping.configure({ verification: { stepMs: [NEVER_MS, NEVER_MS] } });
      await pages.askOrigin(shop, idOf(name), { intent: "verify", carriers: shop.carriers });
      await settled(
        "the question to the carriers",
        () => origin(name),
        ({ standings }) => standings.some(({ question }) => question === "asked"),
      ).finally(() => shipping.configure({ verification: { stepMs } }));
    },
    carrierSays: (name, carrier, status) => void shipping.setVerdict({ templateId: templateOf(name), carrier, status }),
    moveTo: (name, address) =>
      void admin.locations.change(shop.state, idOf(name), { address: { ...location(name).address, ...address } }),
    tellsOnly(name) {
      const shown = location(name);
      const { address, updatedAtMs } = shown;
      admin.locations.change(shop.state, idOf(name), { address: { ...address, zip: "66267" } });
      Object.assign(shown, { address, updatedAtMs });
    },
    deactivate: (name) => void admin.locations.setActive(shop.state, idOf(name), false),
    deleteInShopify: (name) => void admin.locations.delete(shop.state, idOf(name), { force: true }),
    editThere: (name, address) => void shipping.editTemplate(templateOf(name), { address_attributes: address }),
    makeDestination: (name) => void shipping.editTemplate(templateOf(name), { address_type: "to" }),
    deleteThere: (name) => shipping.deleteTemplate(templateOf(name)),
    makeThere(name) {
      const { address } = location(name);
      const [street1, street_number] = (address.address1 ?? "").split(" \u2060");
      shipping.createTemplate(clientId, {
        alias_name: `${name}, de antes`,
        address_type: "from",
        address_attributes: {
          street1,
          street_number,
          ...{ country_code: "MX", area_level1: address.province, area_level2: address.city },
          ...{ area_level3: (address.address2 ?? "").replace("\u2060", ""), postal_code: address.zip },
          ...{
            name: "Ramón Ituarte",
            phone: "2222420707",
            email: "ramon@bodegas.example",
            reference: "Junto al zaguán",
          },
        },
      });
    },
    serviceRefuses: (name, fields) =>
      void shipping.faults.set({
        kind: "invalid",
        operations: ["update"],
        templateId: templateOf(name),
        fields,
        // In one of the shapes, so that each picture shows the same.
        shape: "errors-text",
      }),
    loseAnswers: (name) =>
      void shipping.faults.set({ kind: "lost-reply", operations: ["update"], templateId: templateOf(name) }),
    silence: () => void shipping.faults.set({ kind: "reset", clientId }),
    refuseCredentials() {
      shipping.faults.set({ kind: "invalid-client", clientId });
      shipping.revokeTokens(clientId);
    },
    home: () => pages.home(shop),
    async startForAll(intent) {
      await settled("the end of the one before", readJob, (job) => job?.state !== "running");
      const asked: OriginsIntent = { intent, locationIds: "filter", query: EVERY_ORIGIN };
      const answer = await shop.visitor.submit<OriginsAnswer>("/app/origins", "routes/app.origins._index", asked);
      if (answer.kind !== "started") throw new Error(`The bulk action was answered ${JSON.stringify(answer)}`);
    },
    job: readJob,
    askForPatience: () => void shipping.faults.set({ kind: "too-many", clientId, retryAfter: PATIENCE_S }),
    showBare: (name) => oddRow(templateOf(name), "bare"),
    hideOne() {
      const { id } = shipping.createTemplate(clientId, { alias_name: "Bodega vieja", address_type: "from" });
      oddRow(id, "hidden");
    },
    stallDeletions() {
      const [rule] = shipping.faults.set({ kind: "error-before", operations: ["delete"], clientId, status: 503 });
      return () => shipping.faults.clear(rule);
    },
    useTrigger: (handle) => admin.flowTriggers.turn(shop.state, handle, true),
    failFlow: () =>
      admin.faults.set({ kind: "status", shop: shop.state.domain, on: "graphql", field: "flowTriggerReceive" }),
  };
}
