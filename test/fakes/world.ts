import type { Network } from "../../app/adapters/shipping/network.ts";
import { createProcessClock } from "../../app/adapters/machine/clock.ts";
import { createHeardDates } from "../../app/adapters/machine/heard-dates.ts";
import type { ShopifyLocation } from "../../app/ports.ts";
import type { Services } from "../../app/ports.ts";
import { markerOf } from "../../app/domain/marker.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import type { Environment, AddressTemplate, Policies, WorkItemKind, WorkItem } from "../../app/domain/records.ts";
import { requestWork } from "../../app/runs/request-work.ts";
import { startWorker } from "../../app/worker/worker.ts";
import type { Worker } from "../../app/worker/worker.ts";
import { servicesOf, shippingOver } from "./app-process.ts";
import { createVirtualClock } from "./clock.ts";
import type { VirtualClock } from "./clock.ts";
import { createMachine } from "./machine.ts";
import type { VirtualMachine } from "./machine.ts";
import { createMemoryDatabase } from "./memory-store.ts";
import type { MemoryStore } from "./memory-store.ts";
import { createSeededRandom } from "./random.ts";
import { connectionRecord, detailsRecord, locationGid, NO_CONTACT, shopRecord, SHOP } from "./records.ts";
import { createFakeAccount } from "./shipping/account.ts";
import type { FakeAccount } from "./shipping/account.ts";
import type { Habits } from "./shipping/habits.ts";
import { createFakeNetwork, PROMPT } from "./shipping/network.ts";
import type { CallOutcome, Operation, ServiceRequest } from "./shipping/network.ts";
import { createFakeShopify } from "./shopify.ts";
import type { FakeShopify } from "./shopify.ts";

/** A shop, Shopify, the service and the app in one process, on a virtual clock, for tests of whole rooms. */
export interface World {
  /** The true time, by which Shopify and the service work. */
  clock: VirtualClock;
  /** The machine of the app's process. Its wall clock may jump, and it may sleep. */
  machine: VirtualMachine;
  services: Services;
  store: MemoryStore;
  shopify: FakeShopify;
  account: FakeAccount;
  accounts: Map<string, FakeAccount>;
  /** The outcome of each request; prompt unless a test sets another. */
  outcomeOf: (operation: Operation, request: ServiceRequest) => CallOutcome;
  /** Templates that answers show malformed, by id. */
  malformed: Map<string, (template: AddressTemplate, operation: Operation) => unknown>;
  /** Calls that arrived, in order, without those for tokens. */
  calls: Operation[];
  arrivals: { clientId: string; atMs: number }[];
  /** Every request that was sent, with the id that it carried. */
  requests: { operation: Operation; requestId: string; templateId: string; atMs: number }[];
  /** A confirmed and complete location that ships online orders. */
  addLocation(number: number, over?: Partial<ShopifyLocation>, shop?: string): Promise<string>;
  requestWork(kind: WorkItemKind, key: string, shop?: string): Promise<{ workItemId: string; generation: number }>;
  workItem(kind: WorkItemKind, key: string, shop?: string): Promise<WorkItem>;
  /** The template with a location's marker. */
  templateOf(locationId: string, shop?: string): AddressTemplate | undefined;
  start(): Worker;
  /** Another process on the same machine and database. It believes itself the only one, unless `alone` says otherwise. */
  boot(how?: { alone?: boolean }): BootedProcess;
  /** Lets the worker do what is due, for so long. */
  runFor(ms?: number): Promise<void>;
}

export interface BootedProcess {
  services: Services;
  worker: Worker;
  /** The process ends between two instructions; requests that it has sent go on. */
  kill(): void;
}

export const CONTACT = { ...NO_CONTACT, name: "Ana Pérez", email: "ana@example.com", reference: "Portón verde" };

export function shopifyLocation(number: number, over: Partial<ShopifyLocation> = {}): ShopifyLocation {
  return {
    locationId: locationGid(number),
    name: `Bodega ${number}`,
    isActive: true,
    isFulfillmentService: false,
    fulfillsOnlineOrders: true,
    address: mexicanAddress({ number: String(100 + number) }),
    shopifyAtMs: 0,
    ...over,
  };
}

/** In Shopify's own delimited form, which leaves nothing unsure. */
export function mexicanAddress({
  street = "Avenida Vallarta",
  number = "100",
  zip = "44160",
  phone = "+523336150000",
} = {}): ShopifyLocation["address"] {
  return {
    address1: `${street} \u2060${number}`,
    address2: " \u2060Americana",
    city: "Guadalajara",
    province: "Jalisco",
    provinceCode: "JAL",
    countryCode: "MX",
    zip,
    phone,
  };
}

const asItIs = (template: AddressTemplate): unknown => template;

/** A network whose answers wait while the machine sleeps. */
function heardBy(machine: VirtualMachine, network: Network): Network {
  const exchange: Network["exchange"] = (request) => {
    const underWay = network.exchange(request);
    return { ...underWay, answer: machine.whileAwake(underWay.answer) };
  };
  return { ...network, exchange };
}

/** Shopify's answers have a `Date`, too. */
function dated(shopify: FakeShopify, heard: () => void): FakeShopify {
  const through =
    <A extends unknown[], T>(ask: (...given: A) => Promise<T>) =>
    (...given: A) =>
      ask(...given).finally(heard);
  const { locations, location, shopDetails, standing, grantedScopes, tellFlow } = shopify;
  return Object.assign(Object.create(shopify) as FakeShopify, {
    locations: through(locations),
    location: through(location),
    shopDetails: through(shopDetails),
    standing: through(standing),
    grantedScopes: through(grantedScopes),
    tellFlow: through(tellFlow),
  });
}

export interface WorldOptions {
  habits?: Partial<Habits>;
  policies?: Partial<Policies>;
  seed?: number;
  connected?: boolean;
  /** Of the connection; test unless said otherwise. */
  environment?: Environment;
}

export async function createWorld({
  habits = {},
  policies = {},
  seed = 1,
  connected = true,
  environment = "test",
}: WorldOptions = {}): Promise<World> {
  const clock = createVirtualClock();
  const random = createSeededRandom(seed);
  const database = createMemoryDatabase();
  const store = database.open();
  const shopify = createFakeShopify(clock);
  const allHabits: Habits = { wipes: false, tidies: false, refuses: [], ...habits };
  const accounts = new Map<string, FakeAccount>();
  const account = createFakeAccount({ habits: allHabits, newId: () => random.id(), nowMs: () => clock.nowMs() });
  accounts.set("client-1", account);
  const network = createFakeNetwork({
    clock,
    habits: allHabits,
    accountOf: (clientId, environment) => accounts.get(`${environment} ${clientId}`) ?? accounts.get(clientId) ?? null,
    outcomeOf: (operation, request) => world.outcomeOf(operation, request),
    shown: (template, operation) => (world.malformed.get(template.id) ?? asItIs)(template, operation),
    left: ({ operation, requestId, templateId }) =>
      void world.requests.push({ operation, requestId, templateId, atMs: clock.nowMs() }),
    arrived: ({ clientId, operation, atMs }) => {
      world.arrivals.push({ clientId, atMs });
      if (operation !== "token") world.calls.push(operation);
    },
  });
  const machine = createMachine(clock);
  const begin = (handle: MemoryStore) => {
    const processClock = createProcessClock(machine);
    const dates = createHeardDates(processClock);
    const shipping = shippingOver({
      network: heardBy(machine, network),
      clock: processClock,
      dates,
      random,
      store: handle,
      openAtOnce: true,
    });
    const admin = dated(shopify, () => dates.heard("shopify", new Date(clock.nowMs()).toUTCString()));
    return servicesOf({ store: handle, shipping, shopify: admin, clock: processClock, dates, random });
  };
  const services = begin(store);
  await store.shops.insert(
    shopRecord({ contact: CONTACT, policies: { ...DEFAULT_POLICIES, verifyAfterChange: false, ...policies } }),
  );
  if (connected)
    await store.connections.insert(
      connectionRecord({
        environment,
        clientId: "client-1",
        bookReadAtMs: clock.nowMs(),
        bookConfirmedAtMs: clock.nowMs(),
      }),
    );

  const world: World = {
    clock,
    machine,
    services,
    store,
    shopify,
    account,
    accounts,
    outcomeOf: () => PROMPT,
    malformed: new Map(),
    calls: [],
    arrivals: [],
    requests: [],
    async addLocation(number, over = {}, shop = SHOP) {
      const location = shopifyLocation(number, over);
      shopify.put(shop, location);
      await store.details.insert(
        detailsRecord({ shop, locationId: location.locationId, confirmedAtMs: clock.nowMs() }),
      );
      return location.locationId;
    },
    requestWork: (kind, key, shop = SHOP) =>
      store.transaction(shop, (tables) => requestWork(services, tables, { shop, kind, key })),
    async workItem(kind, key, shop = SHOP) {
      return (await store.workItems.find({ shop, kind, key }))!;
    },
    templateOf(locationId, shop = SHOP) {
      return [...account.templates.values()].find(({ alias_name }) => alias_name.includes(markerOf(shop, locationId)));
    },
    boot({ alone = true } = {}) {
      const handle = database.open();
      const booted = begin(handle);
      const worker = startWorker(booted, { concurrency: 16, alone });
      booted.onWake(() => worker.wake());
      return { services: booted, worker, kill: () => handle.crash() };
    },
    start() {
      const worker = startWorker(services, { concurrency: 16 });
      services.onWake(() => worker.wake());
      return worker;
    },
    runFor: (ms = 30_000) => clock.runFor(ms),
  };
  return world;
}
