import { Session } from "@shopify/shopify-api";
import type { RenewableSessions } from "../../app/adapters/shopify/offline-client.ts";

/** Shopify's sessions in memory, by their id. */
export function sessionsIn(kept: Map<string, Session>): RenewableSessions {
  return {
    async loadSession(id) {
      const found = kept.get(id);
      return found && new Session(found.toObject());
    },
    alone: async (_id, _withinMs, work) => ({ done: await work() }),
    async replaceSession(old, fresh) {
      if (kept.get(old.id)?.accessToken !== old.accessToken) return false;
      kept.set(fresh.id, fresh);
      return true;
    },
  };
}
