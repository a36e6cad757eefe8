import { expect, test } from "vitest";
import { isLatest } from "../../app/book/number-readings.ts";
import type { TemplateRecord } from "../../app/domain/records.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";

test("an answer that is dropped, and shows what nobody has seen, lets no write go that was planned on another one", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  world.start();
  await world.runFor();
  const templateId = world.templateOf(key)!.id;
  const readRow = async () => (await world.store.templates.find({ shop: SHOP, templateId }))!;
  const { shipping } = world.services;
  let planned: TemplateRecord | null = null;
  const plannedHolds: boolean[] = [];
  const account: typeof shipping.account = (ref) => {
    const own = shipping.account(ref);
    return {
      ...own,
      async get(id, options) {
        if (planned) plannedHolds.push(await isLatest(world.store, planned));
        else {
          // Another run has read it since this one was planned, and plans a write on that. Then somebody changes it.
          const row = await readRow();
          planned = { ...row, reading: row.reading + 1 };
          await world.store.connections.update({ id: ref.id }, { readings: planned.reading });
          await world.store.templates.update({ shop: SHOP, templateId }, { reading: planned.reading });
          world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
        }
        return await own.get(id, options);
      },
    };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
  await world.store.templates.update({ shop: SHOP, templateId }, { disputedSinceMs: world.clock.nowMs() });
  await world.requestWork("location", key);
  await world.runFor();
  expect(plannedHolds).toEqual([false]);
  expect((await readRow()).template.address.reference).toBe("Timbre azul");
});
