import { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";

/** Shopify's sessions, which outlive a process. */
export interface Sessions {
  storage: Pick<SessionStorage, "loadSession" | "storeSession">;
  keep(session: Session): void;
  /** Forgotten by the app, or lost by nobody's fault. */
  drop(shop: string): void;
  has(shop: string): boolean;
}

export function createSessions(): Sessions {
  const kept = new Map<string, Session>();
  const keep = (session: Session) => void kept.set(session.id, session);
  return {
    storage: {
      async loadSession(id) {
        const found = kept.get(id);
        return found && new Session(found.toObject());
      },
      async storeSession(session) {
        keep(session);
        return true;
      },
    },
    keep,
    drop: (shop) => void kept.delete(`offline_${shop}`),
    has: (shop) => kept.has(`offline_${shop}`),
  };
}
