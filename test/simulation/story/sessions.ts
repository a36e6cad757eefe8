import type { Session } from "@shopify/shopify-api";
import type { RenewableSessions } from "../../../app/adapters/shopify/offline-client.ts";
import { sessionsIn } from "../../fakes/sessions.ts";

/** Shopify's sessions, which outlive a process. */
export interface Sessions {
  storage: RenewableSessions;
  keep(session: Session): void;
  /** The app has forgotten the session, or it was lost by nobody's fault. */
  drop(shop: string): void;
  has(shop: string): boolean;
}

export function createSessions(): Sessions {
  const kept = new Map<string, Session>();
  return {
    storage: sessionsIn(kept),
    keep: (session) => void kept.set(session.id, session),
    drop: (shop) => void kept.delete(`offline_${shop}`),
    has: (shop) => kept.has(`offline_${shop}`),
  };
}
