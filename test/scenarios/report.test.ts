import { expect, test } from "vitest";
import { readReport } from "../../app/pages/read-report.ts";
import type { ReportQuery } from "../../app/pages/read-report.ts";
import { MOST_LINES } from "../../app/views/report.ts";
import { activityRecord, linkRecord, locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";

const OTHER = "other.myshopify.com";
const NO_DAYS: ReportQuery = { from: null, to: null };
const at = (text: string) => Date.parse(text);

async function shop() {
  const world = await createWorld();
  for (const number of [1, 2])
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  await world.store.shops.update({ shop: SHOP }, { timeZone: "America/Mexico_City" });
  const note = (over: Parameters<typeof activityRecord>[0]) => world.store.activity.insert(activityRecord(over));
  const read = (query = NO_DAYS, of = SHOP) =>
    readReport(world.services, { shop: of, locationId: locationGid(1), query });
  return { world, note, read };
}

test("a report has what was noted of the location and of its template, the first line first, and nothing else", async () => {
  const { world, note, read } = await shop();
  const days = { from: "2026-11-20", to: "2026-11-21" };
  await world.store.links.insert(linkRecord({ locationId: locationGid(1), templateId: "template-1" }));
  const own = { locationId: locationGid(1), templateId: null };
  const noon = at("2026-11-20T18:00:00Z");
  await note({ ...own, id: "c", atMs: noon + 2, kind: "details_saved", actor: "owner", staffId: "7" });
  await note({ ...own, id: "a", atMs: noon, kind: "template_created", requestId: "r-1", templateId: "template-1" });
  await note({ id: "b", atMs: noon + 1, kind: "verification_refused", templateId: "template-1", locationId: null });
  await note({ id: "anothers", atMs: noon, templateId: "template-2", locationId: null });
  await note({ id: "elsewhere", atMs: noon, locationId: locationGid(2) });
  // Midnight is the store's.
  await note({ ...own, id: "before", atMs: at("2026-11-20T05:59:59Z") });
  await note({ ...own, id: "first", atMs: at("2026-11-20T06:00:00Z") });
  await note({ ...own, id: "last", atMs: at("2026-11-22T05:59:59Z") });
  await note({ ...own, id: "after", atMs: at("2026-11-22T06:00:00Z") });
  const view = (await read(days))!;
  expect(view.entries.map(({ id }) => id)).toEqual(["first", "a", "b", "c", "last"]);
  expect(view).toMatchObject({ ...days, total: 5, name: "Bodega 1", templateIds: ["template-1"] });
  expect(view.entries[1]).toMatchObject({ requestId: "r-1", isYours: false });
});

test("without days, or with days that are none, it has the last thirty", async () => {
  const { world, read } = await shop();
  const today = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Mexico_City" }).format(world.clock.nowMs());
  const usual = await read();
  expect(usual!.to).toBe(today);
  expect(Date.parse(usual!.to) - Date.parse(usual!.from)).toBe(30 * 86_400_000);
  expect(await read({ from: "2026-02-31", to: "2026-13-01" })).toMatchObject({ from: usual!.from, to: today });
});

test("more lines than a report holds are counted, and the latest are shown", async () => {
  const { note, read } = await shop();
  const beginsMs = at("2026-11-20T18:00:00Z");
  for (let index = 0; index <= MOST_LINES; index += 1)
    await note({ id: `line-${index}`, locationId: locationGid(1), atMs: beginsMs + index });
  const view = (await read({ from: "2026-11-20", to: "2026-11-20" }))!;
  expect(view.total).toBe(MOST_LINES + 1);
  expect(view.entries).toHaveLength(MOST_LINES);
  expect(view.entries.at(-1)!.id).toBe(`line-${MOST_LINES}`);
  expect(view.entries[0]!.id).toBe("line-1");
});

test("of one environment's account it names no template of the other's", async () => {
  const { world, read } = await shop();
  await world.store.connections.update({ shop: SHOP }, { environment: "production" });
  for (const environment of ["test", "production"] as const) {
    const own = { id: environment, environment, connectionId: environment, locationId: locationGid(1) };
    await world.store.links.insert(linkRecord({ ...own, templateId: `${environment}'s` }));
  }
  expect(await read()).toMatchObject({ templateIds: ["production's"] });
});

test("another shop's location has none", async () => {
  const { read } = await shop();
  expect(await read(NO_DAYS, OTHER)).toBeNull();
});
