import { describe, expect, test } from "vitest";
import { deleteOriginTemplate } from "../../../app/origins/delete-origin-template.ts";
import { includeOrigin } from "../../../app/origins/include-origin.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { unlinkOrigin } from "../../../app/origins/unlink-origin.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";
import type { Stage } from "../worker/stuck-stage.ts";

/** A deletion by hand waits for the service, and its owner says something else of the location meanwhile. The newest word holds. */

const LANDS_UNANSWERED: CallOutcome = { arrivesAfterMs: 20, effectAfterMs: 30_000, answer: { kind: "silence" } };

async function deleted(outcome?: CallOutcome) {
  const stage = await staged(2);
  const { world, keys, stuckId } = stage;
  const locationId = keys[0]!;
  stage.stick(({ operation }) => operation === "delete", outcome);
  const press = () =>
    world.clock.runWhile(deleteOriginTemplate(world.services, { shop: SHOP, locationId, draftId: "draft-1" }));
  await press();
  const include = () => world.clock.runWhile(includeOrigin(world.services, { shop: SHOP, locationId }));
  const page = async () => (await readOrigin(world.services, { shop: SHOP, locationId }))!;
  const link = () => {
    const template = world.account.templates.get(stuckId)!;
    const shown = { templateId: stuckId, templateVersion: versionOf(template) };
    return world.clock.runWhile(linkOrigin(world.services, { shop: SHOP, locationId, ...shown }));
  };
  return { ...stage, stage, locationId, press, include, link, page };
}

/** The service is well again, and everything that waits has its turn. */
async function settled({ world, worker }: Pick<Stage, "world" | "worker">) {
  world.outcomeOf = () => PROMPT;
  await world.runFor(8 * HOUR_MS);
  await world.clock.runWhile(worker.stop());
}

const lines = (world: Stage["world"], kind: string) => world.store.activity.list({ shop: SHOP, kind });

describe("a deletion by hand that waits does not go", () => {
  test("once its location is an origin again: its form and Activity say so", async () => {
    const { world, stage, stuckId, locationId, press, include, page } = await deleted();
    await world.runFor(10 * MINUTE_MS);
    await include();
    await world.runFor(15 * MINUTE_MS);
    expect(await page()).toMatchObject({ state: "ready", template: { templateId: stuckId } });
    expect(world.account.templates.has(stuckId)).toBe(true);
    await settled(stage);
    expect(world.account.templates.has(stuckId)).toBe(true);
    expect(await press()).toEqual({ kind: "taken_back" });
    expect(await lines(world, "draft_taken_back")).toEqual([
      expect.objectContaining({ locationId, templateId: stuckId, actor: "owner", outcome: "noted" }),
    ]);
    expect(await page()).toMatchObject({ state: "ready", template: { templateId: stuckId } });
  });

  test("once its template was taken off the location and linked to it again", async () => {
    const { world, stage, stuckId, locationId, press, link } = await deleted();
    await world.runFor(10 * MINUTE_MS);
    expect(await unlinkOrigin(world.services, { shop: SHOP, locationId })).toBe("unlinked");
    expect(await link()).toMatchObject({ kind: "done" });
    await settled(stage);
    expect(world.account.templates.has(stuckId)).toBe(true);
    expect(await press()).toEqual({ kind: "taken_back" });
  });
});

describe("a deletion by hand goes all the same", () => {
  test("where its location was only taken from its template", async () => {
    const { world, stage, stuckId, locationId, press } = await deleted();
    await world.runFor(10 * MINUTE_MS);
    await unlinkOrigin(world.services, { shop: SHOP, locationId });
    await settled(stage);
    expect(world.account.templates.has(stuckId)).toBe(false);
    expect(await press()).toMatchObject({ kind: "done" });
  });

  test("where it was asked for anew since", async () => {
    const { world, stage, stuckId, locationId, include } = await deleted();
    await world.runFor(10 * MINUTE_MS);
    await include();
    const again = { shop: SHOP, templateId: stuckId, draftId: "draft-2" };
    await world.clock.runWhile(removeTemplate(world.services, again));
    await settled(stage);
    expect(world.account.templates.has(stuckId)).toBe(false);
    expect((await world.store.details.find({ shop: SHOP, locationId }))!.inclusion).toBe("never");
  });
});

test("a DELETE without an answer that did nothing is taken back once nothing of it can come", async () => {
  const { world, stage, stuckId, press, include, page } = await deleted({
    ...LANDS_UNANSWERED,
    effectAfterMs: null,
  });
  await include();
  await world.runFor(60_000);
  expect((await page()).state).not.toBe("ready");
  await world.runFor(2 * MINUTE_MS);
  expect(await page()).toMatchObject({ state: "ready", template: { templateId: stuckId } });
  expect(await press()).toEqual({ kind: "taken_back" });
  await settled(stage);
  expect(world.account.templates.has(stuckId)).toBe(true);
});

test("a DELETE that is under way without an answer is not taken back: no page says ready, and the address is made again", async () => {
  const { world, stage, stuckId, locationId, press, include, page } = await deleted(LANDS_UNANSWERED);
  await include();
  expect(world.account.templates.has(stuckId)).toBe(true);
  expect((await page()).state).not.toBe("ready");
  for (let second = 0; second < 120 && world.account.templates.has(stuckId); second += 1) {
    await world.runFor(1_000);
    expect((await page()).state).not.toBe("ready");
  }
  expect(world.account.templates.has(stuckId)).toBe(false);
  await settled(stage);
  expect(await press()).toMatchObject({ kind: "done" });
  expect(await lines(world, "draft_taken_back")).toEqual([]);
  expect(world.templateOf(locationId)).toBeDefined();
  expect(await page()).toMatchObject({ state: "ready", template: { templateId: world.templateOf(locationId)!.id } });
});
