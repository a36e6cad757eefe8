import { createContext, useCallback, useContext, useState } from "react";
import type { ReactNode } from "react";

const AnnounceContext = createContext<(message: string) => void>(() => undefined);

/** Tells something to a screen reader without moving the focus: `const announce = useAnnounce(); announce(t("synced"))`. */
export const useAnnounce = () => useContext(AnnounceContext);

export function Announcer({ children }: { children: ReactNode }) {
  const [spoken, setSpoken] = useState({ message: "", turn: 0 });
  const announce = useCallback((message: string) => setSpoken(({ turn }) => ({ message, turn: turn + 1 })), []);
  return (
    <AnnounceContext.Provider value={announce}>
      {children}
      <div role="status" aria-live="polite" className="origen-visually-hidden">
        <span key={spoken.turn}>{spoken.message}</span>
      </div>
    </AnnounceContext.Provider>
  );
}
