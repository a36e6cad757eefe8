import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addressText } from "../../app/domain/address/text.ts";
import { legacyIdOf } from "../../app/domain/location-id.ts";
import type { AddressTemplate, TemplateDraft } from "../../app/domain/records.ts";
import type { Services, Tables } from "../../app/ports.ts";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { confirmAccount } from "../../app/account/confirm-account.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import { connectAccount } from "../../app/account/connect-account.ts";
import { createAnyway } from "../../app/origins/create-anyway.ts";
import { deleteOriginTemplate } from "../../app/origins/delete-origin-template.ts";
import { draftIdOf } from "../../app/by-hand/draft-id.ts";
import { disconnectAccount } from "../../app/account/disconnect-account.ts";
import { dismissGuide } from "../../app/shop/dismiss-guide.ts";
import { excludeOrigin } from "../../app/origins/exclude-origin.ts";
import { finishDetails } from "../../app/pages/finish-details.ts";
import { includeOrigin } from "../../app/origins/include-origin.ts";
import { introspectToken } from "../../app/account/introspect-token.ts";
import { isLocation } from "../../app/origins/is-location.ts";
import { knownShop } from "../../app/readings/known-shop.ts";
import { linkOrigin } from "../../app/origins/link-origin.ts";
import { makeAgain } from "../../app/origins/make-again.ts";
import { pauseOrigin } from "../../app/origins/pause-origin.ts";
import { previewSync } from "../../app/sync/preview-sync.ts";
import { readActivity } from "../../app/pages/read-activity.ts";
import { readAddressBook } from "../../app/pages/read-address-book.ts";
import { readLinkPreview } from "../../app/pages/read-link-preview.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import { readOriginFacts } from "../../app/readings/read-origin-facts.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { readOrigins } from "../../app/pages/read-origins.ts";
import { readPostalCode } from "../../app/pages/read-postal-code.ts";
import { readMove } from "../../app/pages/read-move.ts";
import { cancelMove, changeDay, makeComingAgain, planMove, pressMove } from "../../app/moves/change-move.ts";
import { settleHeld } from "../../app/moves/settle-held.ts";
import { placeIn } from "../../app/domain/address/place.ts";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import { readReport } from "../../app/pages/read-report.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { readSettings } from "../../app/pages/read-settings.ts";
import { probeWhileSeen } from "../../app/pages/probe-while-seen.ts";
import { readRevision } from "../../app/pages/read-revision.ts";
import { readShell } from "../../app/pages/read-shell.ts";
import { readTemplate } from "../../app/pages/read-template.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { refreshConnection } from "../../app/pages/refresh-connection.ts";
import { refreshOrigin } from "../../app/origins/refresh-origin.ts";
import { removeTemplate } from "../../app/origins/remove-template.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { saveOriginDetails } from "../../app/origins/save-origin-details.ts";
import { saveSettings } from "../../app/shop/save-settings.ts";
import { changeByHand } from "../../app/origins/change-by-hand.ts";
import { saveTemplate } from "../../app/by-hand/save-template.ts";
import { resolveDifference } from "../../app/origins/resolve-difference.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { submitDraft } from "../../app/by-hand/submit-draft.ts";
import { switchEnvironment } from "../../app/account/switch-environment.ts";
import { syncOrigin } from "../../app/origins/sync-origin.ts";
import { takeBackExclusion } from "../../app/origins/take-back-exclusion.ts";
import { testCredentials } from "../../app/account/test-credentials.ts";
import { exportActivity } from "../../app/spreadsheet/export-activity.ts";
import { exportOrigins } from "../../app/spreadsheet/export-origins.ts";
import { importDetails } from "../../app/spreadsheet/import-details.ts";
import { unlinkOrigin } from "../../app/origins/unlink-origin.ts";
import { useTrigger } from "../../app/triggers/use-trigger.ts";
import { verifyForFlow } from "../../app/flow/verify-for-flow.ts";
import { verifyOrigin } from "../../app/origins/verify-origin.ts";
import { verifyTemplate } from "../../app/verification/verify-template.ts";
import { welcomeShop } from "../../app/shop/welcome-shop.ts";
import { newTemplate } from "../../app/domain/new-records.ts";
import {
  connectionRecord,
  jobItemRecord,
  jobRecord,
  linkRecord,
  NO_CONTACT,
  shopRecord,
  SHOP,
  verificationRecord,
} from "../fakes/records.ts";
import { createFakeAccount } from "../fakes/shipping/account.ts";
import { CONTACT, createWorld } from "../fakes/world.ts";
import { textOf } from "../spreadsheet/sheets.ts";
import type { World } from "../fakes/world.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import { ALL_ACTIVITY } from "../../app/views/activity.ts";

/**
 * No shop can read or change what another has, by any id that it can name. Nor does it change what its own other account has, which is on hold.
 *
 * Long, because one table holds everything that can be reached, and the last test compares it with what the routes call.
 */

/** The owner of `INTRUDER` names everything that is `SHOP`'s. */
const INTRUDER = "intruder.myshopify.com";
const PLANTED = "CANARIO";

interface Theirs {
  locationId: string;
  templateId: string;
  template: AddressTemplate;
  draftId: string;
  jobId: string;
  workItemId: string;
  readFrom: string;
}

const shop = INTRUDER;
const draft: TemplateDraft = { alias_name: "Robado", address_type: "from", address_attributes: { name: "Robado" } };
const split = {
  street1: "Robada",
  street_number: "1",
  apartment_number: null,
  area_level2: "Robada",
  area_level3: "Robada",
  reference: null,
};
const stated = { environment: "test" as const, clientId: null, clientSecret: null, scope: null, redirectUri: null };

/** Everything that a person or Shopify can reach, with the other shop's ids. */
const ATTEMPTS: Record<string, (services: Services, theirs: Theirs) => Promise<unknown>> = {
  "cancel-job": (services, { jobId }) => cancelJob(services, { shop, jobId }),
  "change-by-hand": async (services, { templateId, template, draftId }) => {
    const id = await draftIdOf(services, { shop, draftId });
    return changeByHand(services, { shop, draftId: id, templateId, draft, base: template });
  },
  "change-move": async (services, { locationId }) => {
    const own = { shop, locationId };
    const place = placeIn({
      ...NO_ADDRESS,
      ...split,
      postal_code: "06700",
      area_level1: "Ciudad de México",
      country_code: "MX",
    });
    return [
      await planMove(services, { ...own, plan: { place, hour: null, keepFormer: true } }),
      await changeDay(services, { ...own, day: { hour: null, keepFormer: false } }),
      await pressMove(services, { ...own, anyway: true }),
      await makeComingAgain(services, own),
      await cancelMove(services, own),
    ];
  },
  "settle-held": (services, { locationId, readFrom }) =>
    settleHeld(services, { shop, locationId, keep: "shopify", revision: 0, readFrom }),
  "confirm-account": (services) => confirmAccount(services, { shop, same: true }),
  "confirm-review": (services, { locationId, readFrom, templateId }) =>
    confirmReview(services, {
      shop,
      contact: NO_CONTACT,
      contactRevision: 0,
      rows: [{ locationId, revision: 0, readFrom, contact: {}, split, templateId, templateVersion: null }],
    }),
  "connect-account": (services) => connectAccount(services, { shop, stated }),
  "create-anyway": (services, { locationId }) => createAnyway(services, { shop, locationId }),
  "delete-origin-template": (services, { locationId }) =>
    deleteOriginTemplate(services, { shop, locationId, draftId: "new" }),
  "draft-id": async (services, { templateId, template, draftId }) => {
    const id = await draftIdOf(services, { shop, draftId });
    return saveTemplate(services, { shop, draftId: id, templateId, draft, base: template });
  },
  "dismiss-guide": (services) => dismissGuide(services, { shop, dismissed: true }),
  "exclude-origin": (services, { locationId }) => excludeOrigin(services, { shop, locationId }),
  "finish-details": (services, { locationId, readFrom }) =>
    finishDetails(services, { shop, finished: { locationId, revision: 0, readFrom, values: {} } }),
  "include-origin": (services, { locationId }) => includeOrigin(services, { shop, locationId }),
  "introspect-token": (services) => introspectToken(services, { shop }),
  "is-location": (services, { locationId }) => isLocation(services, { shop, locationIds: [locationId] }),
  "known-shop": (services) => knownShop(services, { shop }),
  "link-origin": (services, { locationId, templateId }) =>
    linkOrigin(services, { shop, locationId, templateId, templateVersion: null }),
  "make-again": (services, { locationId }) => makeAgain(services, { shop, locationId }),
  "pause-origin": (services, { locationId }) =>
    pauseOrigin(services, { shop, locationIds: [locationId], paused: true }),
  "preview-sync": (services, { locationId }) => previewSync(services, { shop, locationIds: [locationId] }),
  "read-activity": (services, { locationId }) =>
    readActivity(services, { shop, query: { ...ALL_ACTIVITY, locationId } }),
  "read-address-book": (services) => readAddressBook(services, { shop, query: { tab: "all", search: "", page: 1 } }),
  "read-link-preview": (services, { locationId, templateId }) =>
    readLinkPreview(services, { shop, locationId, templateId }),
  "read-home": (services) => readHome(services, { shop }),
  "read-job": (services, { jobId }) => readJob(services, { shop, jobId }),
  "read-order-origins": (services, { locationId }) => readOrderOrigins(services, { shop, locationIds: [locationId] }),
  "read-origin": (services, { locationId }) => readOrigin(services, { shop, locationId }),
  "read-origin-facts": (services, { locationId }) => readOriginFacts(services, { shop, locationId }),
  "read-origins": (services) =>
    readOrigins(services, {
      shop,
      query: ALL_ORIGINS,
    }),
  "read-postal-code": (services) => readPostalCode(services, { code: "06700" }),
  "export-activity": async (services, { locationId }) =>
    textOf(await exportActivity(services, { shop, query: { ...ALL_ACTIVITY, locationId }, language: "en" })),
  "export-origins": async (services, { locationId }) =>
    textOf(await exportOrigins(services, { shop, query: { ...ALL_ORIGINS, locations: [locationId] }, language: "en" })),
  "import-details": (services, { locationId }) =>
    importDetails(services, {
      shop,
      file: Buffer.from(`Location id,Reference\r\n${locationId},Portón\r\n`),
      shown: null,
      spend: () => undefined,
    }),
  "read-move": (services, { locationId }) => readMove(services, { shop, locationId }),
  "read-report": (services, { locationId }) =>
    readReport(services, { shop, locationId, query: { from: null, to: null } }),
  "read-review": (services) => readReview(services, { shop }),
  "read-settings": (services) => readSettings(services, { shop }),
  "probe-while-seen": (services) => probeWhileSeen(services, { shop }),
  "read-revision": (services) => readRevision(services, { shop }),
  "read-shell": (services) => readShell(services, { shop }),
  "read-template": (services, { templateId }) => readTemplate(services, { shop, templateId }),
  "receive-webhook": async (services, { locationId }) => {
    for (const topic of ["locations/update", "locations/delete", "app/uninstalled", "customers/redact"]) {
      await receiveWebhook(services, {
        shop,
        topic,
        webhookId: topic,
        payload: { id: Number(legacyIdOf(locationId)), shop_domain: shop },
      });
    }
  },
  "refresh-address-book": (services) => refreshAddressBook(services, { shop, force: true }),
  "refresh-connection": (services) => refreshConnection(services, { shop }),
  "refresh-origin": (services, { locationId }) => refreshOrigin(services, { shop, locationId }),
  "remove-template": (services, { templateId }) => removeTemplate(services, { shop, draftId: "new", templateId }),
  "request-verification": (services, { templateId }) =>
    requestVerification(services, { shop, templateId, carriers: ["fedex"] }),
  "run-now": (services, { workItemId }) => runNow(services, { shop, workItemId, generation: 1 }),
  "save-origin-details": (services, { locationId, readFrom }) =>
    saveOriginDetails(services, {
      shop,
      stated: { locationId, revision: 0, readFrom, contact: { name: "Robado" }, split },
    }),
  "save-settings": async (services) => {
    const record = (await services.store.shops.find({ shop }))!;
    return saveSettings(services, {
      shop,
      revision: record.revision,
      settings: { policies: record.policies, contact: record.contact, language: null } as never,
    });
  },
  "save-template": (services, { templateId, template, draftId }) =>
    saveTemplate(services, {
      shop,
      draftId,
      templateId,
      draft: { ...draft, address_attributes: { ...template.address, name: "Robado" } },
      base: template,
    }),
  "resolve-difference": (services, { locationId }) =>
    resolveDifference(services, { shop, locationId, choices: [{ field: "name", choice: "ours", theirs: null }] }),
  "start-job": (services, { locationId }) =>
    startJob(services, { shop, kind: "sync", carriers: ["fedex"], locationIds: [locationId] }),
  "submit-draft": async (services, { templateId, template }) => {
    for (const operation of ["update", "delete"] as const) {
      const requested = await submitDraft(services, {
        shop,
        draftId: `by ${operation}`,
        operation,
        templateId,
        draft,
        base: template,
      });
      await runNow(services, { shop, ...requested });
    }
  },
  "switch-environment": (services) => switchEnvironment(services, { shop, environment: "production" }),
  "sync-origin": (services, { locationId }) => syncOrigin(services, { shop, locationId }),
  "take-back-exclusion": (services, { locationId }) => takeBackExclusion(services, { shop, locationId }),
  "test-credentials": (services) => testCredentials(services, { shop, stated }),
  "unlink-origin": (services, { locationId }) => unlinkOrigin(services, { shop, locationId }),
  "use-trigger": (services) =>
    useTrigger(services, { shop, trigger: "origin-refused", isUsed: true, toldMs: services.clock.nowMs() }),
  "verify-for-flow": (services, { locationId }) =>
    verifyForFlow(services, { shop, actionRunId: "run", origin: locationId }),
  "verify-origin": (services, { locationId }) => verifyOrigin(services, { shop, locationId, carriers: ["fedex"] }),
  "verify-template": (services, { templateId }) => verifyTemplate(services, { shop, templateId, carriers: ["fedex"] }),
  "welcome-shop": (services) => welcomeShop(services, { shop }),
  "disconnect-account": (services) => disconnectAccount(services, { shop }),
};

async function twoShops(
  clientId: "client-1" | "client-2",
): Promise<{ world: World; theirs: Theirs; snapshot: () => Promise<unknown> }> {
  const world = await createWorld();
  const { store, clock } = world;
  const locationId = await world.addLocation(1, { name: `${PLANTED} bodega` });
  const requested = await world.requestWork("location", locationId);
  await clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  const template = world.templateOf(locationId)!;
  await store.activity.update({ shop: SHOP }, { detail: `${PLANTED} detalle` });
  await store.jobs.insert(jobRecord());
  await store.jobItems.insert(jobItemRecord({ locationId }));
  const own = await submitDraft(world.services, {
    shop: SHOP,
    draftId: "theirs",
    operation: "create",
    templateId: null,
    draft: { ...draft, alias_name: "Propio" },
    base: null,
  });
  await clock.runWhile(runNow(world.services, { shop: SHOP, ...own }));
  const location = (await store.locations.find({ shop: SHOP, locationId }))!;

  await store.shops.insert(shopRecord({ shop: INTRUDER }));
  const other = createFakeAccount({
    habits: { wipes: false, tidies: false, refuses: [] },
    newId: () => `other-${clock.nowMs()}`,
  });
  if (clientId === "client-2") world.accounts.set("client-2", other);
  await store.connections.insert(connectionRecord({ id: "connection-2", shop: INTRUDER, clientId }));
  await clock.runWhile(refreshAddressBook(world.services, { shop: INTRUDER, force: true }));

  const known = [...world.account.templates.keys()];
  const snapshot = async () => {
    const rows: Record<string, unknown> = { there: known.map((id) => world.account.templates.get(id) ?? null) };
    for (const table of TABLES) rows[table] = await (store[table] as Tables["workItems"]).list({ shop: SHOP });
    return JSON.parse(JSON.stringify(rows)) as unknown;
  };
  const theirs: Theirs = {
    locationId,
    templateId: template.id,
    template,
    draftId: "theirs",
    jobId: "job-1",
    workItemId: requested.workItemId,
    readFrom: addressText(location.address),
  };
  return { world, theirs, snapshot };
}

const TABLES = [
  "shops",
  "connections",
  "locations",
  "details",
  "moves",
  "links",
  "templates",
  "verifications",
  "workItems",
  "pendingWrites",
  "receipts",
  "drafts",
  "activity",
  "jobs",
  "jobItems",
  "flowEvents",
  "flowOrigins",
] as const satisfies readonly (keyof Tables)[];

describe.each(["client-1", "client-2"] as const)("two shops, the other one on %s", (clientId) => {
  test.each(Object.keys(ATTEMPTS))("%s: nothing of the other shop is changed or readable", async (name) => {
    const { world, theirs, snapshot } = await twoShops(clientId);
    const before = await snapshot();
    const answer = await world.clock.runWhile(
      Promise.resolve(ATTEMPTS[name]!(world.services, theirs)).catch((error: unknown) => String(error)),
    );
    for (const { id, generation } of await world.store.workItems.list({ shop: INTRUDER })) {
      await world.clock.runWhile(runNow(world.services, { shop: INTRUDER, workItemId: id, generation }));
    }
    await world.runFor(10_000);
    expect(await snapshot()).toEqual(before);
    // An account that both shops opened is both shops' to read; the other's own records are not.
    const told = JSON.stringify(answer ?? null);
    expect(told).not.toContain(`${PLANTED} tienda`);
    expect(told).not.toContain(`${PLANTED} detalle`);
    if (clientId === "client-2") expect(told).not.toContain(PLANTED);
  });
});

/** What is meant for the account that is on hold. */
const FOR_BOTH = ["disconnect-account", "switch-environment"];

/** A shop whose test account is in use and whose production account is on hold, with a location of its own that is linked in both. */
async function bothEnvironments() {
  const world = await createWorld();
  const { store, clock } = world;
  await store.shops.insert(shopRecord({ shop, contact: CONTACT }));
  const accountOf = (clientId: string) => {
    const habits = { wipes: false, tidies: false, refuses: [] };
    const account = createFakeAccount({ habits, newId: () => `${clientId}-${world.services.random.id()}` });
    world.accounts.set(clientId, account);
    return account;
  };
  const used = accountOf("client-2");
  const frozen = accountOf("client-3");
  const locationId = await world.addLocation(1, {}, shop);
  const read = { bookReadAtMs: clock.nowMs(), bookConfirmedAtMs: clock.nowMs() };
  await store.connections.insert(connectionRecord({ id: "connection-2", shop, clientId: "client-2", ...read }));
  const aside = { environment: "production", state: "aside", current: false } as const;
  await store.connections.insert(connectionRecord({ id: FROZEN, shop, clientId: "client-3", ...aside }));
  const template = frozen.create({ ...draft, alias_name: `${PLANTED} tienda` }, "template-on-hold");
  const one = { shop, connectionId: FROZEN, templateId: template.id };
  await store.links.insert(linkRecord({ id: "link-on-hold", environment: "production", locationId, ...one }));
  await store.templates.insert(newTemplate({ shop, connectionId: FROZEN, template, readAtMs: 0, reading: 0 }));
  await store.verifications.insert(verificationRecord({ ...one, carrier: "fedex", outcome: "refused" }));
  const requested = await world.requestWork("location", locationId, shop);
  await clock.runWhile(runNow(world.services, { shop, ...requested }));
  expect([used.templates.size, frozen.templates.size]).toEqual([1, 1]);
  const location = (await store.locations.find({ shop, locationId }))!;
  const snapshot = async () => {
    const of = { shop, connectionId: FROZEN };
    const rows = await Promise.all([store.links.list(of), store.templates.list(of), store.verifications.list(of)]);
    const connection = await store.connections.find({ id: FROZEN });
    return JSON.parse(JSON.stringify([...rows, connection, [...frozen.templates.values()]])) as unknown;
  };
  const readFrom = addressText(location.address);
  const ids = { draftId: "new", jobId: "none", workItemId: requested.workItemId };
  return { world, snapshot, theirs: { locationId, templateId: template.id, template, readFrom, ...ids } };
}

const FROZEN = "connection-3";

describe("one shop with accounts of test and production", () => {
  const names = Object.keys(ATTEMPTS).filter((name) => !FOR_BOTH.includes(name));
  test.each(names)("%s: nothing of the account on hold is changed, and nobody calls it", async (name) => {
    const { world, theirs, snapshot } = await bothEnvironments();
    const before = await snapshot();
    const answer = await world.clock.runWhile(
      Promise.resolve(ATTEMPTS[name]!(world.services, theirs)).catch((error: unknown) => String(error)),
    );
    for (const { id, generation } of await world.store.workItems.list({ shop }))
      await world.clock.runWhile(runNow(world.services, { shop, workItemId: id, generation }));
    await world.runFor(10_000);
    expect(await snapshot()).toEqual(before);
    expect(world.arrivals.filter(({ clientId }) => clientId === "client-3")).toEqual([]);
    const told = JSON.stringify(answer ?? null);
    expect(told).not.toContain(PLANTED);
    expect(told).not.toContain("template-on-hold");
  });
});

/** They take the shop that signed in, and no id, or what was found for it. */
const PURE = ["open-on-visit", "download", "over-test-account"];

/** What the routes, and what signs in, call of the rooms: each takes a shop, and ids that somebody may have made up. */
test("everything that they can reach is tried", () => {
  const app = join(import.meta.dirname, "../../app");
  const outside = ["routes", "http"].flatMap((folder) =>
    readdirSync(join(app, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sources = [...outside, "shopify.server.ts"]
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(app, file), "utf8"));
  const called = sources.flatMap((source) =>
    [
      ...source.matchAll(
        /^import \{[^}]*\} from "(?:\.\.?\/)+(activity|runs|readings|book|verification|moves|account|shop|sync|by-hand|origins|jobs|pages|spreadsheet|worker|flow|triggers)\/([a-z0-9-]+)\.ts"/gm,
      ),
    ].map((match) => match[2]!),
  );
  expect(called.length).toBeGreaterThan(40);
  expect([...new Set(called)].filter((name) => !(name in ATTEMPTS) && !PURE.includes(name))).toEqual([]);
});
