import { beforeEach, describe, expect, test } from "vitest";
import { addressText } from "../../app/domain/address/text.ts";
import { markerIn, markerOf } from "../../app/domain/marker.ts";
import { submitDraft } from "../../app/by-hand/submit-draft.ts";
import { cancelMove, makeComingAgain, planMove } from "../../app/moves/change-move.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOriginFacts } from "../../app/readings/read-origin-facts.ts";
import { saveOriginDetails } from "../../app/origins/save-origin-details.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import { saveSettings } from "../../app/shop/save-settings.ts";
import { pauseOrigin } from "../../app/origins/pause-origin.ts";
import { NO_CONTACT, SHOP } from "../fakes/records.ts";
import { CONTACT } from "../fakes/world.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { firstMeets, REPLY_LOST, REQUEST_LOST } from "../fakes/shipping/outcomes.ts";
import { COMING, createMovingStage, HOUR_MS, MINUTE_MS } from "./stage.ts";
import type { MovingStage } from "./stage.ts";

/** A location moves: what is made, when the link passes over, and what holds until Shopify shows it. */

let stage: MovingStage;
const runFor = (ms: number) => stage.world.runFor(ms);
/** The street that the location says. */
const streetHeld = async () =>
  (await readOriginFacts(stage.world.services, { shop: SHOP, locationId: stage.key }))!.origins[0]!.composed.attributes
    ?.street1;
const FORMER = "Avenida Vallarta";

beforeEach(async () => {
  stage = await createMovingStage();
});

describe("before the day", () => {
  test("the coming template is made once, with a marker of its own, linked to nothing, and its carriers are asked", async () => {
    const former = await stage.link();
    const move = await stage.plan({ hour: stage.hourIn(3 * HOUR_MS) });
    const made = stage.world.account.templates.get(move.templateId!)!;
    expect(made.address).toMatchObject({ street1: "Calle Morelos", street_number: "55", name: "Ana Pérez" });
    expect(markerIn(made.alias_name)).toBe(move.marker);
    expect(move.marker).not.toBe(markerOf(SHOP, stage.key));
    expect(made.verified_carriers.map(({ carrier_name }) => carrier_name)).toEqual(["dhl"]);
    expect((await stage.link()).id).toBe(former.id);
    expect(stage.writes()).toEqual(["create"]);
    expect(await streetHeld()).toBe(FORMER);
  });

  test("a create whose answer is lost is found by its marker, and not made twice", async () => {
    firstMeets(stage.world, "create", REPLY_LOST);
    await stage.plan();
    await runFor(5 * MINUTE_MS);
    expect(stage.writes()).toEqual(["create"]);
    expect((await stage.move())!.templateId).not.toBeNull();
  });

  test("a create that never arrived is made again", async () => {
    firstMeets(stage.world, "create", REQUEST_LOST);
    await stage.plan();
    await runFor(5 * MINUTE_MS);
    const { templateId } = (await stage.move())!;
    expect(stage.street(templateId!)).toBe("Calle Morelos");
    expect(stage.world.account.templates.size).toBe(2);
  });

  test("corrected in the address book, its carriers are asked about the address as it is now", async () => {
    const { templateId } = await stage.plan();
    const { world } = stage;
    world.account.setVerdict(templateId!, "dhl", "rejected");
    await runFor(HOUR_MS);
    const { template } = (await world.store.templates.find({ shop: SHOP, templateId: templateId! }))!;
    const { alias_name, address_type, address } = template;
    const corrected = { ...address, street_number: "57" };
    world.calls.length = 0;
    await world.clock.runWhile(
      submitDraft(world.services, {
        ...{ shop: SHOP, draftId: "d1", templateId: templateId!, operation: "update", base: template },
        draft: { alias_name, address_type, default: false, address_attributes: corrected },
      }),
    );
    await runFor(MINUTE_MS);
    expect(stage.writes()).toEqual(["update"]);
    expect(world.calls).toContain("verify");
    world.account.setVerdict(templateId!, "dhl", "approved");
    await runFor(HOUR_MS);
    expect(await world.store.verifications.find({ shop: SHOP, templateId: templateId! })).toMatchObject({
      outcome: "accepted",
    });
  });

  test("called off, nothing passes at the hour, and what was made stays as nobody's", async () => {
    const { templateId } = await stage.plan({ hour: stage.hourIn(2 * HOUR_MS) });
    await stage.world.clock.runWhile(cancelMove(stage.world.services, stage.own));
    await runFor(4 * HOUR_MS);
    expect(await stage.move()).toBeNull();
    expect((await stage.link()).templateId).not.toBe(templateId);
    expect(stage.street(templateId!)).toBe("Calle Morelos");
    expect(stage.writes()).not.toContain("delete");
  });

  test("called off while its create is unclear, nothing is made again and the location can move anew", async () => {
    firstMeets(stage.world, "create", REPLY_LOST);
    await stage.plan();
    await stage.world.clock.runWhile(cancelMove(stage.world.services, stage.own));
    await stage.plan({ place: { ...COMING, street_number: "77" } });
    await runFor(10 * MINUTE_MS);
    expect(stage.writes()).toEqual(["create", "create"]);
    expect(stage.world.account.templates.get((await stage.move())!.templateId!)!.address.street_number).toBe("77");
  });

  test.each(["pause", "exclude", "close"] as const)(
    "a location that is not served gets no template: %s",
    async (how) => {
      stage.world.outcomeOf = (operation) => (operation === "create" ? REQUEST_LOST : PROMPT);
      await stage.plan();
      if (how === "pause")
        await pauseOrigin(stage.world.services, { shop: SHOP, locationIds: [stage.key], paused: true });
      if (how === "exclude") await stage.world.store.details.update(stage.own, { inclusion: "never" });
      if (how === "close") await stage.world.store.locations.update(stage.own, { isActive: false });
      stage.world.outcomeOf = () => PROMPT;
      stage.world.calls.length = 0;
      await runFor(3 * HOUR_MS);
      expect(stage.world.calls).not.toContain("create");
      expect((await stage.move())!.templateId).toBeNull();
    },
  );

  test("what its contact lacked wakes it when that is said", async () => {
    await stage.world.store.shops.update({ shop: SHOP }, { contact: { ...NO_CONTACT } });
    const move = await stage.plan();
    expect(move).toMatchObject({ templateId: null, refusal: { code: "incomplete" } });
    const location = (await stage.world.store.locations.find(stage.own))!;
    const contact = { name: "Luis Ruiz", email: "luis@example.com" };
    const split = {
      street1: FORMER,
      street_number: "101",
      apartment_number: null,
      area_level3: "Americana",
      area_level2: "Guadalajara",
      reference: "Portón",
    };
    const { revision } = await stage.details();
    const stated = { locationId: stage.key, revision, readFrom: addressText(location.address), contact, split };
    const saved = await stage.world.clock.runWhile(saveOriginDetails(stage.world.services, { shop: SHOP, stated }));
    expect(saved.kind).toBe("done");
    await runFor(MINUTE_MS);
    expect(await stage.move()).toMatchObject({ refusal: null, templateId: expect.any(String) as string });
  });

  test.each(["Settings", "Review"])("so does the contact for all locations, said in %s", async (where) => {
    const { services, store, clock } = stage.world;
    await store.shops.update({ shop: SHOP }, { contact: { ...NO_CONTACT } });
    expect(await stage.plan()).toMatchObject({ templateId: null, refusal: { code: "incomplete" } });
    const { revision, language, policies } = (await store.shops.find({ shop: SHOP }))!;
    const said =
      where === "Review"
        ? confirmReview(services, { shop: SHOP, contact: CONTACT, contactRevision: revision, rows: [] })
        : saveSettings(services, { shop: SHOP, revision, settings: { language, policies, contact: CONTACT } });
    expect(await clock.runWhile<{ kind: string }>(said)).toMatchObject({
      kind: where === "Review" ? "confirmed" : "saved",
    });
    await runFor(MINUTE_MS);
    expect(await stage.move()).toMatchObject({ refusal: null, templateId: expect.any(String) as string });
    expect(stage.writes()).toContain("create");
  });

  test("what is entered is judged: an address that lacks something, an hour that is past", async () => {
    const plan = { place: { ...COMING, street1: null, postal_code: "1" }, hour: null, keepFormer: true };
    const refused = await planMove(stage.world.services, { ...stage.own, plan });
    expect(refused).toMatchObject({ kind: "invalid" });
    const late = { ...plan, place: COMING, hour: "2020-01-01T09:00" };
    expect(await planMove(stage.world.services, { ...stage.own, plan: late })).toEqual({ kind: "hour" });
  });

  test("a coming template that is deleted is told within hours, and made again it passes at its hour", async () => {
    const { templateId, hour } = await stage.plan({ hour: stage.hourIn(48 * HOUR_MS) });
    stage.world.account.byPerson.remove(templateId!);
    await runFor(8 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ asks: "missing", templateId: null, hour });
    const { moves } = (await readHome(stage.world.services, { shop: SHOP }))!;
    expect(moves).toMatchObject([{ news: { code: "missing" } }]);
    await stage.world.clock.runWhile(makeComingAgain(stage.world.services, stage.own));
    await runFor(5 * MINUTE_MS);
    const again = (await stage.move())!;
    expect(again).toMatchObject({ asks: null, hour });
    await runFor(41 * HOUR_MS);
    expect(await stage.link()).toMatchObject({ templateId: again.templateId });
    expect(stage.writes()).toEqual(["create", "create"]);
  });

  test("that a carrier refuses the coming address is told within the hour, and no more once it is corrected", async () => {
    const { templateId, hour } = await stage.plan({ hour: stage.hourIn(48 * HOUR_MS) });
    stage.world.account.setVerdict(templateId!, "dhl", "rejected");
    await runFor(6 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ asks: "refused", hour });
    const needs = async () =>
      (await readHome(stage.world.services, { shop: SHOP }))!.moves.map(({ news }) => news.code);
    expect(await needs()).toEqual(["refused"]);
    const base = structuredClone(stage.world.account.templates.get(templateId!)!);
    const { alias_name, address_type, address } = base;
    const draft = { alias_name, address_type, address_attributes: { ...address, street_number: "57" } };
    await submitDraft(stage.world.services, {
      ...{ shop: SHOP, draftId: "d1", operation: "update", templateId, base, draft },
    });
    stage.world.services.wake();
    await runFor(MINUTE_MS);
    expect(await stage.move()).toMatchObject({ asks: null, hour });
    expect(await needs()).toEqual([]);
    stage.world.account.setVerdict(templateId!, "dhl", "approved");
    await runFor(48 * HOUR_MS);
    expect(await stage.link()).toMatchObject({ templateId });
    expect((await stage.noted()).filter((kind) => kind === "move_asks_refused")).toHaveLength(1);
  });

  test("one that no list shows is not, while its own GET does", async () => {
    const { templateId, hour } = await stage.plan({ hour: stage.hourIn(48 * HOUR_MS) });
    const { templates } = stage.world.account;
    stage.world.outcomeOf = (operation) => {
      if (operation !== "list") return PROMPT;
      const data = [...templates.values()].filter(({ id }) => id !== templateId);
      const meta = { total_count: data.length, per_page: 20, current_page: 1, total_pages: 1 };
      const body = JSON.stringify({ data, meta });
      return { ...PROMPT, answer: { kind: "said", status: 200, body, afterMs: 20 } };
    };
    await runFor(24 * HOUR_MS);
    expect(await stage.move()).toMatchObject({ asks: null, templateId, hour });
    expect(stage.world.calls.filter((call) => call === "get").length).toBeLessThan(24 * 12);
    await runFor(25 * HOUR_MS);
    expect(await stage.link()).toMatchObject({ templateId });
  });
});
