import { beforeEach, describe, expect, test } from "vitest";
import { addressText } from "../../app/domain/address/text.ts";
import { cancelMove, pressMove } from "../../app/moves/change-move.ts";
import { settleHeld } from "../../app/moves/settle-held.ts";
import { readOriginFacts } from "../../app/readings/read-origin-facts.ts";
import { saveOriginDetails } from "../../app/origins/save-origin-details.ts";
import { SHOP } from "../fakes/records.ts";
import { mexicanAddress } from "../fakes/world.ts";
import { createMovingStage, HOUR_MS, MINUTE_MS, SHOWN } from "./stage.ts";
import type { MovingStage } from "./stage.ts";

/** A location moves: what is made, when the link passes over, and what holds until Shopify shows it. */

let stage: MovingStage;
const runFor = (ms: number) => stage.world.runFor(ms);
const press = (anyway = false) => stage.world.clock.runWhile(pressMove(stage.world.services, { ...stage.own, anyway }));
/** The street that the location says. */
const streetHeld = async () =>
  (await readOriginFacts(stage.world.services, { shop: SHOP, locationId: stage.key }))!.origins[0]!.composed.attributes
    ?.street1;
const FORMER = "Avenida Vallarta";

beforeEach(async () => {
  stage = await createMovingStage();
});

describe("what Shopify shows", () => {
  const THIRD = mexicanAddress({ street: "Calle Hidalgo", number: "9" });

  test("the coming address after the day: it holds by itself from then on, with what Shopify has no field for", async () => {
    await stage.plan();
    await press();
    await stage.shows(SHOWN);
    expect(await stage.details()).toMatchObject({ held: null, split: { readFrom: addressText(SHOWN) } });
    expect(await streetHeld()).toBe("Calle Morelos");
    expect(stage.writes()).toEqual(["create"]);
    await stage.shows(THIRD);
    expect(await streetHeld()).toBe("Calle Hidalgo");
  });

  test("the coming address before the day: the former one is held, and nothing is written until then", async () => {
    const { templateId: former } = await stage.link();
    const { templateId } = await stage.plan({ hour: stage.hourIn(3 * HOUR_MS) });
    await stage.shows(SHOWN);
    expect(await stage.details()).toMatchObject({ held: { why: "early" }, split: null });
    expect(await streetHeld()).toBe(FORMER);
    expect(stage.writes()).toEqual(["create"]);
    expect(stage.street(former)).toBe(FORMER);
    await runFor(4 * HOUR_MS);
    expect((await stage.link()).templateId).toBe(templateId);
    expect(await stage.details()).toMatchObject({ held: null });
    expect(await streetHeld()).toBe("Calle Morelos");
    expect(stage.writes()).toEqual(["create"]);
  });

  test("called off after that, Shopify's address holds whole", async () => {
    await stage.plan();
    await stage.shows(SHOWN);
    await stage.world.clock.runWhile(cancelMove(stage.world.services, stage.own));
    await runFor(MINUTE_MS);
    expect(await stage.details()).toMatchObject({ held: null, split: null });
    const { address } = stage.world.account.templates.get((await stage.link()).templateId)!;
    expect(address).toMatchObject({ street1: "Calle Morelos", street_number: "55" });
  });

  test.each(["held", "shopify"] as const)(
    "a third address is a conflict: nothing is written until the owner has chosen (%s)",
    async (keep) => {
      await stage.plan();
      await press();
      await runFor(MINUTE_MS);
      stage.world.calls.length = 0;
      await stage.shows(THIRD);
      await runFor(HOUR_MS);
      expect(stage.writes()).toEqual([]);
      expect(await streetHeld()).toBeUndefined();
      expect(await stage.noted()).toContain("move_elsewhere");
      const { revision } = await stage.details();
      const choice = { ...stage.own, keep, revision, readFrom: addressText(THIRD) };
      await stage.world.clock.runWhile(settleHeld(stage.world.services, choice));
      await runFor(MINUTE_MS);
      const { address } = stage.world.account.templates.get((await stage.link()).templateId)!;
      expect(address.street1).toBe(keep === "held" ? "Calle Morelos" : "Calle Hidalgo");
      expect(address.street_number).toBe(keep === "held" ? "55" : "9");
      expect((await stage.details()).split).toBeNull();
    },
  );

  test("what is said of the place while it is held goes into it, and nothing of the former address with it", async () => {
    await stage.plan();
    await press();
    await runFor(MINUTE_MS);
    const location = (await stage.world.store.locations.find(stage.own))!;
    const split = {
      street1: "Calle Morelos",
      street_number: "56",
      apartment_number: null,
      area_level3: "Americana",
      area_level2: "Guadalajara",
      reference: "Portón negro",
    };
    const { revision } = await stage.details();
    const stated = { locationId: stage.key, revision, readFrom: addressText(location.address), contact: {}, split };
    const saved = await stage.world.clock.runWhile(saveOriginDetails(stage.world.services, { shop: SHOP, stated }));
    expect(saved.kind).toBe("done");
    await runFor(MINUTE_MS);
    expect(await stage.details()).toMatchObject({ split: null, held: { values: { street_number: "56" } } });
    const choice = {
      ...stage.own,
      keep: "shopify",
      revision: revision + 1,
      readFrom: addressText(location.address),
    } as const;
    await stage.world.clock.runWhile(settleHeld(stage.world.services, choice));
    await runFor(MINUTE_MS);
    const { address } = stage.world.account.templates.get((await stage.link()).templateId)!;
    expect(address).toMatchObject({ street1: FORMER, street_number: "101" });
  });
});
