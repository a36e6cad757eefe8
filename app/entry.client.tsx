import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { loadLanguage, toLanguage } from "./i18n/i18n.ts";

// The server rendered in this language; the same words must be here before React compares.
await loadLanguage(toLanguage(document.documentElement.lang));

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
