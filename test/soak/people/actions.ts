import type { SoakShop, SoakWorld } from "../world.ts";

/** Something that a person does. It may take its time, and its failure does not matter. */
export type Action = (world: SoakWorld, shop: SoakShop) => void | Promise<void>;

export type Weighted = readonly (readonly [weight: number, action: Action])[];

/** Does one action, chosen by weight, in a shop chosen by its size. */
export async function doOne(world: SoakWorld, actions: Weighted): Promise<void> {
  const { random, shops, diary } = world;
  const shop = random.pick(shops.flatMap((each) => Array.from({ length: each.locations }, () => each)));
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.next() * total;
  const [, action] = actions.find(([weight]) => (left -= weight) < 0) ?? actions[0]!;
  try {
    await action(world, shop);
    diary.count(`act: ${action.name}`);
  } catch (error) {
    // The app was down, or Shopify did not let the person in.
    diary.count(`act in vain: ${action.name}`);
    diary.note(shop.handle, `${action.name} failed: ${(error as Error).message.slice(0, 160)}`);
  }
}
