import type { Services } from "../ports.ts";

/** Whether the shop has, or had, any of these locations: what is asked of no location of its own is not done. */
export async function isLocation(
  { store }: Pick<Services, "store">,
  { shop, locationIds }: { shop: string; locationIds: readonly string[] },
): Promise<boolean> {
  const [known] = await store.locations.list({ shop, locationId: { in: [...locationIds] } }, { limit: 1 });
  return known !== undefined;
}
