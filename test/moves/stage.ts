import { placeIn } from "../../app/domain/address/place.ts";
import type { DetailsRecord, LinkRecord, MoveRecord, Policies } from "../../app/domain/records.ts";
import { planMove } from "../../app/moves/change-move.ts";
import type { PlannedMove } from "../../app/moves/change-move.ts";
import { moveRecord, SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { hourMs } from "../../app/domain/zone-days.ts";

/** A location with a template, which is to move. */

export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;
const ZONE = "America/Mexico_City";

export const COMING = placeIn({ ...moveRecord().place, street1: "Calle Morelos", street_number: "55" });
/** The coming address as Shopify shows it. */
export const SHOWN = mexicanAddress({ street: "Calle Morelos", number: "55" });

export interface MovingStage {
  world: World;
  key: string;
  own: { shop: string; locationId: string };
  plan(over?: Partial<PlannedMove>): Promise<MoveRecord>;
  move(): Promise<MoveRecord | null>;
  link(): Promise<LinkRecord>;
  details(): Promise<DetailsRecord>;
  /** An hour of the shop's zone, so long from now, by the minute. */
  hourIn(ms: number): string;
  /** Shopify shows another address, and tells of it. */
  shows(address: ReturnType<typeof mexicanAddress>): Promise<void>;
  /** What was done: kinds of activity, the first one first. */
  noted(): Promise<string[]>;
  writes(): string[];
  street(templateId: string): string;
}

export async function createMovingStage(policies: Partial<Policies> = {}): Promise<MovingStage> {
  const world = await createWorld({ environment: "production", policies: { carriers: ["dhl"], ...policies } });
  world.start();
  await world.runFor(MINUTE_MS);
  const key = await world.addLocation(1);
  const own = { shop: SHOP, locationId: key };
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor();
  world.calls.length = 0;
  const stage: MovingStage = {
    world,
    key,
    own,
    async plan(over = {}) {
      const plan = { place: COMING, hour: null, keepFormer: true, ...over };
      const answer = await world.clock.runWhile(planMove(world.services, { ...own, plan }));
      if (answer.kind !== "done") throw new Error(`the move was refused: ${JSON.stringify(answer)}`);
      await world.runFor();
      return (await stage.move())!;
    },
    move: () => world.store.moves.find(own),
    link: async () => (await world.store.links.find(own))!,
    details: async () => (await world.store.details.find(own))!,
    hourIn(ms) {
      const atMs = world.services.clock.nowMs() + ms;
      const text = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short", timeStyle: "short" });
      const hour = text.format(atMs).replace(" ", "T");
      if (Math.abs(hourMs(hour, ZONE)! - atMs) > MINUTE_MS) throw new Error("the hour is read otherwise");
      return hour;
    },
    async shows(address) {
      world.shopify.put(SHOP, { ...shopifyLocation(1), address, shopifyAtMs: world.clock.nowMs() });
      await world.requestWork("location", key);
      world.services.wake();
      await world.runFor();
    },
    noted: async () =>
      (await world.store.activity.list({ ...own }, { orderBy: { atMs: "asc" } })).map(({ kind }) => kind),
    writes: () => world.calls.filter((call) => ["create", "update", "delete"].includes(call)),
    street: (templateId) => world.account.templates.get(templateId)?.address.street1 ?? "gone",
  };
  return stage;
}
