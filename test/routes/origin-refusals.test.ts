import { describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import type { OriginIntent } from "../../app/components/origin/origin-intent.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import type { CallOutcome } from "../fakes/shipping/network.ts";
import { mexicanAddress } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { answered, byHand, confirmed, linking, locationId, OTHER, post, shown, synced } from "./origin-stage.ts";

/** What an origin's page is told when a command could not do what was meant. */

const refused: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 422, body: JSON.stringify({ message: "no" }), afterMs: 20 },
};
const progress = (kind: string) => ({ kind: "done", progress: { kind } });

type Told = [
  title: string,
  stage: () => Promise<World>,
  asked: OriginIntent | ((world: World) => Promise<OriginIntent>),
  object,
];

describe("an origin's page is told why not", () => {
  test.each<Told>([
    [
      "a field is wrong",
      () => confirmed(),
      async (world) => {
        const form = await shown(world);
        return { ...form, values: { ...form.values, area_level3: " ", email: "nobody" } };
      },
      { kind: "invalid", problems: [{ field: "area_level3" }, { field: "email" }] },
    ],
    [
      "somebody saved it since",
      () => confirmed(),
      async (world) => ({ ...(await shown(world)), revision: 7 }),
      { kind: "stale" },
    ],
    [
      "the location moved since",
      () => confirmed(),
      async (world) => {
        const form = await shown(world);
        await world.store.locations.update({ locationId }, { address: mexicanAddress({ street: "Calle Nueva" }) });
        return form;
      },
      { kind: "moved" },
    ],
    [
      "what is saved cannot be sent",
      () => confirmed({ connected: false }),
      shown,
      { kind: "done", progress: { kind: "blocked", reason: { code: "not_connected" } } },
    ],
    [
      "Shopify took it away",
      () => confirmed({ over: { isActive: false } }),
      { intent: "include" },
      { kind: "impossible" },
    ],
    [
      "it has a template",
      async () => (await synced()).world,
      async (world) => linking(await byHand(world)),
      { kind: "already_linked" },
    ],
    [
      "the template is another location's",
      async () => {
        const { world } = await synced();
        await world.store.links.update({ locationId }, { locationId: locationGid(2) });
        return world;
      },
      async (world) => linking([...world.account.templates.values()][0]!),
      { kind: "taken" },
    ],
    [
      "the template to link is not as it was shown",
      confirmed,
      async (world) => {
        const before = structuredClone(await byHand(world));
        world.account.byPerson.edit(before.id, "address_type", "to", world.clock.nowMs());
        await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
        return linking(before);
      },
      { kind: "changed_since" },
    ],
    ["its template is there", async () => (await synced()).world, { intent: "makeAgain" }, { kind: "not_missing" }],
    [
      "the difference is another by now",
      async () => (await synced()).world,
      { intent: "resolve", choices: [{ field: "reference", choice: "ours", theirs: "never seen" }] },
      { kind: "changed_since" },
    ],
    [
      "the service refuses the deletion",
      async () => {
        const { world } = await synced();
        world.outcomeOf = (operation) => (operation === "delete" ? refused : PROMPT);
        return world;
      },
      { intent: "delete", draftId: "d-1" },
      progress("blocked"),
    ],
    [
      "the service does not show what is to be deleted",
      async () => {
        const { world } = await synced();
        world.outcomeOf = () => refused;
        return world;
      },
      { intent: "delete", draftId: "d-1" },
      progress("failed"),
    ],
    [
      "nobody answers the deletion",
      async () => {
        const { world } = await synced();
        world.outcomeOf = () => ({ arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "silence" } });
        return world;
      },
      { intent: "delete", draftId: "d-1" },
      progress("under_way"),
    ],
    [
      "the template to delete was gone",
      async () => {
        const { world, template } = await synced();
        world.account.byPerson.remove(template.id);
        // One 404 may be a passing one, and so may one listing.
        for (let asked = 0; asked < 2; asked += 1) {
          const { said } = await post(world, { intent: "delete", draftId: "d-1" });
          expect(said).toMatchObject(progress("under_way"));
          await world.runFor(65_000);
        }
        return world;
      },
      { intent: "delete", draftId: "d-1" },
      progress("done"),
    ],
  ])("%s", async (_title, stage, asked, told) => {
    const world = await stage();
    const body = typeof asked === "function" ? await asked(world) : asked;
    expect(await post(world, body)).toMatchObject(answered(body.intent, told));
  });
});

describe("what is not there is not found", () => {
  const bodies: OriginIntent[] = [
    { intent: "unlink" },
    { intent: "delete", draftId: "d-1" },
    { intent: "verify", carriers: ["fedex"] },
    { intent: "link", templateId: "nobodys", templateVersion: "unseen" },
  ];
  test.each(bodies)("of an origin without a template: $intent", async (body) => {
    expect(await post(await confirmed(), body)).toEqual({ status: 404, said: null });
  });

  const everywhere: OriginIntent[] = [
    ...bodies,
    ...(["sync", "include", "makeAgain", "createAnyway", "pause", "resume", "refresh"] as const).map((intent) => ({
      intent,
    })),
    { intent: "resolve", choices: [{ field: "reference", choice: "ours", theirs: null }] },
  ];
  test.each(everywhere)("of another shop's location: $intent", async (body) => {
    const { world } = await synced();
    expect(await post(world, body, { shop: OTHER })).toEqual({ status: 404, said: null });
    expect(world.calls).toEqual([]);
  });

  test.each(["pause", "resume", "refresh", "sync"] as const)("of a location that nobody has: %s", async (intent) => {
    const { world } = await synced();
    expect(await post(world, { intent }, { locationId: "99" })).toEqual({ status: 404, said: null });
    expect(world.calls).toEqual([]);
  });

  test("a deletion of a location that nobody has, though its form is known", async () => {
    const { world } = await synced();
    const body = { intent: "delete", draftId: "d-1" } as const;
    expect((await post(world, body)).status).toBe(200);
    expect(await post(world, body, { locationId: "99" })).toEqual({ status: 404, said: null });
  });

  test("a save of another shop's location", async () => {
    const { world } = await synced();
    expect(await post(world, await shown(world), { shop: OTHER })).toEqual({ status: 404, said: null });
  });

  test("an id that cannot be a location's", async () => {
    expect(await post(await confirmed(), { intent: "sync" }, { locationId: "1x" })).toEqual({
      status: 404,
      said: null,
    });
  });
});
