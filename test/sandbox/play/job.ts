// What the play has learned so far, and what its steps need of the sandbox.
import type { OriginAnswer, OriginIntent } from "../../../app/components/origin/origin-intent.ts";
import type { OriginView } from "../../../app/views/origin.ts";
import type { LocationRecord, ShopState } from "../admin/state.ts";
import { STEP_MS } from "../../patience.ts";
import { sandboxClient } from "../shipping/options.ts";
import type { ShippingService } from "../shipping/server.ts";
import type { AccountTemplate } from "../shipping/control.ts";
import type { Sandbox } from "../start.ts";
import { createVisitor } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

/** Locations beyond this many are left for the person who watches. */
const MOST_LOCATIONS = 6;

export interface Job {
  shop: ShopState;
  visitor: Visitor;
  credentials: { clientId: string; clientSecret: string };
  /** The locations the job is done for: those that ship, as they are now. */
  origins(): LocationRecord[];
  originOf(location: LocationRecord): Promise<OriginView>;
  ask(location: LocationRecord, intent: OriginIntent): Promise<OriginAnswer>;
  /** The template that stands for a location; undefined while there is none. */
  templateOf(location: LocationRecord): Promise<AccountTemplate | undefined>;
  service: ShippingService;
  adminUrl: string;
  /** How long a step waits for its result. */
  patienceMs: number;
  /** A visitor will look around: a carrier refuses the address that a location moves to, and orders show their origin. */
  hasVisitor: boolean;
}

const ORIGIN_ROUTE = "routes/app.origins.$locationId";

/** @throws when there is no stand-in to play with, or no store. */
export function prepareJob(
  { admin, adminUrl, shipping, stores }: Sandbox,
  { patienceMs = STEP_MS, hasVisitor = false }: Partial<Pick<Job, "patienceMs" | "hasVisitor">> = {},
): Job {
  const [store] = stores;
  const shop = store && admin.state.shops.get(`${store.handle}.myshopify.com`);
  if (!shop || !shipping) throw new Error("The play needs a store and the stand-in");
  const visitor = createVisitor({ adminUrl, store: shop.handle });
  const { clientId, clientSecret } = sandboxClient("production", 1);
  const pathOf = (location: LocationRecord): string => `/app/origins/${location.id}`;
  const originOf = async (location: LocationRecord): Promise<OriginView> =>
    (await visitor.load<{ view: OriginView }>(pathOf(location), ORIGIN_ROUTE)).view;
  return {
    shop,
    visitor,
    service: shipping,
    adminUrl,
    patienceMs,
    hasVisitor,
    credentials: { clientId, clientSecret },
    origins: () =>
      [...shop.locations.values()]
        .filter(
          (one) =>
            one.isActive && one.fulfillsOnlineOrders && !one.isFulfillmentService && one.address.countryCode === "MX",
        )
        .slice(0, MOST_LOCATIONS),
    originOf,
    ask: (location, intent) => visitor.submit<OriginAnswer>(pathOf(location), ORIGIN_ROUTE, intent),
    async templateOf(location) {
      const { template } = await originOf(location);
      return shipping.templates(clientId, "production").find((one) => one.id === template?.templateId);
    },
  };
}

/** What a step says that has nothing to work with. */
export const NOTHING_MAPPED = "left out: no location is mapped to a template yet";

export async function firstMapped(job: Job): Promise<LocationRecord | null> {
  for (const location of job.origins()) if (await job.templateOf(location)) return location;
  return null;
}
