import { expect, test } from "vitest";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import { SUPPLIER } from "../../fakes/by-hand.ts";
import { SHOP, draftRecord } from "../../fakes/records.ts";
import { createWorld } from "../../fakes/world.ts";

test("a shop of which fifty changes wait is told that one more was not taken, and nothing is stored", async () => {
  const world = await createWorld();
  for (let nth = 0; nth < 50; nth += 1) await world.store.drafts.insert(draftRecord({ id: `waits-${nth}` }));
  const save = (draftId: string) =>
    world.clock.runWhile(
      saveTemplate(world.services, { shop: SHOP, draftId, templateId: null, draft: SUPPLIER, base: null }),
    );
  expect(await save("one-more")).toEqual({ kind: "too_many" });
  expect(await world.store.drafts.count({ shop: SHOP })).toBe(50);
  expect(world.calls).toEqual([]);
  // Who asks how far a change of theirs has come is answered as before.
  expect(await save("waits-1")).not.toEqual({ kind: "too_many" });
  await world.store.drafts.update({ shop: SHOP, id: "waits-2" }, { endedAtMs: world.clock.nowMs() });
  expect(await save("one-more")).not.toEqual({ kind: "too_many" });
});
