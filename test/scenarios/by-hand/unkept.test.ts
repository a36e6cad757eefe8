import { beforeEach, expect, test } from "vitest";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A service that answers a change by hand with 200, and shows the template as it was: no form says that it is saved. */

let world: World;
let base: AddressTemplate;

beforeEach(async () => {
  world = await createWorld();
  await world.addLocation(1);
  world.start();
  await world.runFor(120_000);
  base = structuredClone([...world.account.templates.values()][0]!);
});

/** What the service keeps of each update, and shows in its answer. */
function keeps(kept: (after: AddressTemplate) => AddressTemplate) {
  world.outcomeOf = (operation, { body }) => {
    if (operation !== "update") return PROMPT;
    const { address_attributes, ...said } = body["address_template"] as never as Record<string, object>;
    const after = { ...base, ...said, address: { ...base.address, ...address_attributes } } as AddressTemplate;
    const data = JSON.stringify({ data: kept(after) });
    return { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "said", status: 200, body: data, afterMs: 20 } };
  };
}

function save(change: { type?: string; reference?: string }, draftId = "d1") {
  const { alias_name, address_type, address } = base;
  const { tax_id_number: _number, tax_id_type: _type, ...rest } = address;
  const said = {
    alias_name,
    address_type: change.type ?? address_type,
    address_attributes: { ...rest, reference: change.reference ?? rest.reference },
  };
  const form = { shop: SHOP, draftId, templateId: base.id, draft: said, base };
  return world.clock.runWhile(saveTemplate(world.services, form));
}

const lines = async () =>
  (await world.store.activity.list({ shop: SHOP, templateId: base.id }))
    .filter(({ actor }) => actor === "owner")
    .map(({ kind, outcome, fields }) => ({ kind, outcome, fields }));

test("what it does not keep is told, field by field", async () => {
  keeps((after) => ({ ...after, address_type: "from" }));
  expect(await save({ type: "to", reference: "Timbre azul" })).toEqual({ kind: "unkept", fields: ["address_type"] });
  const fields = [{ field: "address_type", from: "from", to: "to" }];
  expect(await lines()).toEqual([{ kind: "draft_unkept", outcome: "failed", fields }]);
  expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(0);
});

test("what it keeps in its own words is saved", async () => {
  keeps((after) => ({ ...after, address: { ...after.address, reference: "TIMBRE AZUL, PISO 1" } }));
  expect(await save({ reference: "Timbre azul" })).toMatchObject({ kind: "done" });
  expect(await lines()).toMatchObject([{ kind: "template_updated", outcome: "done" }]);
});

test("saved once more when it keeps it, it is done", async () => {
  keeps(() => base);
  expect(await save({ reference: "Timbre azul" })).toEqual({ kind: "unkept", fields: ["reference"] });
  world.outcomeOf = () => PROMPT;
  expect(await save({ reference: "Timbre azul" }, "d2")).toMatchObject({ kind: "done" });
  expect(world.account.templates.get(base.id)!.address.reference).toBe("Timbre azul");
});
