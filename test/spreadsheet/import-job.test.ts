import { describe, expect, test } from "vitest";
import { cancelJob } from "../../app/jobs/cancel-job.ts";
import { readJob } from "../../app/jobs/read-job.ts";
import { startJob } from "../../app/jobs/start-job.ts";
import { workFor } from "../fakes/by-hand.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { importShop } from "./import-shop.ts";

describe("once the owner confirms", () => {
  async function changed(many: number) {
    const shop = await importShop();
    for (let number = 1; number <= many; number += 1) await shop.put(number);
    const file = await shop.edited((row) => (row.Phone = "'+52 55 1234 5678"));
    const { shown } = await shop.read(file);
    return { ...shop, file, shown };
  }
  const phones = async ({ world }: Awaited<ReturnType<typeof importShop>>) =>
    (await world.store.details.list({ shop: SHOP })).map(({ contact }) => contact.phone);

  test.each([3, 40])("one job writes %i origins and saves them in the account", async (many) => {
    const shop = await changed(many);
    expect(await shop.confirm(shop.file, shop.shown)).toEqual({ kind: "started", count: many });
    await workFor(shop.world, 120_000);
    expect(new Set(await phones(shop))).toEqual(new Set(["+52 55 1234 5678"]));
    const job = await readJob(shop.world.services, { shop: SHOP });
    expect(job).toMatchObject({ kind: "import", state: "done", total: many, done: many, failed: 0 });
    expect(shop.world.templateOf(locationGid(1))?.address.phone).toContain("5512345678");
    const items = await shop.world.store.jobItems.list({ shop: SHOP });
    expect(items.map(({ stated }) => stated)).toEqual(items.map(() => null));
    const kinds = (await shop.world.store.activity.list({ shop: SHOP })).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "job_import")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "details_saved")).toHaveLength(many);
  });

  test("what changed since it was shown is shown anew, and nothing is written", async () => {
    const shop = await changed(2);
    await shop.world.store.details.update({ shop: SHOP, locationId: locationGid(1) }, { revision: 7 });
    const answer = await shop.confirm(shop.file, shop.shown);
    expect(answer).toMatchObject({ kind: "differs", read: { kind: "read" } });
    expect(await shop.world.store.jobs.list({ shop: SHOP })).toEqual([]);
    const { read } = answer as Extract<typeof answer, { kind: "differs" }>;
    const again = (read as { shown: string }).shown;
    expect(again).not.toBe(shop.shown);
    expect(await shop.confirm(shop.file, again)).toMatchObject({ kind: "started", count: 2 });
  });

  test("a row whose origin changes after that is passed over, named and noted; the others are written", async () => {
    const shop = await changed(40);
    expect(await shop.confirm(shop.file, shop.shown)).toMatchObject({ kind: "started" });
    const late = locationGid(9);
    await shop.world.store.details.update({ shop: SHOP, locationId: late }, { revision: 7 });
    await workFor(shop.world, 120_000);
    const job = await readJob(shop.world.services, { shop: SHOP });
    expect(job).toMatchObject({ done: 39, failed: 1, failures: [{ locationId: late, reason: "stale" }] });
    const [noted] = await shop.world.store.activity.list({ shop: SHOP, kind: "import_refused" });
    expect(noted).toMatchObject({ locationId: late, outcome: "failed", detail: "stale" });
  });

  test("a cancel leaves unwritten what was not begun", async () => {
    const shop = await changed(40);
    const hold = await shop.confirm(shop.file, shop.shown);
    expect(hold.kind).toBe("started");
    const [job] = await shop.world.store.jobs.list({ shop: SHOP });
    await cancelJob(shop.world.services, { shop: SHOP, jobId: job!.id });
    await workFor(shop.world, 120_000);
    const view = (await readJob(shop.world.services, { shop: SHOP, jobId: job!.id }))!;
    expect(view.state).toBe("cancelled");
    expect(view.cancelled).toBeGreaterThan(0);
    const unwritten = (await phones(shop)).filter((phone) => phone === null);
    expect(unwritten.length).toBeGreaterThan(0);
    const left = await shop.world.store.jobItems.list({ shop: SHOP });
    expect(left.filter(({ stated }) => stated !== null)).toEqual([]);
  });

  test("while another job runs nothing is written", async () => {
    const shop = await changed(20);
    const locationIds = (await shop.world.store.locations.list({ shop: SHOP })).map(({ locationId }) => locationId);
    await startJob(shop.world.services, { shop: SHOP, kind: "sync", carriers: null, locationIds });
    const before = await phones(shop);
    expect(await shop.confirm(shop.file, shop.shown)).toEqual({ kind: "busy" });
    expect(await phones(shop)).toEqual(before);
  });
});
