import { describe, expect, test } from "vitest";
import { composeOrigin } from "../../app/domain/address/compose.ts";
import { draftFor } from "../../app/domain/plan/plan.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import type { LinkRecord, WorkItem } from "../../app/domain/records.ts";
import { templateWith, valuesOfDraft } from "../../app/domain/plan/three-way.ts";
import { createTokenStore } from "../../app/account/token-store.ts";
import { dismissGuide } from "../../app/shop/dismiss-guide.ts";
import { readActivity } from "../../app/pages/read-activity.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readSettings } from "../../app/pages/read-settings.ts";
import { readShell } from "../../app/pages/read-shell.ts";
import { saveSettings } from "../../app/shop/save-settings.ts";
import type { ActivityQuery } from "../../app/views/activity.ts";
import type { ShopSettings } from "../../app/views/settings.ts";
import {
  SHOP,
  activityRecord,
  addressTemplate,
  detailsRecord,
  linkRecord,
  locationGid,
  locationRecord,
  shopRecord,
  workItemRecord,
  templateRecord,
  verificationRecord,
} from "../fakes/records.ts";
import { postalFacts } from "../fakes/postal-codes.ts";
import { CONTACT, createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { ALL_ACTIVITY } from "../../app/views/activity.ts";

/**
 * What Home, the frame around every page, the settings and Activity show of one shop.
 *
 * Long, because all pages are read of the same states of a shop.
 */

const OTHER = "two.myshopify.com";
const EVERYTHING: ActivityQuery = ALL_ACTIVITY;

/** A template that says what is meant for a location. */
async function keepTemplateOf(world: World, number: number) {
  const location = locationRecord({ ...shopifyLocation(number), shop: SHOP });
  const { attributes } = composeOrigin({ address: location.address, postal: null, defaults: CONTACT, details: null });
  const draft = draftFor({ location, details: null, policies: DEFAULT_POLICIES, link: null }, attributes!);
  const template = templateWith(addressTemplate({ id: `template-${number}` }), valuesOfDraft(draft));
  await world.store.templates.insert(templateRecord({ templateId: template.id, template }));
}

/** A confirmed location that stands for a template, as the database holds it. */
async function origin(
  world: World,
  number: number,
  over: { link?: Partial<LinkRecord> | null; workItem?: Partial<WorkItem>; confirmed?: boolean } = {},
) {
  const locationId = locationGid(number);
  const nowMs = world.clock.nowMs();
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  if (over.confirmed !== false) await world.store.details.insert(detailsRecord({ locationId, confirmedAtMs: nowMs }));
  const link = {
    id: `link-${number}`,
    locationId,
    templateId: `template-${number}`,
    syncedAtMs: nowMs,
    differences: [],
    missingSinceMs: null,
  };
  if (over.link !== null) {
    await world.store.links.insert(linkRecord({ ...link, ...over.link }));
    await keepTemplateOf(world, number);
  }
  const workItem = {
    id: `target-${number}`,
    kind: "location",
    key: locationId,
    generation: 1,
    observedGeneration: 1,
    state: "active",
    leaseOwner: null,
    leaseUntilMs: null,
    reason: null,
  } as const;
  await world.store.workItems.insert(workItemRecord({ ...workItem, ...over.workItem }));
}

const verified = (world: World, number: number, outcome: "accepted" | "refused") =>
  world.store.verifications.insert(
    verificationRecord({ templateId: `template-${number}`, carrier: "fedex", outcome, addressKey: null }),
  );

const home = async (world: World) => (await readHome(world.services, { shop: SHOP }))!;

const difference = (kind: "drift" | "conflict") =>
  ({ field: "street1", kind, ours: "A", theirs: "B", base: "C", noticedAtMs: 1 }) as const;

describe("home", () => {
  test("says what needs the owner, worst first, and counts what is ready", async () => {
    const world = await createWorld({ policies: { carriers: ["fedex"] } });
    await origin(world, 1, { link: { differences: [difference("drift")] } });
    await origin(world, 2, { link: { differences: [difference("conflict")] } });
    await origin(world, 3, { confirmed: false, link: null });
    await origin(world, 4);
    await origin(world, 5);
    await origin(world, 6);
    await verified(world, 1, "accepted");
    await verified(world, 4, "accepted");
    await verified(world, 5, "refused");
    const view = await home(world);
    expect(view.needs.map(({ need, count }) => [need, count])).toEqual([
      ["conflict", 1],
      ["refused_by_carrier", 1],
      ["to_review", 1],
      ["drift", 1],
      ["unverified", 1],
    ]);
    expect(view.origins).toEqual({
      ...{ canShip: 2, part: 0, ready: 1, yours: 5, underWay: 0, total: 6 },
      open: {
        ...{ canShip: { yours: 1, underWay: 0 }, part: { yours: 0, underWay: 0 } },
        rest: { yours: 4, underWay: 0 },
      },
    });
    expect(view.carriers).toMatchObject([{ carrier: "fedex", accepted: 2, waiting: 0, refused: 1, not_asked: 3 }]);
    expect(view.onlyLocationId).toBeNull();
  });

  test("tells how long the queue takes, at two requests a second", async () => {
    const world = await createWorld();
    for (const number of [1, 2, 3, 4, 5])
      await origin(world, number, { workItem: { generation: 2, dueAtMs: world.clock.nowMs() } });
    const { queue } = await home(world);
    expect(queue.waiting).toBe(5);
    expect(queue.leftMs).toBeGreaterThan(3_000);
    expect(queue.leftMs).toBeLessThan(20_000);
  });

  test("says of several that wait whose reason it tells", async () => {
    const world = await createWorld();
    const nowMs = world.clock.nowMs();
    const reason = (code: "held" | "quarantine") =>
      ({ code, message: null, fields: null, requestId: null, atMs: nowMs }) as const;
    const waits = { generation: 2, dueAtMs: nowMs + 60_000 };
    const longAgo = nowMs - 3_600_000;
    await origin(world, 1, { workItem: { ...waits, pendingSinceMs: longAgo, reason: reason("held") } });
    await origin(world, 2, { workItem: { ...waits, pendingSinceMs: longAgo - 1, reason: reason("quarantine") } });
    expect((await home(world)).troubles).toMatchObject([
      { trouble: "waiting", count: 2, of: "Bodega 2", failure: { code: "quarantine" } },
    ]);
  });

  test("does not say that nothing waits while a change waits for its next attempt", async () => {
    const world = await createWorld();
    await origin(world, 1, { workItem: { generation: 2, dueAtMs: world.clock.nowMs() + 90_000 } });
    await origin(world, 2);
    expect((await home(world)).queue).toMatchObject({ waiting: 0, later: 1 });
  });

  test("is the origin itself when there is one", async () => {
    const world = await createWorld();
    await origin(world, 7);
    expect((await home(world)).onlyLocationId).toBe(locationGid(7));
  });

  describe("the first steps", () => {
    const setup = async (world: World) => (await home(world)).setup;
    const steps = async (world: World) => {
      const { step, done } = (await setup(world))!;
      return [step, ...Object.entries(done).flatMap(([name, isDone]) => (isDone ? [name] : []))];
    };
    const connection = (world: World, over: object) => world.store.connections.update({ id: "connection-1" }, over);

    test("are connected, read, confirmed and saved, one after the other", async () => {
      const world = await createWorld({ connected: false, policies: { carriers: ["fedex"] } });
      expect(await steps(world)).toEqual(["connect"]);
      expect((await setup(world))!.connection).toBeNull();

      const connected = await createWorld({ policies: { carriers: ["fedex"] } });
      await origin(connected, 1, { confirmed: false, link: null });
      await origin(connected, 2, { confirmed: false, link: null });
      await connection(connected, { bookReadAtMs: null });
      expect(await steps(connected)).toEqual(["read", "connect"]);
      await connection(connected, { bookReadAtMs: connected.clock.nowMs() });
      expect(await steps(connected)).toEqual(["confirm", "connect"]);
      expect((await setup(connected))!.review!.rows).toHaveLength(2);

      const confirmed = await createWorld({ policies: { carriers: ["fedex"] } });
      await origin(confirmed, 1);
      await origin(confirmed, 2, { link: null, workItem: { generation: 2, dueAtMs: confirmed.clock.nowMs() } });
      expect(await steps(confirmed)).toEqual(["save", "connect", "confirm"]);
      expect((await setup(confirmed))!.counts).toEqual({ confirmed: 2, saved: 1, total: 2 });
    });

    test("end when all is saved and every carrier has answered", async () => {
      const world = await createWorld({ policies: { carriers: ["fedex"] } });
      await origin(world, 1);
      await world.store.verifications.insert(
        verificationRecord({ templateId: "template-1", carrier: "fedex", outcome: "pending", addressKey: null }),
      );
      expect(await steps(world)).toEqual(["verify", "connect", "confirm", "save"]);
      await world.store.verifications.update({ templateId: "template-1" }, { outcome: "refused" });
      expect(await steps(world)).toEqual(["finished", "connect", "confirm", "save"]);
    });

    test("stay done when an address changes later, which is told as saved with a change that waits", async () => {
      const world = await createWorld({ policies: { carriers: [] } });
      await origin(world, 1, { workItem: { generation: 2, dueAtMs: world.clock.nowMs() } });
      await origin(world, 2);
      expect(await steps(world)).toEqual(["verify", "connect", "confirm", "save"]);
      const { counts, places } = (await setup(world))!;
      expect(counts).toEqual({ confirmed: 2, saved: 2, total: 2 });
      expect(places.map(({ state, saved }) => [state, saved])).toEqual([
        ["changing", "before"],
        ["ready", "as_it_is"],
      ]);
    });

    test("stay done when the service refuses a later change, or the credentials with which it is to be saved", async () => {
      const world = await createWorld({ policies: { carriers: [] } });
      const refused = { code: "refused_by_service", message: null, requestId: null, fields: {}, atMs: 1 } as const;
      await origin(world, 1, { workItem: { generation: 2, observedGeneration: 2, state: "blocked", reason: refused } });
      expect(await steps(world)).toEqual(["finished", "connect", "confirm", "save"]);
      expect((await setup(world))!.places).toMatchObject([{ saved: "before", attention: "yours" }]);
      const waiting = await createWorld({ policies: { carriers: [] } });
      await origin(waiting, 1, { workItem: { generation: 2, dueAtMs: waiting.clock.nowMs() } });
      await connection(waiting, { state: "invalid" });
      expect((await setup(waiting))!.places).toMatchObject([{ saved: "before", attention: "yours", state: "waiting" }]);
    });

    test.each([
      ["somebody deletes the address in the account", { missingSinceMs: 1 }, true, 0],
      ["the owner has to confirm the address once more", {}, false, 1],
    ])("stay done when %s", async (_what, link, confirmed, saved) => {
      const world = await createWorld({ policies: { carriers: [] } });
      await origin(world, 1, { confirmed });
      await world.store.links.update({ shop: SHOP }, link);
      expect(await steps(world)).toEqual(["finished", "connect", "confirm", "save"]);
      expect((await setup(world))!.counts).toEqual({ confirmed: 1, saved, total: 1 });
    });

    test("ask for the connection again when it breaks, and keep what is done", async () => {
      const world = await createWorld({ policies: { carriers: [] } });
      await origin(world, 1);
      for (const state of ["invalid", "unconfirmed"] as const) {
        await connection(world, { state });
        expect(await steps(world)).toEqual(["connect", "confirm", "save"]);
        expect((await setup(world))!.connection).toMatchObject({ state });
      }
    });

    test("take nothing away that somebody may be typing when the book is to be read again", async () => {
      const world = await createWorld({ policies: { carriers: ["fedex"] } });
      await origin(world, 1);
      await origin(world, 2, { confirmed: false, link: null });
      await connection(world, { bookReadAtMs: null });
      expect((await setup(world))!.step).toBe("confirm");
    });

    test("are put away for good", async () => {
      const world = await createWorld({ connected: false });
      await dismissGuide(world.services, { shop: SHOP, dismissed: true });
      expect(await setup(world)).toBeNull();
      expect(await readHome(world.services, { shop: OTHER })).toBeNull();
    });
  });
});

describe("the shell", () => {
  const health = async (world: World) => (await readShell(world.services, { shop: SHOP }))!.connection.health;

  test("says in a word what the connection needs", async () => {
    const world = await createWorld();
    expect(await health(world)).toBe("ready");
    await world.store.connections.update({ id: "connection-1" }, { failures: 1, lastFaultKind: "timeout" });
    expect((await readShell(world.services, { shop: SHOP }))!.connection).toMatchObject({
      health: "failing",
      fault: { kind: "timeout" },
    });
    for (const [state, word] of [
      ["invalid", "invalid"],
      ["unconfirmed", "unconfirmed"],
      ["disconnected", "none"],
    ] as const) {
      await world.store.connections.update({ id: "connection-1" }, { state });
      expect(await health(world)).toBe(word);
    }
  });

  test("says with which words the service refused the credentials", async () => {
    const world = await createWorld();
    const { version } = (await world.store.connections.find({ id: "connection-1" }))!;
    const refusal = { connectionId: "connection-1", version, serviceMessage: "cliente desconocido", requestId: "r-1" };
    await createTokenStore(world.services).markInvalid(refusal);
    expect((await readShell(world.services, { shop: SHOP }))!.connection).toMatchObject({
      health: "invalid",
      fault: { kind: "invalid_client", serviceMessage: "cliente desconocido" },
    });
  });

  test("counts the locations that wait for a review, and only those", async () => {
    const world = await createWorld();
    await origin(world, 1);
    await origin(world, 2, { confirmed: false, link: null });
    await world.store.locations.insert(
      locationRecord({ ...shopifyLocation(3, { fulfillsOnlineOrders: false }), shop: SHOP }),
    );
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(4, { isActive: false }), shop: SHOP }));
    expect((await readShell(world.services, { shop: SHOP }))!.toReview).toBe(1);
  });

  test("knows no shop that is gone", async () => {
    const world = await createWorld();
    await world.store.shops.update({ shop: SHOP }, { uninstalledAtMs: world.clock.nowMs() });
    expect(await readShell(world.services, { shop: SHOP })).toBeNull();
    expect(await readShell(world.services, { shop: OTHER })).toBeNull();
  });
});

describe("settings", () => {
  const settings = (over: Partial<ShopSettings> = {}): ShopSettings => ({
    language: null,
    policies: { ...DEFAULT_POLICIES, verifyAfterChange: false },
    contact: CONTACT,
    ...over,
  });

  test("hold no secret, no token and no whole client id", async () => {
    const world = await createWorld();
    await world.store.connections.update({ id: "connection-1" }, { tokenObtainedAtMs: 1, tokenExpiresAtMs: 2 });
    const text = JSON.stringify(await readSettings(world.services, { shop: SHOP }));
    for (const secret of ["client-secret-1", "access-token", "refresh-token", '"client-1"'])
      expect(text).not.toContain(secret);
    expect(text).toContain("cl…");
  });

  test("say whose list of postal codes is in use", async () => {
    const world = await createWorld();
    const shown = async () => (await readSettings(world.services, { shop: SHOP }))!.postalCodes;
    expect(await shown()).toBeNull();
    await world.store.postalCodes.replace({ source: "geonames", importedAtMs: 5, codes: [postalFacts()] });
    expect(await shown()).toMatchObject({ source: "geonames", importedAtMs: 5, codes: 1, settlements: 1 });
  });

  test("are saved, told in the activity field by field, and every origin is looked at again", async () => {
    const world = await createWorld();
    const after = settings({ contact: { ...CONTACT, name: "  Luz  ", phone: "33 3615 0000" }, language: "es-MX" });
    expect(await saveSettings(world.services, { shop: SHOP, revision: 0, settings: after })).toEqual({
      kind: "saved",
      revision: 1,
    });
    expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ contact: { name: "Luz" }, language: "es-MX" });
    expect((await world.store.activity.find({ shop: SHOP, kind: "settings_saved" }))!.fields).toEqual([
      { field: "language", from: null, to: "es-MX" },
      { field: "name", from: "Ana Pérez", to: "Luz" },
      { field: "phone", from: null, to: "33 3615 0000" },
    ]);
    expect((await world.workItem("reconcile", "shop")).generation).toBe(1);
  });

  test("of the language alone wake nothing", async () => {
    const world = await createWorld();
    await saveSettings(world.services, { shop: SHOP, revision: 0, settings: settings({ language: "en" }) });
    expect(await world.store.workItems.count({ shop: SHOP })).toBe(0);
  });

  test("that are malformed are refused beside their field; a doubtful RFC is not", async () => {
    const world = await createWorld();
    const wrong = settings({ contact: { ...CONTACT, email: "malo", phone: "12" } });
    const outcome = await saveSettings(world.services, { shop: SHOP, revision: 0, settings: wrong });
    expect(outcome).toMatchObject({ kind: "invalid", problems: [{ field: "phone" }, { field: "email" }] });
    const doubtful = settings({ contact: { ...CONTACT, rfc: "ABC010203AB1" } });
    expect(await saveSettings(world.services, { shop: SHOP, revision: 0, settings: doubtful })).toMatchObject({
      kind: "saved",
    });
  });

  test("of the second of two people are told, and change nothing", async () => {
    const world = await createWorld();
    await saveSettings(world.services, { shop: SHOP, revision: 0, settings: settings({ language: "en" }) });
    const second = { shop: SHOP, revision: 0, settings: settings({ language: "es-MX" }) };
    expect(await saveSettings(world.services, second)).toEqual({ kind: "stale" });
    expect((await world.store.shops.find({ shop: SHOP }))!.language).toBe("en");
    expect(await saveSettings(world.services, { ...second, shop: OTHER })).toEqual({ kind: "not_found" });
  });
});

describe("activity", () => {
  test("comes newest first, a page at a time, as the filters say, and only the shop's own", async () => {
    const world = await createWorld();
    await world.store.shops.insert(shopRecord({ shop: OTHER }));
    for (let index = 0; index < 60; index++) {
      const actor = index % 2 ? "sync" : "owner";
      await world.store.activity.insert(
        activityRecord({
          id: `a-${index}`,
          atMs: index,
          actor,
          outcome: index < 3 ? "failed" : "done",
          locationId: null,
        }),
      );
    }
    await world.store.activity.insert(activityRecord({ id: "other", shop: OTHER, atMs: 99 }));
    const read = async (query: Partial<ActivityQuery>) =>
      (await readActivity(world.services, { shop: SHOP, query: { ...EVERYTHING, ...query } }))!;
    const first = await read({});
    expect(first).toMatchObject({ total: 60, pages: 3 });
    expect(first.entries[0]!.id).toBe("a-59");
    expect((await read({ page: 3 })).entries.at(-1)!.id).toBe("a-0");
    expect((await read({ page: 99 })).query.page).toBe(3);
    expect((await read({ actor: "sync", outcome: "failed" })).entries.map(({ id }) => id)).toEqual(["a-1"]);
  });

  test("shows what was noted of a template with its location", async () => {
    const world = await createWorld();
    await origin(world, 1);
    await world.store.activity.insert(
      activityRecord({
        id: "v",
        kind: "verification_accepted",
        locationId: null,
        locationName: null,
        templateId: "template-1",
      }),
    );
    const view = await readActivity(world.services, { shop: SHOP, query: EVERYTHING });
    expect(view!.entries).toMatchObject([{ legacyId: "1", locationName: "Bodega 1" }]);
  });
});
