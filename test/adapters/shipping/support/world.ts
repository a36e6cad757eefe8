import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createShippingService, type RunningShippingService } from "../../../../app/adapters/shipping/service.ts";
import type { Timeouts } from "../../../../app/adapters/shipping/network.ts";
import type { Environment } from "../../../../app/domain/records.ts";
import type { ConnectionRef, Log, ShippingAccount, StoredConnection, TokenStore } from "../../../../app/ports.ts";
import type { ShippingServiceOptions as StandInOptions } from "../../../sandbox/shipping/options.ts";
import { startShippingService, type ShippingService as StandIn } from "../../../sandbox/shipping/server.ts";

/** The true adapter against the stand-in, over true HTTP and in real time. */

export const USER_AGENT = "Origen/0.0.0-test";

export interface LogLine {
  level: "info" | "warn" | "error";
  fields: Record<string, unknown>;
  message: string;
}

export function keptLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine["level"]) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}

/** Connections as the store keeps them, and a count of how often it was asked. */
export function memoryTokenStore() {
  const rows = new Map<string, StoredConnection>();
  const counts = { reads: 0, saves: 0, invalid: 0 };
  const store: TokenStore = {
    async read(id) {
      counts.reads += 1;
      const row = rows.get(id);
      return row ? structuredClone(row) : null;
    },
    async save({ connectionId, version, token }) {
      const row = rows.get(connectionId);
      if (row?.version !== version) return false;
      counts.saves += 1;
      row.token = { ...token };
      return true;
    },
    async markInvalid({ connectionId, version }) {
      const row = rows.get(connectionId);
      if (row?.version !== version) return;
      counts.invalid += 1;
      row.state = "invalid";
      row.version += 1;
    },
  };
  return { rows, counts, store };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

export interface WorldOptions {
  standIn?: StandInOptions;
  /** Default 0. */
  graceMs?: number;
  /** Default true: nobody spoke to this stand-in before. */
  openAtOnce?: boolean;
  timeouts?: Partial<Timeouts>;
  /** Environments that have an address; default both. */
  offers?: Environment[];
}

export async function startWorld(options: WorldOptions = {}) {
  const standIn: StandIn = await startShippingService({ clients: 50, keepRequests: 500, ...options.standIn });
  const offers = options.offers ?? ["test", "production"];
  const log = keptLog();
  const tokens = memoryTokenStore();
  const start = (openAtOnce: boolean): RunningShippingService =>
    createShippingService({
      baseUrls: {
        test: offers.includes("test") ? standIn.testUrl : null,
        production: offers.includes("production") ? standIn.productionUrl : null,
      },
      userAgent: USER_AGENT,
      clock: createClock(),
      random: createRandom(),
      log,
      tokens: tokens.store,
      budget: { graceMs: options.graceMs ?? 0, openAtOnce },
      timeouts: options.timeouts,
    });
  const service = start(options.openAtOnce ?? true);

  /** A shop on the nth application of the stand-in. */
  function connect(n: number, over: { shop?: string; clientSecret?: string; scope?: string } = {}): ConnectionRef {
    const shop = over.shop ?? `shop-${n}.myshopify.com`;
    const ref: ConnectionRef = {
      id: `${shop}-${n}`,
      version: 1,
      shop,
      environment: "test",
      clientId: `test-client-${n}`,
    };
    const clientSecret = over.clientSecret ?? `test-secret-${n}`;
    const { environment, clientId } = ref;
    const credentials = { shop, environment, clientId, clientSecret, scope: over.scope ?? null, redirectUri: null };
    tokens.rows.set(ref.id, { version: 1, state: "active", token: null, credentials });
    return ref;
  }

  return {
    standIn,
    service,
    log,
    tokens,
    connect,
    /** Another process's adapter on the same store. */
    restart: start,
    account: (n: number): ShippingAccount => service.account(connect(n)),
    /** What was sent for one connection: its tokens' requests and those that carry its token. */
    sentFor(ref: ConnectionRef) {
      const token = tokens.rows.get(ref.id)?.token?.accessToken;
      const theirs = (line: string) =>
        line.includes(`client_id=${ref.clientId}&`) || (token !== undefined && line.includes(token));
      return standIn.requests().filter(({ rawHeaders, body }) => theirs(`${rawHeaders.join(" ")} ${body}`));
    },
    async stop() {
      await service.close();
      await standIn.stop();
    },
  };
}

export const INTERACTIVE = { priority: "interactive" } as const;
export const WRITE = { priority: "interactive", beforeSend: async () => {} } as const;
export const DELETE = { ...WRITE, whenRead: async () => {} } as const;

export const DRAFT = {
  alias_name: "Bodega Ñandú [o-1a2b3c]",
  address_type: "from",
  address_attributes: {
    name: "Ana “La Jefa” Pérez",
    street1: "Calle 5 de Mayo",
    street_number: "10",
    apartment_number: "",
    company: null,
    postal_code: "06600",
    area_level1: "Ciudad de México",
    area_level2: "Cuauhtémoc",
    area_level3: "Juárez",
    country_code: "MX",
    phone: "5555536266",
    email: "ana@tienda.example",
    reference: 'Portón "verde" 🚪',
  },
};
