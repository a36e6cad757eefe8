import { describe, expect, test } from "vitest";
import type { OriginIntent } from "../../app/components/origin/origin-intent.ts";
import { locationRecord, SHOP } from "../fakes/records.ts";
import { shopifyLocation } from "../fakes/world.ts";
import {
  answered,
  byHand,
  confirmed,
  details,
  DONE,
  linking,
  locationId,
  missing,
  page,
  post,
  shown,
  synced,
} from "./origin-stage.ts";

/** What an origin's page sends, from its action to the store and the service. */

const COMMANDS: Record<OriginIntent["intent"], () => Promise<void>> = {
  async save() {
    const world = await confirmed();
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(2), shop: SHOP }));
    const contact = (await details(world))!.contact;
    await world.store.details.update({ locationId }, { contact: { ...contact, company: "Café", reference: "Azul" } });
    const form = await shown(world);
    const values = { ...form.values, street1: "Calle Nueva", apartment_number: " ", reference: "Portón rojo" };
    const typed = { ...values, name: " Luz ", email: "" };
    expect(await post(world, { ...form, values: typed })).toEqual(answered("save", DONE));
    const stored = (await details(world))!;
    // What the form did not send stays; the reference is the place's.
    expect(stored.contact).toEqual({ ...contact, name: "Luz", email: null, company: "Café", reference: null });
    expect(stored.split!.values).toMatchObject({
      street1: "Calle Nueva",
      apartment_number: null,
      reference: "Portón rojo",
    });
    expect(stored.revision).toBe(form.revision + 1);
    const sent = { name: "Luz", company: "Café", street1: "Calle Nueva", reference: "Portón rojo" };
    expect(world.templateOf(locationId)!.address).toMatchObject(sent);
  },
  async sync() {
    const { world, template } = await synced();
    world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
    expect(await post(world, { intent: "sync" })).toMatchObject(answered("sync", DONE));
    expect((await page(world)).differences).toMatchObject([{ field: "reference", theirs: "Portón azul" }]);
  },
  async include() {
    const { world } = await synced();
    await post(world, { intent: "unlink" });
    expect(await post(world, { intent: "include" })).toMatchObject(answered("include", { kind: "done" }));
    expect(await details(world)).toMatchObject({ inclusion: "always" });
  },
  async unlink() {
    const { world, template } = await synced();
    expect(await post(world, { intent: "unlink" })).toEqual(answered("unlink", DONE));
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
    expect(await details(world)).toMatchObject({ inclusion: "never" });
    expect([...world.account.templates.keys()]).toEqual([template.id]);
  },
  async link() {
    const world = await confirmed();
    const template = await byHand(world);
    const { id: templateId } = template;
    expect(await post(world, linking(template))).toEqual(answered("link", DONE));
    expect(await world.store.links.list({ shop: SHOP })).toMatchObject([{ locationId, templateId, how: "chosen" }]);
    expect(world.calls).not.toContain("create");
  },
  async delete() {
    const { world, template } = await synced();
    expect(await post(world, { intent: "delete", draftId: "d-1" })).toEqual(answered("delete", DONE));
    expect(world.account.templates.size).toBe(0);
    const draft = { operation: "delete", templateId: template.id, outcome: { kind: "done" } };
    expect(await world.store.drafts.find({ id: "d-1" })).toMatchObject(draft);
    expect(await details(world)).toMatchObject({ inclusion: "never" });
    // Pressed again with the same draft, it is the same deletion.
    expect(await post(world, { intent: "delete", draftId: "d-1" })).toEqual(answered("delete", DONE));
    expect(world.calls.filter((call) => call === "delete")).toHaveLength(1);
  },
  async makeAgain() {
    const world = await missing();
    expect(world.account.templates.size).toBe(0);
    expect(await post(world, { intent: "makeAgain" })).toEqual(answered("makeAgain", DONE));
    expect(world.account.templates.size).toBe(1);
  },
  async createAnyway() {
    const world = await confirmed();
    expect(await post(world, { intent: "createAnyway" })).toEqual(answered("createAnyway", DONE));
    expect(await details(world)).toMatchObject({ adoption: "create" });
    expect(world.calls).toContain("create");
  },
  async pause() {
    const { world } = await synced();
    expect(await post(world, { intent: "pause" })).toEqual(answered("pause", DONE));
    expect(await details(world)).toMatchObject({ paused: true });
  },
  async resume() {
    const { world } = await synced();
    await post(world, { intent: "pause" });
    expect(await post(world, { intent: "resume" })).toEqual(answered("resume", DONE));
    expect(await details(world)).toMatchObject({ paused: false });
  },
  async resolve() {
    for (const choice of ["ours", "theirs"] as const) {
      const { world, template } = await synced();
      world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
      await post(world, { intent: "sync" });
      const choices = [{ field: "reference", choice, theirs: "Portón azul" } as const];
      expect(await post(world, { intent: "resolve", choices })).toEqual(answered("resolve", DONE));
      const meant = choice === "ours" ? "Portón verde" : "Portón azul";
      expect(world.account.templates.get(template.id)!.address.reference).toBe(meant);
      expect((await page(world)).differences).toEqual([]);
    }
  },
  async verify() {
    const { world, template } = await synced();
    expect(await post(world, { intent: "verify", carriers: ["FedEx", "fedex"] })).toMatchObject(
      answered("verify", { kind: "done" }),
    );
    const asked = await world.store.verifications.list({ shop: SHOP });
    expect(asked).toMatchObject([{ templateId: template.id, carrier: "fedex" }]);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
  },
  async refresh() {
    const { world, template } = await synced();
    world.account.byPerson.edit(template.id, "reference", "Portón azul", world.clock.nowMs());
    expect(await post(world, { intent: "refresh" })).toEqual(answered("refresh", { kind: "quiet" }));
    expect(world.calls).toEqual(["get"]);
    const { template: kept } = (await world.store.templates.find({ templateId: template.id }))!;
    expect(kept.address.reference).toBe("Portón azul");
  },
};

describe("a command of an origin's page", () => {
  test.each(Object.entries(COMMANDS))("%s", (_intent, play) => play());
});
