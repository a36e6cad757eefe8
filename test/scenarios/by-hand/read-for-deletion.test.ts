import { expect, test } from "vitest";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { SUPPLIER } from "../../fakes/by-hand.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld } from "../../fakes/world.ts";
import { MINUTE_MS } from "../worker/stuck-stage.ts";

/** Two changes by hand of one template at once. Each asks for the template's GET, and a GET may be a while behind. */

const NEWER = "nuevo@proveedor.example";

test.each([0, 1])("what a deletion reads is heeded by a form whose own reading was behind (GET %d)", async (behind) => {
  const world = await createWorld({ policies: { carriers: [] } });
  const base = structuredClone(world.account.create(SUPPLIER));
  world.start();
  await world.runFor(3 * MINUTE_MS);
  world.account.byPerson.edit(base.id, "email", NEWER, world.clock.nowMs());
  await world.runFor(10_000);
  let gets = 0;
  world.outcomeOf = (operation) => {
    if (operation !== "get") return PROMPT;
    gets += 1;
    return gets - 1 === behind ? { ...PROMPT, behindMs: 30_000 } : PROMPT;
  };
  const address = { ...base.address, email: "form@proveedor.example" };
  const draft = { alias_name: base.alias_name, address_type: base.address_type, address_attributes: address };
  const stated = { shop: SHOP, templateId: base.id };
  await submitDraft(world.services, { ...stated, draftId: "changes", operation: "update", draft, base });
  await submitDraft(world.services, { ...stated, draftId: "deletes", operation: "delete", draft: null, base: null });
  world.services.wake();
  await world.runFor(MINUTE_MS);
  expect(gets).toBeGreaterThan(1);
  expect(world.account.overwrites).toEqual([]);
  // Whoever deletes means the template, whatever it says by then.
  expect(world.account.templates.has(base.id)).toBe(false);
});
