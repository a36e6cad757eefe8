import { expect, test } from "vitest";
import { LOCATIONS_PAGE_SIZE } from "../../../app/adapters/shopify/queries.ts";
import { flowEventRecord } from "../../fakes/records.ts";
import type { StandIn } from "./stand-in.ts";

const DATED_WITHIN_MS = 60_000;

/** What the port says of a shop. */
export function adminContract(now: () => StandIn): void {
  const of = <T>(ask: (shopify: StandIn["shopify"], shop: string) => Promise<T>) =>
    now().run(ask(now().shopify, now().shop));
  const locations = () => of((shopify, shop) => shopify.locations(shop));
  const location = (id: string) => of((shopify, shop) => shopify.location(shop, id));
  const standing = () => of((shopify, shop) => shopify.standing(shop));

  test("a shop without locations has none", async () => {
    expect(await locations()).toEqual([]);
  });

  test("all locations come, inactive ones too, each as it says by itself", async () => {
    const ids = [
      await now().put({ name: "Bodega Norte", isActive: true }),
      await now().put({ name: "Bodega Sur", isActive: false }),
    ];
    const found = await locations();
    expect(found.map(({ locationId }) => locationId).toSorted()).toEqual(ids.toSorted());
    expect(found.find(({ name }) => name === "Bodega Sur")!.isActive).toBe(false);
    for (const one of found) expect(await location(one.locationId)).toEqual(one);
  });

  test("each says when it changed last, to the second at least, in a list as well as by itself", async () => {
    const id = await now().put({ name: "Bodega", isActive: true });
    const [listed] = await locations();
    const atMs = now().nowMs();
    expect(Math.abs(listed!.shopifyAtMs - atMs)).toBeLessThan(DATED_WITHIN_MS);
    expect((await location(id))!.shopifyAtMs).toBe(listed!.shopifyAtMs);
  });

  test("more than a page of them come, each once", async () => {
    const names = Array.from({ length: LOCATIONS_PAGE_SIZE * 2 + 1 }, (_, n) => `Bodega ${String(n).padStart(3, "0")}`);
    for (const name of names) await now().put({ name, isActive: true });
    const found = await locations();
    expect(found.map(({ name }) => name).toSorted()).toEqual(names);
  });

  test("a location that was deleted, or never was, is null", async () => {
    const id = await now().put({ name: "Bodega", isActive: true });
    await now().remove(id);
    expect(await location(id)).toBeNull();
    expect(await location("gid://shopify/Location/999")).toBeNull();
    expect(await locations()).toEqual([]);
  });

  test("a shop says its time zone, and the scopes that its owner granted", async () => {
    const { timeZone } = await of((shopify, shop) => shopify.shopDetails(shop));
    expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
    expect(await of((shopify, shop) => shopify.grantedScopes(shop))).toEqual(["read_locations"]);
  });

  test("a shop that removed the app refuses, until it is back", async () => {
    await now().put({ name: "Bodega", isActive: true });
    expect(await standing()).toEqual({ kind: "installed" });
    await now().uninstall();
    expect(await standing()).toEqual({ kind: "refused" });
    await expect(locations()).rejects.toMatchObject({ kind: "shopify_refused", effect: "none" });
    await now().comeBack();
    expect(await standing()).toEqual({ kind: "installed" });
    expect(await locations()).toHaveLength(1);
  });

  test("a shop that has not paid is frozen, until it has", async () => {
    await now().put({ name: "Bodega", isActive: true });
    await now().freeze(true);
    expect(await standing()).toEqual({ kind: "frozen" });
    await expect(locations()).rejects.toMatchObject({ kind: "shopify_frozen", effect: "none" });
    await now().freeze(false);
    expect(await standing()).toEqual({ kind: "installed" });
    expect(await locations()).toHaveLength(1);
  });

  test("Flow takes an event of a trigger, as often as it comes", async () => {
    const event = flowEventRecord({ shop: now().shop });
    for (const _time of [1, 2])
      expect(await of((shopify, shop) => shopify.tellFlow(shop, event))).toEqual({ kind: "taken" });
    expect(now().told()).toEqual(Array(2).fill({ trigger: event.trigger, id: event.id }));
  });

  test("a shop that removed the app has no workflow to begin", async () => {
    await now().uninstall();
    const told = of((shopify, shop) => shopify.tellFlow(shop, flowEventRecord({ shop })));
    await expect(told).rejects.toMatchObject({ kind: "shopify_refused" });
    expect(now().told()).toEqual([]);
  });

  test("what came out is the caller's: changing it changes nothing inside", async () => {
    const id = await now().put({ name: "Bodega", isActive: true });
    (await location(id))!.address.city = "Otra";
    expect((await location(id))!.address.city).not.toBe("Otra");
  });
}
