import type { Services } from "../ports.ts";

/** Puts the first steps away for good, or brings them back. */
export async function dismissGuide(
  { store, clock }: Pick<Services, "store" | "clock">,
  { shop, dismissed }: { shop: string; dismissed: boolean },
): Promise<void> {
  await store.shops.update({ shop }, { guideDismissedAtMs: dismissed ? clock.nowMs() : null });
}
