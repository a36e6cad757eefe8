import { MERIDA, MONTERREY, NO_PHONE, places, ROMA, TLAQUEPAQUE } from "./places.ts";
import type { State } from "./state.ts";

/** States in which something beside the addresses themselves does not come through, or what was asked for ended otherwise. */

export const FAILING_STATES: Record<string, State> = {
  "flow-failing": {
    is: "Shopify takes nothing for a workflow of Flow that tells of refused addresses",
    locations: places(6),
    from: "saved",
    about: ROMA,
    async bring(store) {
      await store.useTrigger("origin-refused");
      store.failFlow();
      store.carrierSays(ROMA, "dhl", "rejected");
      await store.lookAgain();
      const isTold = async () => (await store.home()).troubles.some(({ trouble }) => trouble === "flow");
      await store.until("the event that Flow does not take", isTold);
    },
  },
  "job-running": {
    is: "a bulk action runs, and the service asks for a pause",
    locations: places(6),
    from: "saved",
    about: ROMA,
    async bring(store) {
      store.askForPatience();
      await store.startForAll("sync");
      await store.until("the pause", async () => (await store.home()).queue.pausedUntilMs !== null);
    },
  },
  "job-failed": {
    is: "a bulk action has ended: the service refused two addresses, one location is paused",
    locations: places(6),
    from: "saved",
    about: TLAQUEPAQUE,
    async bring(store) {
      await store.ask(MERIDA, { intent: "pause" });
      for (const name of [TLAQUEPAQUE, MONTERREY]) {
        store.serviceRefuses(name, { phone: [NO_PHONE] });
        store.moveTo(name, { phone: "+52 33 3615 0000" });
        await store.until("the refusal", async () => (await store.origin(name)).refusal !== null);
      }
      await store.startForAll("sync");
      await store.until("the end of the bulk action", async () => (await store.job())?.state === "done");
    },
  },
  "rows-unreadable": {
    is: "the account's list shows one address bare, and counts one that it does not show",
    locations: places(6),
    from: "saved",
    about: MONTERREY,
    async bring(store) {
      store.showBare(MONTERREY);
      store.hideOne();
      await store.lookAgain();
      await store.until("the row", async () => (await store.origin(MONTERREY)).unreadable !== null);
    },
  },
  "taken-back": {
    is: "a location was included again before the deletion of its address went through",
    locations: places(6),
    from: "saved",
    about: TLAQUEPAQUE,
    async bring(store) {
      const goOn = store.stallDeletions();
      await store.ask(TLAQUEPAQUE, { intent: "delete", draftId: crypto.randomUUID() });
      await store.ask(TLAQUEPAQUE, { intent: "include" });
      goOn();
      await store.untilState(TLAQUEPAQUE, (state) => state === "ready");
    },
  },
};
