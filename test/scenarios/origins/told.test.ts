import { expect, test } from "vitest";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";
import { SHOP } from "../../fakes/records.ts";
import { staged } from "../worker/stuck-stage.ts";

/** From the moment in which Shopify tells of a change, no page says of the location that all is well. */

test("a change that is told right after another one is shown as on its way until it is there", async () => {
  const stage = await staged(1);
  const { world } = stage;
  const state = async () => (await readOrigins(world.services, { shop: SHOP, query: ALL_ORIGINS }))!.rows[0]!.state;
  const untilThere = async (number: string) => {
    for (let look = 0; look < 100 && stage.numberThere(0) !== number; look += 1) {
      if ((await state()) === "ready") return "said to be ready before it was there";
      await world.runFor(200);
    }
    return stage.numberThere(0);
  };
  expect(await state()).toBe("ready");
  await stage.change(0, "201");
  expect(await untilThere("201")).toBe("201");
  await world.runFor(1_000);
  expect(await state()).toBe("ready");
  // The second one is put off, so that five seconds lie between two looks.
  await stage.change(0, "202");
  expect(await untilThere("202")).toBe("202");
  await world.runFor(5_000);
  expect(await state()).toBe("ready");
});
