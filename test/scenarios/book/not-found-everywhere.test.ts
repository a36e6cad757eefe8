import { beforeEach, describe, expect, test } from "vitest";
import { readHome } from "../../../app/pages/read-home.ts";
import { submitDraft } from "../../../app/by-hand/submit-draft.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A router that has lost its backend answers 404 to everything, the list and the token included, for five minutes. Nothing was deleted. */

const said = (body: string): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 404, body, afterMs: 20 },
});
const OUTAGES: [string, CallOutcome][] = [
  ["a page of HTML", said("<html><body><h1>404 Not Found</h1><hr>nginx</body></html>")],
  ["a gateway's JSON", said('{"message":"no Route matched with those values"}')],
];

describe.each(OUTAGES)("404 to everything, as %s", (_, outage) => {
  let world: World;
  let key: string;
  let templateId: string;

  beforeEach(async () => {
    world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex"], onDeactivate: "delete" } });
    key = await world.addLocation(1);
    world.start();
    await world.runFor(20_000);
    templateId = world.templateOf(key)!.id;
    world.account.setVerdict(templateId, "fedex", "approved");
    await world.runFor(3_600_000);
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    world.outcomeOf = () => outage;
  });

  const verdict = () => world.store.verifications.find({ shop: SHOP, templateId, carrier: "fedex" });

  async function told(over: Parameters<typeof shopifyLocation>[1]) {
    world.shopify.put(SHOP, shopifyLocation(1, over));
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(300_000);
  }

  async function heals() {
    world.outcomeOf = () => PROMPT;
    await world.runFor(3_600_000 * 13);
  }

  test("loses no verdict, says what the service said and not that the template is gone, and the change goes in the end", async () => {
    await told({ name: "Bodega Norte" });

    const home = (await readHome(world.services, { shop: SHOP }))!;
    const { needs } = home;
    await heals();
    expect(needs).toMatchObject([{ need: "parked", failure: { code: "unexpected_status" } }]);
    expect(await verdict()).toMatchObject({ outcome: "accepted" });
    expect(world.templateOf(key)!.alias_name).toMatch(/^Bodega Norte/);
  });

  test("no deletion by hand is told done", async () => {
    const draft = { shop: SHOP, draftId: "d1", templateId, operation: "delete", draft: null, base: null } as const;
    await world.clock.runWhile(submitDraft(world.services, draft));
    await world.runFor(300_000);
    expect(world.account.templates.has(templateId)).toBe(true);
    expect((await world.store.drafts.find({ id: "d1" }))!.outcome?.kind).not.toBe("done");
  });

  test("no deletion by rule is told done before it is", async () => {
    await told({ isActive: false });
    expect(world.account.templates.has(templateId)).toBe(true);
    expect(await world.store.activity.list({ shop: SHOP, kind: "template_deleted" })).toEqual([]);
    await heals();
    expect(world.account.templates.has(templateId)).toBe(false);
    expect(await world.store.links.count({ shop: SHOP })).toBe(0);
  });
});
