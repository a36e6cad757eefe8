import type { SoakShop, SoakWorld } from "../world.ts";

/** Something a person does; it may take its time, and nobody minds if it fails. */
export type Action = (world: SoakWorld, shop: SoakShop) => void | Promise<void>;

export type Weighted = readonly (readonly [weight: number, deed: Action])[];

/** One of them, by weight, in a store drawn by its size. */
export async function doOne(world: SoakWorld, deeds: Weighted): Promise<void> {
  const { random, shops, diary } = world;
  const shop = random.pick(shops.flatMap((each) => Array.from({ length: each.locations }, () => each)));
  const total = deeds.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  const [, deed] = deeds.find(([weight]) => (left -= weight) < 0) ?? deeds[0]!;
  try {
    await deed(world, shop);
    diary.count(`act: ${deed.name}`);
  } catch (error) {
    // The app was dead, or Shopify would not let the person in.
    diary.count(`act in vain: ${deed.name}`);
    diary.note(shop.handle, `${deed.name} failed: ${(error as Error).message.slice(0, 160)}`);
  }
}
