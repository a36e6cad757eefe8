import { expect, test } from "vitest";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { confirmReview } from "../../app/jobs/confirm-review.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { saveOriginDetails } from "../../app/origins/save-origin-details.ts";
import { addressText } from "../../app/domain/address/text.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { CONTACT, createWorld, shopifyLocation } from "../fakes/world.ts";
import { FAILS, MINUTE_MS } from "../scenarios/worker/stuck-stage.ts";
import { importShop } from "../spreadsheet/import-shop.ts";

/** A cancel takes back what its job did, and nothing that was said before or after it. */

const SPLIT = {
  street1: "Avenida Vallarta",
  street_number: "101",
  apartment_number: null,
  area_level3: "Americana",
  area_level2: "Guadalajara",
  reference: null,
};

const ROW = { contact: {}, split: SPLIT, templateId: null, templateVersion: null };

/** A location that nobody has confirmed, in a shop whose book cannot be read yet, so that nothing is made. */
async function unconfirmed() {
  const world = await createWorld();
  const location = shopifyLocation(1);
  const { locationId } = location;
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  world.outcomeOf = (operation) => (operation === "create" ? FAILS : PROMPT);
  await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
  const row = { ...ROW, locationId, readFrom: addressText(location.address) };
  const details = async () => (await world.store.details.find({ shop: SHOP, locationId }))!;
  const stated = async (reference: string | null = null) => ({
    ...row,
    revision: (await world.store.details.find({ shop: SHOP, locationId }))?.revision ?? 0,
    split: { ...SPLIT, reference },
  });
  const review = async (more: { templateId?: string } = {}) => {
    const contactRevision = (await world.store.shops.find({ shop: SHOP }))!.revision;
    const rows = [{ ...(await stated()), ...more }];
    const confirmed = await confirmReview(world.services, { shop: SHOP, contact: CONTACT, contactRevision, rows });
    return confirmed.kind === "confirmed" ? confirmed.jobId! : "";
  };
  const cancel = (jobId: string) => cancelJob(world.services, { shop: SHOP, jobId });
  return { world, locationId, details, stated, review, cancel };
}

test("a cancelled import leaves origins confirmed that were confirmed before it", async () => {
  const shop = await importShop();
  const { world } = shop;
  for (let number = 1; number <= 3; number += 1) await shop.put(number);
  await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
  // The list is stuck, so their templates wait.
  world.outcomeOf = (operation) => (operation === "list" ? FAILS : PROMPT);
  const worker = world.start();
  for (const number of [1, 2, 3]) await world.requestWork("location", locationGid(number));
  await world.runFor(5 * MINUTE_MS);
  const file = await shop.edited((row) => (row.Phone = "'+52 55 1234 5678"));
  const { shown } = await shop.read(file);
  expect(await shop.confirm(file, shown)).toMatchObject({ kind: "started" });
  await world.runFor(2_000);
  const [job] = await world.store.jobs.list({ shop: SHOP });
  await cancelJob(world.services, { shop: SHOP, jobId: job!.id });
  const details = await world.store.details.list({ shop: SHOP });
  world.outcomeOf = () => PROMPT;
  await world.runFor(60 * MINUTE_MS);
  await world.clock.runWhile(worker.stop());
  expect(details.every(({ confirmedAtMs }) => confirmedAtMs !== null)).toBe(true);
});

test("a cancelled Review leaves what its owner saved on the origin's page since", async () => {
  const { world, details, stated, review, cancel } = await unconfirmed();
  const jobId = await review();
  const saved = saveOriginDetails(world.services, { shop: SHOP, stated: await stated("Portón azul") });
  await world.clock.runWhile(saved);
  await cancel(jobId);
  expect(await details()).toMatchObject({ split: { values: { reference: "Portón azul" } } });
  expect((await details()).confirmedAtMs).not.toBe(null);
  // It is not told as stopped either: what was saved goes on.
  expect(await readJob(world.services, { shop: SHOP, jobId })).toMatchObject({ cancelled: 0, returned: 0, waiting: 1 });
});

test("a cancelled Review that was sent twice is taken back whole", async () => {
  const { world, details, review, cancel } = await unconfirmed();
  const jobId = await review();
  expect(await review()).toBe(jobId);
  await cancel(jobId);
  expect((await details()).confirmedAtMs).toBe(null);
  expect(await readJob(world.services, { shop: SHOP, jobId })).toMatchObject({ cancelled: 1, returned: 1 });
});

test("a cancelled Review leaves a location confirmed that was before, and takes back which template it chose", async () => {
  const { world, locationId, details, stated, review, cancel } = await unconfirmed();
  await world.clock.runWhile(saveOriginDetails(world.services, { shop: SHOP, stated: await stated() }));
  const jobId = await review({ templateId: "create" });
  expect(await details()).toMatchObject({ adoption: "create" });
  await cancel(jobId);
  expect(await details()).toMatchObject({ adoption: "ask" });
  expect((await details()).confirmedAtMs).not.toBe(null);
  const workItem = await world.workItem("location", locationId);
  expect(workItem.generation).toBeGreaterThan(workItem.observedGeneration);
});
