import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { holdPages } from "./components/outage/hold-pages.ts";
import { partsOf } from "./components/setup/later.tsx";
import { loadLanguage, nameService, toLanguage } from "./i18n/i18n.ts";

// The server rendered in this language, and the parts that come later; the same must be here before React compares.
nameService(document.documentElement.dataset.service ?? null);
await Promise.all([
  loadLanguage(toLanguage(document.documentElement.lang)),
  partsOf(window.__remixRouteModules, window.__remixContext.state.loaderData),
]);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Pages />
    </StrictMode>,
  );
});

let isHeld = false;

function Pages() {
  useEffect(() => {
    if (isHeld) return;
    isHeld = true;
    holdPages(window.__remixRouter);
  }, []);
  return <RemixBrowser />;
}
