import { beforeAll, describe, expect, test } from "vitest";
import { findOriginIds, readOrigins } from "../../../app/pages/read-origins.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";
import type { OriginsQuery } from "../../../app/views/origins.ts";
import { legacyIdOf } from "../../../app/domain/location-id.ts";
import { pauseOrigin } from "../../../app/origins/pause-origin.ts";
import type { VerificationOutcome } from "../../../app/domain/records.ts";
import { locationRecord, SHOP, verificationRecord } from "../../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Which origins the list shows for what is asked, and in which order. */

const CARRIERS = ["fedex", "dhl"];

/** What FedEx and DHL said of each. */
const SAID: [fedex: VerificationOutcome, dhl: VerificationOutcome][] = [
  ["accepted", "accepted"],
  ["accepted", "refused"],
  ["accepted", "unknown"],
  ["accepted", "refused"],
  ["not_offered", "accepted"],
];

let world: World;
const ids: string[] = [];

beforeAll(async () => {
  world = await createWorld({ policies: { carriers: CARRIERS, verifyAfterChange: false } });
  for (const number of [1, 2, 3, 4, 5, 6]) ids.push(await world.addLocation(number));
  const worker = world.start();
  await world.runFor(240_000);
  await worker.stop();
  for (const [at, said] of SAID.entries()) {
    const link = (await world.store.links.find({ shop: SHOP, locationId: ids[at]! }))!;
    for (const [nth, outcome] of said.entries()) {
      const { connectionId, templateId } = link;
      const record = verificationRecord({ connectionId, templateId, carrier: CARRIERS[nth]!, outcome, question: null });
      await world.store.verifications.insert({ ...record, addressKey: null, status: outcome });
    }
  }
  // Refused too, and no problem of anybody's as long as it is paused.
  await pauseOrigin(world.services, { shop: SHOP, locationIds: [ids[3]!], paused: true });
});

const read = async (query: Partial<OriginsQuery>) =>
  (await readOrigins(world.services, { shop: SHOP, query: { ...ALL_ORIGINS, ...query } }))!;
const numbers = async (query: Partial<OriginsQuery>) =>
  (await read(query)).rows.map(({ locationId }) => ids.indexOf(locationId) + 1);

describe("the list of origins shows", () => {
  test.for<[string, Partial<OriginsQuery>, number[]]>([
    ["everything", {}, [1, 2, 3, 4, 5, 6]],
    ["what a carrier has refused", { carrier: { carrier: "dhl", answer: "refused" } }, [2]],
    ["what a carrier has accepted", { carrier: { carrier: "fedex", answer: "accepted" } }, [1, 2, 3]],
    ["what a carrier was not asked", { carrier: { carrier: "dhl", answer: "not_asked" } }, [6]],
    ["what a carrier left open", { carrier: { carrier: "dhl", answer: "inconclusive" } }, [3]],
    ["nothing of a carrier that nobody knows", { carrier: { carrier: "ups", answer: "refused" } }, []],
    ["a refused verification among what has a problem", { problem: "any" }, [2, 3]],
    ["what was refused", { problem: "refused" }, [2]],
    ["what was answered without a yes or a no", { problem: "inconclusive" }, [3]],
    ["nothing where nothing changed", { problem: "changed" }, []],
    ["a problem within a state", { problem: "any", state: "refused_by_carrier" }, [2]],
  ])("%s", async ([_what, query, expected]) => {
    expect(await numbers(query)).toEqual(expected);
  });

  test("the locations of one order", async () => {
    expect(await numbers({ locations: [2, 5, 99].map((number) => legacyIdOf(ids[number - 1] ?? "x/99")) })).toEqual([
      2, 5,
    ]);
  });

  test("all of a filter, whatever the page", async () => {
    const query = { ...ALL_ORIGINS, problem: "any" as const, page: 7 };
    expect(await findOriginIds(world.services, { shop: SHOP, query })).toEqual([ids[1], ids[2]]);
  });
});

describe("of locations that wait for their owner's word", () => {
  const lists = async (over: Partial<OriginsQuery> = {}) => {
    const waiting = await createWorld();
    const addresses = [{}, { address2: null }, { address1: "Calle 60 455 51 53" }];
    for (const [at, part] of addresses.entries()) {
      const location = shopifyLocation(at + 1, { address: { ...mexicanAddress(), ...part } });
      await waiting.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
    }
    const query = { ...ALL_ORIGINS, ...over };
    return (await readOrigins(waiting.services, { shop: SHOP, query }))!.rows;
  };

  test("a guess counts as nothing that is missing", async () => {
    expect((await lists()).map(({ name, missing }) => [name, missing])).toEqual([
      ["Bodega 1", 0],
      ["Bodega 2", 1],
      ["Bodega 3", 0],
    ]);
  });

  test("only those lack details that lack one, and all have a problem", async () => {
    expect((await lists({ problem: "details" })).map(({ name }) => name)).toEqual(["Bodega 2"]);
    expect(await lists({ problem: "any" })).toHaveLength(3);
  });
});

describe("it is sorted", () => {
  test.for<[string, Partial<OriginsQuery>, number[]]>([
    ["by state, what waits for its owner first and what is not used last", { sort: "state" }, [2, 3, 6, 1, 5, 4]],
    ["by what carriers said, refusals first", { sort: "carriers" }, [2, 3, 6, 1, 5, 4]],
    ["the other way, equal ones by name", { sort: "carriers", descending: true }, [4, 1, 5, 6, 3, 2]],
  ])("%s", async ([_what, query, expected]) => {
    expect(await numbers(query)).toEqual(expected);
  });
});
