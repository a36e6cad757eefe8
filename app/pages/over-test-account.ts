import type { Services } from "../ports.ts";

/**
 * Whether the shop works with its test account. Order pages are about production's (decision 99), and one that was open before asks still:
 * nothing is asked or synced for it in another account than the one it shows.
 */
export async function isOverTestAccount({ store }: Pick<Services, "store">, shop: string): Promise<boolean> {
  return (await store.connections.count({ shop, current: true, environment: "test" })) > 0;
}
