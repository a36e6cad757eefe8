import { beforeEach, describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { submitDraft } from "../../app/by-hand/submit-draft.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { SUPPLIER, workFor } from "../fakes/by-hand.ts";
import { connectionRecord, SHOP, shopRecord } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { unanswered } from "../fakes/shipping/outcomes.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const ANOTHER = "two.myshopify.com";
const RENAMED = { ...SUPPLIER, alias_name: "Bodega de Jalisco" };

let world: World;

beforeEach(async () => {
  world = await createWorld();
  world.outcomeOf = (operation) => (operation === "create" ? unanswered(20) : PROMPT);
  await world.store.shops.insert(shopRecord({ shop: ANOTHER }));
  await world.store.connections.insert(connectionRecord({ id: "connection-2", shop: ANOTHER }));
});

const draftOf = async (id: string) => (await world.store.drafts.find({ id }))!;

/** A form of another shop of the account makes a template, and is not answered. The shop sees it in its book. */
async function makeUnclear(): Promise<string> {
  const change = { operation: "create", templateId: null, draft: SUPPLIER, base: null } as const;
  const requested = await submitDraft(world.services, { shop: ANOTHER, draftId: "made", ...change });
  await world.clock.runWhile(runNow(world.services, { shop: ANOTHER, ...requested }));
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
  return [...world.account.templates.keys()][0]!;
}

async function rename(templateId: string): Promise<void> {
  const base = world.account.templates.get(templateId)!;
  const form = { shop: SHOP, draftId: "renamed", operation: "update", templateId, draft: RENAMED, base } as const;
  await submitDraft(world.services, form);
}

describe("a change of a template that an unclear form of another shop may have made", () => {
  test("waits, so that the form finds the template by its words and makes no other", async () => {
    const templateId = await makeUnclear();
    await rename(templateId);
    await workFor(world, 300_000);
    expect(await draftOf("made")).toMatchObject({ outcome: { kind: "alike" }, templateId });
    expect(await draftOf("renamed")).toMatchObject({ outcome: { kind: "done" } });
    expect([...world.account.templates.values()]).toMatchObject([{ id: templateId, alias_name: RENAMED.alias_name }]);
  });

  test("waits a minute longer than the form's quarantine, should the form's shop be shut", async () => {
    const templateId = await makeUnclear();
    await world.store.shops.update({ shop: ANOTHER }, { access: "frozen" });
    const [form] = await world.store.pendingWrites.list({ shop: ANOTHER });
    await rename(templateId);
    await workFor(world, 300_000);
    const { outcome, endedAtMs } = await draftOf("renamed");
    expect(outcome).toMatchObject({ kind: "done" });
    expect(endedAtMs).toBeGreaterThanOrEqual(form!.quarantineUntilMs + 60_000);
    expect(await draftOf("made")).toMatchObject({ outcome: null });
  });
});
