import { join } from "node:path";
import { legacyIdOf } from "../../app/domain/location-id.ts";
import type { SessionTokenOptions } from "../sandbox/admin/signing.ts";
import { sessionToken } from "../sandbox/admin/signing.ts";
import type { LocationInput } from "../sandbox/admin/locations.ts";
import type { ShopState } from "../sandbox/admin/state.ts";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import { SUPPLIER } from "../fakes/by-hand.ts";
import { confirmReviewed } from "../sandbox/play/mapped-shops.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import { createVisitor } from "../sandbox/play/visitor.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { openRows } from "./rows.ts";
import type { Rows } from "./rows.ts";

/** Two shops on the built app: one that has everything, and one whose owner names all of it. */

/** Stands in every text that the victim has, so that an answer to anybody else tells by itself that it should not have come. */
export const CANARY = "CANARIO";
export const VICTIM = "victim";
const INTRUDER = "intruder";

/** Requests are to come as far as a use case, however fast the machine sends them. */
const UNLIMITED = { FORMS_A_SECOND: "10000", PAGES_A_SECOND: "10000" };

/** What the victim has, by name. */
export interface Theirs {
  shop: string;
  locationId: string;
  legacyLocationId: string;
  templateId: string;
  draftId: string;
  jobId: string;
}

export interface Stage {
  sandbox: Sandbox;
  theirs: Theirs;
  /** A session token of the intruder's, or one made otherwise. */
  token(options?: SessionTokenOptions): string;
  /** All that the victim's owner did and the app knows of it, to be compared. */
  victimRows(): Promise<unknown>;
  stop(): Promise<void>;
}

interface StageOptions {
  /** Where the app's process opens Node's inspector when it is asked to. */
  inspectPort?: number;
  /** The app's database, in place of a file. */
  databaseUrl?: string | undefined;
}

export async function startStage({ inspectPort, databaseUrl }: StageOptions = {}): Promise<Stage> {
  const stores = [VICTIM, INTRUDER].map((handle) => ({
    handle,
    name: handle,
    locations: [locationOf(handle === VICTIM ? `${CANARY} centro` : "Bodega")],
  }));
  const appEnv = { ...UNLIMITED, ...(inspectPort && { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspectPort}` }) };
  const sandbox = await startSandbox({ stores, locale: "en", appEnv, ...(databaseUrl && { databaseUrl }) });
  const rows = openRows(databaseUrl ?? databaseOf(sandbox));
  try {
    const [victim, intruder] = await Promise.all([
      openShop(sandbox, VICTIM, sandboxClient("production", 1)),
      openShop(sandbox, INTRUDER, sandboxClient("production", 2)),
    ]);
    const theirs = await furnish(sandbox, victim, rows);
    return {
      sandbox,
      theirs,
      token: (options) => sessionToken(sandbox.admin.state, intruder.state, options),
      async victimRows() {
        const found = [];
        for (const table of TABLES)
          found.push(...(await rows.ask(`SELECT * FROM "${table}" WHERE shop = ? ORDER BY 1, 2`, [theirs.shop])));
        return JSON.parse(
          JSON.stringify(found, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
        );
      },
      async stop() {
        await rows.close();
        await sandbox.stop();
      },
    };
  } catch (error) {
    await rows.close();
    await sandbox.stop();
    throw error;
  }
}

/** What an owner did, and what the app knows of it. */
const TABLES = ["Shop", "Details", "Location", "Link", "Draft", "Job", "JobItem", "Activity", "Verification"];

export const locationOf = (name: string): LocationInput => ({
  name,
  address: {
    address1: "Calle Tonalá \u2060118",
    address2: "\u2060Roma Norte",
    city: "Cuauhtémoc",
    provinceCode: "DF",
    countryCode: "MX",
    zip: "06700",
    phone: "+52 55 5264 0101",
  },
});

export type Shop = { state: ShopState; visitor: ReturnType<typeof createVisitor> };

/** Opens the app and connects its account; its location is known when this resolves. */
export async function openShop(
  sandbox: Sandbox,
  handle: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<Shop> {
  const state = sandbox.admin.state.shops.get(`${handle}.myshopify.com`)!;
  const visitor = createVisitor({ adminUrl: sandbox.adminUrl, store: handle });
  await visitor.open("/app");
  const stated = { environment: "production" as const, clientId, clientSecret, scope: null, redirectUri: null };
  const { outcome } = await pages.askSettings({ visitor }, { intent: "connect", ...stated });
  if (outcome.kind !== "connected") throw new Error(`${handle} was not connected: ${outcome.kind}`);
  await until({
    what: `The location of ${handle}`,
    read: () => pages.originRows({ visitor }),
    holds: (rows) => rows.length > 0,
  });
  return { state, visitor };
}

/** A template by hand, with its draft, and the job of a review. */
export async function furnish(sandbox: Sandbox, { state, visitor }: Shop, rows: Rows): Promise<Theirs> {
  const [row] = await pages.originRows({ visitor });
  const { locationId } = row!;
  const draftId = "draft-of-the-victim";
  const draft = {
    ...SUPPLIER,
    default: false,
    alias_name: `${CANARY} proveedor`,
    address_attributes: { ...NO_ADDRESS, ...SUPPLIER.address_attributes },
  };
  const made = await pages.askNewTemplate({ visitor }, { intent: "save", draftId, base: null, draft });
  if (made.intent !== "save" || made.outcome.kind !== "done") throw new Error(`No template: ${JSON.stringify(made)}`);
  const { revision, settings } = await pages.settings({ visitor });
  const contact = {
    ...settings.contact,
    name: `${CANARY} Cervantes`,
    email: "envios@bodegas.example",
    reference: "Portón",
  };
  const policies = { ...settings.policies, carriers: [], verifyAfterChange: false };
  await pages.askSettings({ visitor }, { intent: "save", revision, settings: { ...settings, contact, policies } });
  await confirmReviewed({ visitor });
  const ended = 'SELECT id FROM "Job" WHERE shop = ? AND state <> ?';
  const job = await until({
    what: "The end of the victim's job",
    read: async () => {
      // Whoever reads a job ends it.
      await pages.originRows({ visitor });
      return (await rows.ask(ended, [state.domain, "running"]))[0];
    },
    holds: (found) => found !== undefined,
  });
  const templateId = made.outcome.templateId!;
  return {
    shop: state.domain,
    locationId,
    legacyLocationId: legacyIdOf(locationId),
    templateId,
    draftId,
    jobId: String(job!.id),
  };
}

const databaseOf = ({ dataDir }: Sandbox) => `file:${join(dataDir, "origen.db")}`;
