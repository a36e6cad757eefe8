import { describe, expect, test } from "vitest";
import { SPLIT_FIELDS } from "../../app/domain/address/form-fields.ts";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import type { ReviewedRow } from "../../app/jobs/confirm-row.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrigins } from "../../app/pages/read-origins.ts";
import { readReview } from "../../app/pages/read-review.ts";
import { refreshAddressBook } from "../../app/book/refresh-address-book.ts";
import { excludeOrigin } from "../../app/origins/exclude-origin.ts";
import { FEW, startJob } from "../../app/jobs/start-job.ts";
import { ALL_ORIGINS } from "../../app/views/origins.ts";
import type { OriginsQuery } from "../../app/views/origins.ts";
import type { ReviewView } from "../../app/views/review.ts";
import { requestVerification } from "../../app/verification/request-verification.ts";
import { claimWorkItem } from "../../app/runs/claim.ts";
import { NO_CONTACT, SHOP, linkRecord, locationGid, locationRecord } from "../fakes/records.ts";
import { postalFacts } from "../fakes/postal-codes.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { versionOf } from "../../app/domain/plan/template-version.ts";

/**
 * Jobs over many origins, and Review's confirmation.
 *
 * Long, because Review makes jobs, and both use the locations and the helpers of one stage.
 */

const ALL = ALL_ORIGINS;

async function confirmedOrigins(world: World, count: number) {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    ids.push(await world.addLocation(number));
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  }
  return ids;
}

async function newLocations(world: World, count: number) {
  for (let number = 1; number <= count; number += 1) {
    const location = shopifyLocation(number);
    world.shopify.put(SHOP, location);
    await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  }
}

/** In Shopify, and read since: it is not sent yet. */
async function changeStreet(world: World, locationId: string) {
  const address = mexicanAddress({ street: "Avenida Juárez" });
  await world.store.locations.update({ shop: SHOP, locationId }, { address });
}

const sync = (world: World, locationIds: string[]) =>
  startJob(world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds });

describe("a bulk job", () => {
  test("tells what is done, what failed and the time left, and ends by itself", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 4);
    await world.store.details.update({ locationId: ids[3]! }, { contact: { ...NO_CONTACT, email: "nobody" } });
    expect(await sync(world, ids)).toMatchObject({ kind: "started", count: 4, skipped: 0 });
    const begun = (await readJob(world.services, { shop: SHOP }))!;
    expect(begun).toMatchObject({ state: "running", total: 4, waiting: 4, done: 0 });
    expect(begun.leftMs).toBeGreaterThan(0);
    world.start();
    await world.runFor();
    const ended = (await readJob(world.services, { shop: SHOP, jobId: begun.id }))!;
    expect(ended).toMatchObject({ state: "done", done: 3, failed: 1, waiting: 0, leftMs: null });
    expect(ended.failures).toMatchObject([{ locationId: ids[3], name: "Bodega 4", reason: "incomplete" }]);
  });

  test("runs one at a time", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 2);
    await sync(world, ids);
    expect(await sync(world, ids)).toMatchObject({ kind: "busy" });
    world.start();
    await world.runFor();
    expect(await sync(world, ids)).toMatchObject({ kind: "started" });
  });

  test("cancelled, leaves alone what it has not begun and what it alone asked for", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 3);
    const worker = world.start();
    await world.runFor();
    await world.clock.runWhile(worker.stop());
    await changeStreet(world, ids[1]!);
    await world.requestWork("location", ids[0]!);
    const started = await sync(world, ids);
    const jobId = started.kind === "started" ? started.jobId : "";
    expect(await cancelJob(world.services, { shop: SHOP, jobId })).toBe("cancelled");
    // Somebody else asked for the first: that goes on, and is told.
    const counts = { state: "cancelled", cancelled: 2, waiting: 1, returned: 0 };
    expect(await readJob(world.services, { shop: SHOP, jobId })).toMatchObject(counts);
    const workItems = await Promise.all(ids.map((id) => world.workItem("location", id)));
    const runs = await Promise.all(
      workItems.map(({ id }) => claimWorkItem(world.services, { workItemId: id, shop: SHOP, owner: "somebody" })),
    );
    expect(runs.map((run) => run !== null)).toEqual([true, false, false]);
    // What is not in step is still wanted: the list must not call it ready.
    const rows = (await readOrigins(world.services, { shop: SHOP, query: ALL }))!.rows;
    expect(rows.map(({ state }) => state).slice(1)).toEqual(["waiting", "unverified"]);
  });

  test("that has ended is told no more once something that it synced is to be saved again, or cannot be", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 3);
    world.start();
    await sync(world, ids.slice(0, 2));
    await world.runFor();
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ state: "done", done: 2 });
    await world.requestWork("location", ids[2]!);
    expect(await readJob(world.services, { shop: SHOP }), "another origin").toMatchObject({ done: 2 });
    await world.runFor(1_000);
    const later = await world.requestWork("location", ids[0]!);
    expect(await readJob(world.services, { shop: SHOP }), "to be saved again").toBeNull();
    await world.runFor();
    expect(await readJob(world.services, { shop: SHOP }), "and saved").toMatchObject({ done: 2 });
    const updatedAtMs = world.clock.nowMs();
    await world.store.workItems.update({ id: later.workItemId }, { state: "blocked", updatedAtMs });
    expect(await readJob(world.services, { shop: SHOP }), "refused").toBeNull();
  });

  test("that nobody looked at is not told either, where something that it synced cannot be saved since", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 2);
    world.start();
    await sync(world, ids);
    await world.runFor();
    // Somebody looked while only the first had ended, and left.
    await world.store.jobItems.update({ shop: SHOP, locationId: ids[0]! }, { state: "done" });
    const { id } = await world.workItem("location", ids[0]!);
    await world.store.workItems.update({ id, shop: SHOP }, { state: "blocked", updatedAtMs: world.clock.nowMs() });
    await world.runFor(60_000);
    expect(await readJob(world.services, { shop: SHOP }), "the look that ends it").toBeNull();
    expect(await readJob(world.services, { shop: SHOP }), "the next one").toBeNull();
  });

  test("that has ended is not told in Review, which has not begun it", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 2);
    world.start();
    await sync(world, ids);
    const job = async () => (await readReview(world.services, { shop: SHOP }))!.job;
    expect(await job()).toMatchObject({ state: "running" });
    await world.runFor();
    expect(await job()).toBeNull();
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ state: "done", done: 2 });
  });

  test("that cannot go on says why, and so does Home, until it does", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, FEW + 5);
    const { transaction } = world.store;
    const { jobId } = (await sync(world, ids)) as { jobId: string };
    const isOfJob = { shop: SHOP, kind: "job", key: jobId } as const;
    // Whatever the job's own run writes in is refused; the end of the run is written.
    world.store.transaction = (shop, work) =>
      transaction.call(world.store, shop, (tables) =>
        work({ ...tables, jobs: { ...tables.jobs, count: () => Promise.reject(new Error("the disk is full")) } }),
      ) as never;
    world.start();
    await world.runFor(15 * 60_000);
    expect((await readHome(world.services, { shop: SHOP }))!.troubles).toMatchObject([
      { trouble: "job", count: 1, failure: { code: "internal" } },
    ]);
    expect((await readJob(world.services, { shop: SHOP }))!.failure).toMatchObject({ code: "internal" });
    world.store.transaction = transaction;
    await world.runFor(30 * 60_000);
    expect((await readHome(world.services, { shop: SHOP }))!.troubles).toEqual([]);
    expect(await readJob(world.services, { shop: SHOP, jobId })).toMatchObject({ state: "done", failure: null });
    expect(await world.store.workItems.count(isOfJob)).toBe(0);
  });

  test("pressed twice at once is one", async () => {
    const world = await createWorld();
    const ids = await confirmedOrigins(world, 2);
    const [first, second] = await Promise.all([sync(world, ids), sync(world, ids)]);
    expect([first.kind, second.kind].sort()).toEqual(["busy", "started"]);
    expect(await world.store.jobs.count({ shop: SHOP })).toBe(1);
  });

  test("a verification asks the shop's carriers, of origins that have a template", async () => {
    const world = await createWorld({ policies: { carriers: ["fedex"] } });
    const ids = await confirmedOrigins(world, 2);
    await world.store.details.update({ locationId: ids[1]! }, { confirmedAtMs: null });
    world.start();
    await sync(world, [ids[0]!]);
    await world.runFor();
    await readJob(world.services, { shop: SHOP });
    const started = await startJob(world.services, { shop: SHOP, kind: "verify", carriers: null, locationIds: ids });
    expect(started).toMatchObject({ kind: "started", count: 1, skipped: 1 });
    await world.runFor(5_000);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ kind: "verify", state: "done", done: 1 });
  });

  test("cancelled before it asked, a verification never asks", async () => {
    const world = await createWorld({ policies: { carriers: ["fedex"] } });
    const ids = await confirmedOrigins(world, 1);
    const worker = world.start();
    await sync(world, ids);
    await world.runFor();
    await readJob(world.services, { shop: SHOP });
    await worker.stop();
    world.calls.length = 0;
    const started = await startJob(world.services, { shop: SHOP, kind: "verify", carriers: null, locationIds: ids });
    await cancelJob(world.services, { shop: SHOP, jobId: started.kind === "started" ? started.jobId : "" });
    world.start();
    await world.runFor(3_600_000);
    expect(world.calls).not.toContain("verify");
    expect((await readOrigins(world.services, { shop: SHOP, query: ALL }))!.rows[0]!.standings[0]!.outcome).toBe(
      "not_asked",
    );
  });

  test("cancelled before it asked again, a verification never asks, and may be asked for once more", async () => {
    const world = await createWorld({ policies: { carriers: ["fedex"] } });
    const ids = await confirmedOrigins(world, 1);
    const worker = world.start();
    await sync(world, ids);
    await world.runFor();
    await readJob(world.services, { shop: SHOP });
    const verify = { shop: SHOP, kind: "verify" as const, carriers: null, locationIds: ids };
    await startJob(world.services, verify);
    await world.runFor(5_000);
    await readJob(world.services, { shop: SHOP });
    await worker.stop();
    // The carrier said yes, so that what it said stands while it is asked again.
    await world.store.verifications.update({ shop: SHOP }, { outcome: "accepted", question: null, nextPollAtMs: null });
    await world.clock.runFor(3_600_000);
    world.calls.length = 0;
    const started = await startJob(world.services, verify);
    expect((await world.store.verifications.find({ shop: SHOP }))!.question).toBe("wanted");
    await cancelJob(world.services, { shop: SHOP, jobId: started.kind === "started" ? started.jobId : "" });
    expect(await world.store.verifications.find({ shop: SHOP })).toMatchObject({ outcome: "accepted", question: null });
    world.start();
    await world.runFor(12 * 3_600_000);
    expect(world.calls).not.toContain("verify");
    expect(await startJob(world.services, verify)).toMatchObject({ kind: "started" });
    await world.runFor(5_000);
    expect(world.calls).toContain("verify");
  });

  test("cancelled, a verification leaves alone what the origin's own page had asked for before", async () => {
    const world = await createWorld({ policies: { carriers: ["fedex"] } });
    const ids = await confirmedOrigins(world, 1);
    const worker = world.start();
    await sync(world, ids);
    await world.runFor();
    await readJob(world.services, { shop: SHOP });
    await worker.stop();
    world.calls.length = 0;
    const { templateId } = (await world.store.links.find({ shop: SHOP }))!;
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    const verify = { shop: SHOP, kind: "verify" as const, carriers: null, locationIds: ids };
    const started = await startJob(world.services, verify);
    await cancelJob(world.services, { shop: SHOP, jobId: started.kind === "started" ? started.jobId : "" });
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ waiting: 1, cancelled: 0 });
    world.start();
    await world.runFor(5_000);
    expect(world.calls).toContain("verify");
  });

  test("another shop's job is not found", async () => {
    const world = await createWorld();
    const started = await sync(world, await confirmedOrigins(world, 1));
    const jobId = started.kind === "started" ? started.jobId : "";
    expect(await readJob(world.services, { shop: "two.myshopify.com", jobId })).toBeNull();
    expect(await cancelJob(world.services, { shop: "two.myshopify.com", jobId })).toBe("not_found");
  });
});

describe("the list of origins", () => {
  test("filters by state and words, sorts, and counts every tab", async () => {
    const world = await createWorld();
    await confirmedOrigins(world, 2);
    const third = shopifyLocation(3, { name: "Almacén Ñuñoa", isFulfillmentService: true });
    await world.store.locations.insert(locationRecord({ ...third, shop: SHOP }));
    const read = async (query: Partial<OriginsQuery>) =>
      (await readOrigins(world.services, { shop: SHOP, query: { ...ALL, ...query } }))!;
    expect((await read({})).counts).toEqual({ all: 3, needs_you: 0, under_way: 2, ready: 0, not_included: 1 });
    expect((await read({ search: "almacen nunoa" })).rows.map(({ name }) => name)).toEqual(["Almacén Ñuñoa"]);
    expect((await read({ search: "vallarta 102" })).rows.map(({ name }) => name)).toEqual(["Bodega 2"]);
    expect((await read({ tab: "not_included" })).rows).toHaveLength(1);
    expect((await read({ descending: true })).rows.map(({ name }) => name)).toEqual([
      "Bodega 2",
      "Bodega 1",
      "Almacén Ñuñoa",
    ]);
    expect((await read({ page: 99 })).query.page).toBe(1);
  });
});

/** What the page sends when nobody typed. */
function asShown(view: ReviewView): ReviewedRow[] {
  return view.rows.map(({ locationId, revision, readFrom, cells, proposals }) => ({
    locationId,
    revision,
    readFrom,
    contact: {},
    split: Object.fromEntries(SPLIT_FIELDS.map((field) => [field, cells[field].value || null])) as ReviewedRow["split"],
    templateId: proposals[0]?.templateId ?? null,
    templateVersion: proposals[0]?.version ?? null,
  }));
}

describe("review", () => {
  test("fills the shop's contact once, confirms the rows and syncs them as one job", async () => {
    const world = await createWorld();
    await world.store.shops.update({ shop: SHOP }, { contact: NO_CONTACT });
    await newLocations(world, 3);
    const view = (await readReview(world.services, { shop: SHOP }))!;
    expect(view.rows).toHaveLength(3);
    const rows = asShown(view);
    const outcome = await confirmReview(world.services, {
      shop: SHOP,
      contact: CONTACT,
      contactRevision: view.contactRevision,
      rows,
    });
    expect(outcome).toMatchObject({ kind: "confirmed", count: 3, refused: [] });
    world.start();
    await world.runFor();
    expect(world.account.templates.size).toBe(3);
    const after = (await readReview(world.services, { shop: SHOP }))!;
    expect(after).toMatchObject({ rows: [], confirmed: 3, contact: CONTACT, job: { state: "done", done: 3 } });
  });

  test("a list that was imported since fills in what it settles, for the owner to confirm", async () => {
    const world = await createWorld();
    const address = { ...shopifyLocation(1).address, address2: "Grupo Ánfora, Americana", city: null };
    world.shopify.put(SHOP, shopifyLocation(1, { address }));
    await world.requestWork("reconcile", "shop");
    world.start();
    await world.runFor();
    const cells = async () => (await readReview(world.services, { shop: SHOP }))!.rows[0]!.cells;
    expect((await cells()).area_level2).toMatchObject({ value: "", problem: "missing" });
    expect((await cells()).area_level3).toMatchObject({ value: "Americana", confidence: "unsure" });
    const settlements = [{ name: "Americana", kind: "Colonia" }];
    const facts = postalFacts({
      code: "44160",
      state: "Jalisco",
      municipality: "Guadalajara",
      city: null,
      settlements,
    });
    await world.store.postalCodes.replace({ source: "table", importedAtMs: 5, codes: [facts] });
    expect((await cells()).area_level2).toMatchObject({ value: "Guadalajara", confidence: "unsure" });
    expect((await cells()).area_level3).toMatchObject({ value: "Americana", confidence: "unsure" });
    expect((await world.store.locations.find({ shop: SHOP }))!.postal).toBeNull();
    expect(world.account.templates.size).toBe(0);
    const rows = asShown((await readReview(world.services, { shop: SHOP }))!);
    await confirmReview(world.services, { shop: SHOP, contact: CONTACT, contactRevision: 0, rows });
    await world.runFor();
    expect([...world.account.templates.values()].map((each) => each.address.area_level2)).toEqual(["Guadalajara"]);
  });

  /** Reviews one location; `meanwhile` happens between its confirmation and the storing of its item in a job. */
  async function reviewOne(meanwhile: (world: World, locationId: string) => Promise<void>) {
    const world = await createWorld();
    await newLocations(world, 1);
    world.start();
    const view = (await readReview(world.services, { shop: SHOP }))!;
    const rows = asShown(view);
    const { store } = world;
    const find: typeof store.jobs.find = async (where) => {
      await meanwhile(world, rows[0]!.locationId);
      return store.jobs.find(where);
    };
    const services = { ...world.services, store: { ...store, jobs: { ...store.jobs, find } } };
    const request = { shop: SHOP, contact: CONTACT, contactRevision: view.contactRevision, rows };
    const outcome = await world.clock.runWhile(confirmReview(services, request));
    expect(outcome).toMatchObject({ kind: "confirmed", count: 1 });
    await world.runFor(60_000);
    return { world, job: (await readJob(world.services, { shop: SHOP }))! };
  }

  test("a row that is excluded before its run, which ends before the job knows of it, is told as skipped", async () => {
    const { world, job } = await reviewOne(async ({ services, clock }, locationId) => {
      await excludeOrigin(services, { shop: SHOP, locationId });
      services.wake();
      await clock.sleep(10_000);
    });
    expect(world.account.templates.size).toBe(0);
    expect(job).toMatchObject({ state: "done", done: 0, skipped: 1, skips: [{ reason: "excluded", count: 1 }] });
    expect(await world.store.activity.count({ shop: SHOP, kind: "sync_skipped" })).toBe(1);
  });

  test("a row that is excluded after its run has synced it is done", async () => {
    const { world, job } = await reviewOne(async ({ services, clock }, locationId) => {
      services.wake();
      await clock.sleep(10_000);
      await excludeOrigin(services, { shop: SHOP, locationId });
    });
    expect(world.account.templates.size).toBe(1);
    expect(job).toMatchObject({ state: "done", done: 1, skipped: 0 });
  });

  test("confirms and syncs although another job still runs", async () => {
    const world = await createWorld();
    await newLocations(world, 2);
    const view = (await readReview(world.services, { shop: SHOP }))!;
    const confirm = (rows: ReviewedRow[]) =>
      confirmReview(world.services, { shop: SHOP, contact: CONTACT, contactRevision: view.contactRevision, rows });
    const [first, second] = asShown(view);
    await confirm([first!]);
    expect(await confirm([second!])).toMatchObject({ kind: "confirmed", count: 1 });
    world.start();
    await world.runFor();
    expect(world.account.templates.size).toBe(2);
    expect((await readReview(world.services, { shop: SHOP }))!.job, "Review's own").toMatchObject({ done: 2 });
    const told = await world.store.activity.list({ shop: SHOP, kind: { in: ["job_sync", "job_confirm"] } });
    expect(told).toMatchObject([{ kind: "job_confirm", actor: "owner", detail: "1" }]);
  });

  test("shows the progress of its own rows, and not that of a verification that runs meanwhile", async () => {
    const world = await createWorld();
    const linked = await world.addLocation(9);
    const worker = world.start();
    await world.runFor();
    await world.clock.runWhile(worker.stop());
    const verify = { shop: SHOP, kind: "verify" as const, carriers: ["fedex"], locationIds: [linked] };
    expect(await startJob(world.services, verify)).toMatchObject({ kind: "started" });
    await newLocations(world, 1);
    const view = (await readReview(world.services, { shop: SHOP }))!;
    expect(view.job).toBeNull();
    const { contactRevision } = view;
    const said = { shop: SHOP, contact: CONTACT, contactRevision, rows: asShown(view) };
    expect(await confirmReview(world.services, said)).toMatchObject({ kind: "confirmed", count: 1, jobId: null });
    expect((await readReview(world.services, { shop: SHOP }))!.job).toBeNull();
    world.start();
    await world.runFor();
    expect(world.account.templates.size).toBe(2);
  });

  test("a row that is refused stops no other", async () => {
    const world = await createWorld();
    await newLocations(world, 2);
    const view = (await readReview(world.services, { shop: SHOP }))!;
    await world.store.locations.update(
      { locationId: view.rows[0]!.locationId },
      { address: mexicanAddress({ street: "Calle Nueva" }) },
    );
    const input = { shop: SHOP, contact: CONTACT, contactRevision: view.contactRevision, rows: asShown(view) };
    const outcome = await confirmReview(world.services, input);
    expect(outcome).toMatchObject({
      kind: "confirmed",
      count: 1,
      refused: [{ locationId: view.rows[0]!.locationId, refusal: { kind: "moved" } }],
    });
  });

  test("a row whose template was taken meanwhile stays to be confirmed: nothing is made in its place", async () => {
    const world = await createWorld();
    await newLocations(world, 1);
    const template = world.account.byPerson.add({
      alias_name: "Mi bodega",
      address_type: "from",
      address_attributes: { street1: "Otra", postal_code: "44160", country_code: "MX", name: "Pedro" },
    });
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const view = (await readReview(world.services, { shop: SHOP }))!;
    const rows = asShown(view).map((row) => ({
      ...row,
      templateId: template.id,
      templateVersion: versionOf(template),
    }));
    await world.store.links.insert(linkRecord({ locationId: locationGid(9), templateId: template.id }));
    const input = { shop: SHOP, contact: CONTACT, contactRevision: view.contactRevision, rows };
    expect(await confirmReview(world.services, input)).toMatchObject({
      count: 0,
      refused: [{ refusal: { kind: "taken" } }],
    });
    world.start();
    await world.runFor(8 * 3_600_000);
    expect(world.calls).not.toContain("create");
    expect((await readReview(world.services, { shop: SHOP }))!.rows).toHaveLength(1);
  });

  test("a contact that is malformed, or changed by somebody else, stops all", async () => {
    const world = await createWorld();
    await newLocations(world, 1);
    const view = (await readReview(world.services, { shop: SHOP }))!;
    const confirm = (contact: typeof CONTACT, contactRevision: number) =>
      confirmReview(world.services, { shop: SHOP, contact, contactRevision, rows: asShown(view) });
    expect(await confirm({ ...CONTACT, email: "nobody" }, view.contactRevision)).toMatchObject({
      kind: "contact_invalid",
    });
    expect(await confirm({ ...CONTACT, name: "Luz" }, view.contactRevision + 1)).toEqual({ kind: "contact_stale" });
    expect((await readReview(world.services, { shop: SHOP }))!.rows).toHaveLength(1);
  });

  test("links a template that is the location already, though its details are not complete", async () => {
    const world = await createWorld();
    await world.store.shops.update({ shop: SHOP }, { contact: NO_CONTACT });
    await newLocations(world, 1);
    const template = world.account.byPerson.add({
      alias_name: "Mi bodega",
      address_type: "from",
      address_attributes: {
        ...{ street1: "Avenida Vallarta", street_number: "101", postal_code: "44160", area_level1: "Jalisco" },
        ...{ area_level2: "Guadalajara", area_level3: "Americana", country_code: "MX", name: "Pedro" },
      },
    });
    await world.clock.runWhile(refreshAddressBook(world.services, { shop: SHOP, force: true }));
    const view = (await readReview(world.services, { shop: SHOP }))!;
    expect(view.rows[0]!.proposals.map(({ templateId, how }) => [templateId, how])).toEqual([[template.id, "equal"]]);
    await confirmReview(world.services, {
      shop: SHOP,
      contact: CONTACT,
      contactRevision: view.contactRevision,
      rows: asShown(view),
    });
    world.start();
    await world.runFor();
    expect([...world.account.templates.keys()]).toEqual([template.id]);
  });
});
