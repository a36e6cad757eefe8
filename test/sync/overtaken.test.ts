import { beforeEach, expect, test } from "vitest";
import { isLatest } from "../../app/book/number-readings.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { valuesOfTemplate } from "../../app/domain/plan/three-way.ts";
import type { TemplateRecord } from "../../app/domain/records.ts";
import { refreshTemplate } from "../../app/origins/refresh-origin.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** An answer that is dropped, and shows what nobody has seen, lets no write go that was planned on another one. */

let world: World;
let key: string;
let templateId: string;
/** What another run plans a write on; null until the call is sent whose answer it overtakes. */
let planned: TemplateRecord | null;
/** Whether that write might still go, at each later call. */
let plannedHolds: boolean[];

const readRow = async () => (await world.store.templates.find({ shop: SHOP, templateId }))!;

beforeEach(async () => {
  world = await createWorld({ policies: { carriers: [] } });
  key = await world.addLocation(1);
  world.start();
  await world.runFor();
  templateId = world.templateOf(key)!.id;
  planned = null;
  plannedHolds = [];
});

/** Another run reads the template once the next one asks for it, and plans a write on that. Then somebody changes it. */
function overtakeNext(call: "get" | "verifyByCarriers"): void {
  const { shipping } = world.services;
  const overtake = async (id: string) => {
    if (planned) return void plannedHolds.push(await isLatest(world.store, planned));
    const row = await readRow();
    planned = { ...row, reading: row.reading + 1 };
    await world.store.connections.update({ id }, { readings: planned.reading });
    await world.store.templates.update({ shop: SHOP, templateId }, { reading: planned.reading });
    world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  };
  const account: typeof shipping.account = (ref) => {
    const own = shipping.account(ref);
    return {
      ...own,
      async get(...asked) {
        if (call === "get") await overtake(ref.id);
        return own.get(...asked);
      },
      async verifyByCarriers(...asked) {
        if (call === "verifyByCarriers") await overtake(ref.id);
        return own.verifyByCarriers(...asked);
      },
    };
  };
  Object.assign(world.services, { shipping: { ...shipping, account } });
}

const askCarrier = () => requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });

const askers: [string, () => Promise<unknown>][] = [
  [
    "a location's run",
    async () => {
      await world.store.templates.update({ shop: SHOP, templateId }, { disputedSinceMs: world.clock.nowMs() });
      await world.requestWork("location", key);
    },
  ],
  ["a page", () => world.clock.runWhile(refreshTemplate(world.services, { shop: SHOP, templateId, force: true }))],
  [
    "who asks carriers",
    async () => {
      // Its own GET showed it long ago.
      await world.runFor(120_000);
      await askCarrier();
    },
  ],
  [
    "a change by hand",
    async () => {
      const { template: base } = await readRow();
      const { alias_name, address, address_type } = base;
      const draft = { alias_name, address_type, address_attributes: { ...address, company: "Copal" } };
      await world.clock.runWhile(saveTemplate(world.services, { shop: SHOP, draftId: "d1", templateId, draft, base }));
    },
  ],
];

test.each(askers)("%s asks again, and what it was told first counts until then", async (_who, ask) => {
  overtakeNext("get");
  await ask();
  world.services.wake();
  await world.runFor();
  expect(plannedHolds[0]).toBe(false);
  expect(valuesOfTemplate((await readRow()).template).reference).toBe("Timbre azul");
});

test("so does what the service answers to who asks carriers", async () => {
  overtakeNext("verifyByCarriers");
  await askCarrier();
  world.services.wake();
  await world.runFor(2_000);
  expect(await isLatest(world.store, planned!)).toBe(false);
});
