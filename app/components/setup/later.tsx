import { createElement, useEffect, useSyncExternalStore } from "react";
import type { ComponentType, ReactNode } from "react";

/** How long after a script did not come it is asked for again, in milliseconds: the app may be restarting. */
const AGAIN_MS = 3_000;

/**
 * A part of a page whose script a browser fetches only where the part is shown, or soon will be. The server has it from its start. What a
 * document shows must be here before React takes it over: its route says so with `handle` (`PartsHandle`).
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | null = null;
  let coming: Promise<void> | null = null;
  const listeners = new Set<() => void>();

  /** Asks for the script once, and again after it did not come. Never fails: the part is shown once it is here. */
  const fetch = (): Promise<void> => {
    coming ??= load()
      .then((loaded) => {
        part = loaded;
        for (const listener of listeners) listener();
      })
      .catch(() => void (coming = null));
    return coming;
  };
  if (typeof document === "undefined") void fetch();

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const isHere = () => part !== null;

  /** `meanwhile`: what stands in its place until the script has come. */
  function Later({ meanwhile, ...props }: Props & { meanwhile: ReactNode }) {
    const here = useSyncExternalStore(subscribe, isHere, isHere);
    useEffect(() => {
      if (here) return;
      void fetch();
      const timer = setInterval(() => void fetch(), AGAIN_MS);
      return () => clearInterval(timer);
    }, [here]);
    return part === null ? meanwhile : createElement(part, props as unknown as Props);
  }
  return Object.assign(Later, { fetch });
}

/** What a route exports as `handle` where its document may show a part that comes later. */
export interface PartsHandle {
  /** Fetches the parts that the route shows of the data its loader answered. */
  parts(data: unknown): Promise<void>;
}

/** Fetches what the document shows; nothing where a route could not be read. */
export async function partsOf(
  modules: Record<string, { handle?: unknown } | undefined>,
  loaderData: Record<string, unknown> | null | undefined,
): Promise<void> {
  const shown = Object.entries(modules).map(async ([id, one]) => {
    const data = loaderData?.[id];
    if (data != null) await (one?.handle as PartsHandle | undefined)?.parts(data);
  });
  await Promise.all(shown);
}
