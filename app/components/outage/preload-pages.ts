/**
 * Has the browser fetch the scripts of all pages while it has nothing else to do. What is pressed while the app is away, or after it was
 * replaced by a release without these scripts, then needs none.
 */
export function preloadPages(): void {
  const { routes } = window.__remixManifest;
  const scripts = new Set(Object.values(routes).flatMap(({ module, imports = [] }) => [module, ...imports]));
  const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, IDLE_AFTER_MS));
  whenIdle(() => {
    for (const href of scripts) {
      const link = Object.assign(document.createElement("link"), { rel: "modulepreload", href });
      document.head.append(link);
    }
  });
}

/** Where a browser does not tell when it is idle, in milliseconds. */
const IDLE_AFTER_MS = 2_000;
