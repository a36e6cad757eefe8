import { describe, expect, test } from "vitest";
import type { ReviewIntent } from "../../app/components/review/review-intent.ts";
import { eachField, SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { SUPPLIER, workFor } from "../fakes/by-hand.ts";
import { detailsRecord, linkRecord, locationGid, locationRecord, NO_CONTACT, SHOP } from "../fakes/records.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { posting } from "./posting.ts";
import { versionOf } from "../../app/domain/plan/template-version.ts";

/** What Review sends, from its action to the store and the service. */

const post = posting<ReviewIntent>(() => import("../../app/routes/app.review/route.tsx"));
const postBook = posting<{ force: boolean }>(() => import("../../app/routes/app.address-book._index/route.tsx"));

type Confirm = Extract<ReviewIntent, { intent: "confirm" }>;

const [first, second] = [locationGid(1), locationGid(2)];
const row = (world: World, locationId: string) => world.store.details.find({ shop: SHOP, locationId });

/** Two locations that Shopify told of, and nobody's word yet. */
async function twoNew(): Promise<World> {
  const world = await createWorld({ policies: { carriers: [] } });
  for (const number of [1, 2]) {
    world.shopify.put(SHOP, shopifyLocation(number));
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  }
  return world;
}

/** What the page sends when nobody types. */
async function shown(world: World): Promise<Confirm> {
  const view = (await readReview(world.services, { shop: SHOP }))!;
  const rows = view.rows.map(({ locationId, revision, readFrom, cells }) => ({
    ...{ locationId, revision, readFrom, templateId: null, templateVersion: null },
    values: eachField(SPLIT_FIELDS, (field) => cells[field].value),
  }));
  return { intent: "confirm", contact: view.contact, contactRevision: view.contactRevision, rows };
}

/** A template in the account that somebody made, and that the app has read. */
async function byHand(world: World): Promise<{ templateId: string; templateVersion: string }> {
  const template = world.account.byPerson.add(SUPPLIER);
  await postBook(world, { force: true });
  return { templateId: template.id, templateVersion: versionOf(template) };
}

const COMMANDS: Record<ReviewIntent["intent"], () => Promise<void>> = {
  async confirm() {
    const world = await twoNew();
    // The table does not show a location's own contact, which stays.
    const contact = { ...NO_CONTACT, company: "Café" };
    await world.store.details.insert(detailsRecord({ locationId: first, contact }));
    const asked = await shown(world);
    const [one, two] = asked.rows;
    const rows = [{ ...one!, values: { ...one!.values, street1: " Calle Nueva ", apartment_number: "" } }, two!];
    const answer = await post(world, { ...asked, contact: { ...CONTACT, name: "Luz" }, rows });
    expect(answer).toMatchObject({ status: 200, said: { kind: "confirmed", count: 2, refused: [] } });
    const { jobId } = answer.said as { jobId: string };
    expect(await world.store.jobItems.count({ jobId })).toBe(2);
    expect((await world.store.shops.find({ shop: SHOP }))!.contact).toEqual({ ...CONTACT, name: "Luz" });
    const stored = (await row(world, first))!;
    expect(stored).toMatchObject({ contact, split: { values: { street1: "Calle Nueva", apartment_number: null } } });
    expect(stored.confirmedAtMs).not.toBeNull();
    await workFor(world, 30_000);
    expect(world.templateOf(first)!.address).toMatchObject({ name: "Luz", company: "Café", street1: "Calle Nueva" });
    expect(world.templateOf(second)!.address).toMatchObject({ name: "Luz", street1: "Avenida Vallarta" });
  },
  async exclude() {
    const world = await twoNew();
    const answer = await post(world, { intent: "exclude", locationId: first });
    expect(answer).toEqual({ status: 200, said: { kind: "excluded", locationId: first } });
    expect(await row(world, first)).toMatchObject({ inclusion: "never" });
    expect(await row(world, second)).toBeNull();
  },
  async includeAgain() {
    const world = await twoNew();
    await post(world, { intent: "exclude", locationId: first });
    const answer = await post(world, { intent: "includeAgain", locationId: first });
    expect(answer).toEqual({ status: 200, said: { kind: "includedAgain" } });
    expect(await row(world, first)).toMatchObject({ inclusion: "policy" });
  },
};

describe("a command of Review", () => {
  test.each(Object.entries(COMMANDS))("%s", (_intent, play) => play());

  test("confirm, with a template to link and with one to make all the same", async () => {
    const world = await twoNew();
    const template = await byHand(world);
    const { templateId } = template;
    const asked = await shown(world);
    const rows = asked.rows.map((each, index) => ({
      ...each,
      ...(index === 0 ? template : { templateId: "create" }),
    }));
    expect((await post(world, { ...asked, rows })).said).toMatchObject({ kind: "confirmed", count: 2 });
    expect(await world.store.links.list({ shop: SHOP })).toMatchObject([{ templateId, how: "adopted" }]);
    expect(await row(world, rows[1]!.locationId)).toMatchObject({ adoption: "create" });
  });
});

describe("Review is told why not", () => {
  test.each<[string, (asked: Confirm) => Confirm, object]>([
    [
      "the contact is wrong",
      (asked) => ({ ...asked, contact: { ...CONTACT, email: "nobody" } }),
      { kind: "contact_invalid", problems: [{ field: "email", code: "email_format" }] },
    ],
    [
      "somebody changed the contact since",
      (asked) => ({ ...asked, contact: { ...CONTACT, name: "Luz" }, contactRevision: 7 }),
      { kind: "contact_stale" },
    ],
  ])("%s", async (_title, change, said) => {
    const world = await twoNew();
    expect(await post(world, change(await shown(world)))).toMatchObject({ status: 200, said });
    expect((await readReview(world.services, { shop: SHOP }))!.rows).toHaveLength(2);
  });

  const change = (over: Partial<Confirm["rows"][number]>) => (each: Confirm["rows"][number]) => ({ ...each, ...over });
  test.each<[string, (world: World, each: Confirm["rows"][number]) => Promise<Confirm["rows"][number]>, object]>([
    [
      "a field is wrong",
      async (_world, each) => change({ values: { ...each.values, area_level3: " " } })(each),
      { kind: "invalid", problems: [{ field: "area_level3", code: "missing" }] },
    ],
    ["somebody saved it since", async (_world, each) => change({ revision: 7 })(each), { kind: "stale" }],
    [
      "the location moved since",
      async (world, each) => {
        const address = mexicanAddress({ street: "Calle Nueva" });
        await world.store.locations.update({ locationId: each.locationId }, { address });
        return each;
      },
      { kind: "moved" },
    ],
    [
      "there is no such location",
      async (_world, each) => change({ locationId: locationGid(9) })(each),
      { kind: "not_found" },
    ],
    [
      "its template is another location's",
      async (world, each) => {
        const template = await byHand(world);
        await world.store.links.insert(linkRecord({ locationId: locationGid(9), templateId: template.templateId }));
        return change(template)(each);
      },
      { kind: "taken" },
    ],
    [
      "its template is not as it was shown",
      async (world, each) => change({ ...(await byHand(world)), templateVersion: "another" })(each),
      { kind: "changed_since" },
    ],
    [
      "there is no such template",
      async (_world, each) => change({ templateId: "nobodys" })(each),
      { kind: "not_found" },
    ],
  ])("%s, which stops no other row", async (_title, arrange, refusal) => {
    const world = await twoNew();
    const asked = await shown(world);
    const refused = await arrange(world, asked.rows[0]!);
    const answer = await post(world, { ...asked, rows: [refused, asked.rows[1]!] });
    expect(answer).toMatchObject({
      status: 200,
      said: { kind: "confirmed", count: 1, refused: [{ locationId: refused.locationId, refusal }] },
    });
    expect((await row(world, second))!.confirmedAtMs).not.toBeNull();
  });

  test("another shop's location is not found", async () => {
    const world = await twoNew();
    const where = { shop: "two.myshopify.com" };
    expect(await post(world, { intent: "exclude", locationId: first }, where)).toEqual({ status: 404, said: null });
    expect(await row(world, first)).toBeNull();
  });
});
