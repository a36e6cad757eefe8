import { recordActivity } from "../../app/activity/record-activity.ts";
import { chunksOf } from "../../app/domain/chunks.ts";
import type { Services } from "../../app/ports.ts";
import { requestWork } from "../../app/runs/request-work.ts";

/** What an operator may ask of the app in an owner's place. Each change and its line for the owner are one transaction. */
export const CHANGES = ["look-again", "pause", "resume", "unblock"] as const;
export type Change = (typeof CHANGES)[number];

type Needs = Pick<Services, "store" | "clock" | "random">;

/** A sentence on what was asked; null where there is no such shop. */
export async function changeShop(
  services: Needs,
  { shop, change }: { shop: string; change: Change },
): Promise<string | null> {
  if (change === "unblock") return unblock(services, shop);
  if (change === "look-again") return lookAgain(services, shop);
  return setSync(services, { shop, syncOn: change === "resume" });
}

function lookAgain(services: Needs, shop: string): Promise<string | null> {
  return services.store.transaction(shop, async (tables) => {
    if (!(await tables.shops.find({ shop }))) return null;
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    return "All locations and the address book are looked at again.";
  });
}

/** The owner finds it in the settings, and in the activity as support's. A look at everything follows, as after any change there. */
function setSync(services: Needs, { shop, syncOn }: { shop: string; syncOn: boolean }): Promise<string | null> {
  return services.store.transaction(shop, async (tables) => {
    const record = await tables.shops.find({ shop });
    if (!record) return null;
    const { policies, revision } = record;
    if (policies.syncOn === syncOn) return syncOn ? "It was not paused." : "It was paused already.";
    await tables.shops.update({ shop }, { policies: { ...policies, syncOn }, revision: revision + 1 });
    const fields = [{ field: "syncOn", from: String(!syncOn), to: String(syncOn) }];
    const line = { shop, actor: "support", kind: "settings_saved", outcome: "done", fields } as const;
    await recordActivity(services, tables, line);
    await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
    return syncOn ? "It is synced again." : "Nothing of it is synced until you say resume, or its owner does.";
  });
}

/** How many one transaction asks for. The app beside waits for this command's transactions, and a shop can have thousands that are stopped. */
const ASKED_AT_ONCE = 40;

/** Work that failed for good, or waits for a person, is tried once more. Where the cause is still there, it stops again and says so. */
async function unblock(services: Needs, shop: string): Promise<string | null> {
  const { store } = services;
  if (!(await store.shops.find({ shop }))) return null;
  const stopped = await store.workItems.list({ shop, state: { in: ["parked", "blocked"] } });
  for (const some of chunksOf(stopped, ASKED_AT_ONCE))
    await store.transaction(shop, async (tables) => {
      for (const { kind, key } of some) await requestWork(services, tables, { shop, kind, key });
    });
  return stopped.length === 0 ? "Nothing was parked or blocked." : `Tried again: ${stopped.length}.`;
}
