import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmbedded, type EmbeddedPostgres } from "../../scripts/postgres-server.ts";
import { formByHand } from "../sandbox/play/by-hand.ts";
import { confirmAgain, confirmReviewed, mapShops, type PlayedShop } from "../sandbox/play/mapped-shops.ts";
import { ONE_ADDRESS, startOneShop } from "../sandbox/play/one-shop.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { eachStepNeedsTheLast } from "./job-stage.ts";
import { IS_WHOLE } from "../whole.ts";

/**
 * The built server, two processes of it, on a database whose standby takes over without the last commits. What they had sent is there. It
 * takes longer than all tests may; what it rests on has tests of its own in `adapters/store/postgresql/fail-over.test.ts`.
 */

const BY_HAND = "A mano";

describe.skipIf(!IS_WHOLE)("a server that takes over without the last commits", () => {
  let server: EmbeddedPostgres;
  let sandbox: Sandbox;
  let shop: PlayedShop;

  beforeAll(async () => {
    server = await startEmbedded();
    ({ sandbox, shop } = await startOneShop(["Centro"], {
      databaseUrl: server.url,
      processes: 2,
      appEnv: { QUARANTINE_LONGEST_MS: "0", QUARANTINE_MARGIN_MS: "0" },
    }));
  });
  afterAll(async () => {
    await sandbox?.stop();
    await server?.stop();
  });
  eachStepNeedsTheLast();

  const templates = () => sandbox.shipping!.templates(shop.clientId, "production");
  const named = (words: string) => templates().filter(({ alias_name: name }) => String(name).includes(words));

  const settled = <T>(what: string, read: () => Promise<T>, holds: (value: T) => boolean) =>
    until({
      what,
      read: () => read().catch(() => null),
      holds: (value) => value !== null && holds(value),
    });

  async function makeByHand(draftId: string) {
    const draft = formByHand(BY_HAND);
    return (await pages.askNewTemplate(shop, { intent: "save", draftId, draft, base: null })).outcome;
  }

  let draftId: string;

  test("what is sent after a copy of the database was kept is at the service", async () => {
    await mapShops([shop]);
    await server.keepCopy();
    await settled("Both processes in health", healthy, Boolean);
    sandbox.admin.locations.create(shop.state, { name: "Oriente", fulfillsOnlineOrders: true, address: ONE_ADDRESS });
    await settled(
      "The new location",
      () => pages.review(shop),
      ({ rows }) => rows.length === 1,
    );
    await confirmReviewed(shop);
    await settled(
      "Its template",
      async () => named("Oriente"),
      (found) => found.length === 1,
    );
    draftId = await pages.newDraftId(shop);
    expect(await makeByHand(draftId)).toMatchObject({ kind: "done" });
    const [centro] = shop.state.locations.values();
    sandbox.admin.locations.change(shop.state, centro!.id, { address: { address1: "Calle Uno 7" } });
    await settled(
      "The change",
      async () => JSON.stringify(named("Centro")),
      (found) => found.includes("Calle Uno"),
    );
  });

  async function healthy(): Promise<boolean> {
    const answers = await Promise.all(sandbox.apps.map(async ({ url }) => (await fetch(`${url}/health`)).status));
    return answers.every((status) => status === 200);
  }

  test("a server that knows nothing of it makes nothing twice, and all comes to rest by itself", async () => {
    const before = templates().length;
    await server.goBack();
    await settled("Both processes in health", healthy, Boolean);
    // The page of the create by hand asks how far it came by sending its form again.
    await settled(
      "The form",
      () => makeByHand(draftId),
      ({ kind }) => kind === "under_way",
    );
    await confirmAgain(shop);
    const home = await settled(
      "The look at everything",
      () => pages.home(shop),
      ({ queue }) => queue.waiting === 0,
    );
    expect(home!.connection.health).toBe("ready");
    expect(templates()).toHaveLength(before);
    expect(JSON.stringify(named("Centro"))).toContain("Calle Uno");
  });

  test("a form that is sent once more asks its owner whether the template is its own", async () => {
    const answer = await settled(
      "The form's end",
      () => makeByHand(draftId),
      ({ kind }) => kind !== "waits" && kind !== "under_way",
    );
    expect(answer).toMatchObject({ kind: "alike" });
    expect(named(BY_HAND)).toHaveLength(1);
  });

  test("what changes afterwards goes on to the service", async () => {
    const [centro] = shop.state.locations.values();
    sandbox.admin.locations.change(shop.state, centro!.id, { address: { address1: "Calle Dos 7" } });
    await settled(
      "The change",
      async () => JSON.stringify(named("Centro")),
      (found) => found.includes("Calle Dos"),
    );
    expect(sandbox.shipping!.report().duplicates.total).toBe(0);
    expect(sandbox.shipping!.report().secondsOverLimit).toBe(0);
  });
});
