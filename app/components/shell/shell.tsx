import { useRouteLoaderData } from "@remix-run/react";
import { AppProvider } from "@shopify/shopify-app-remix/react";
import { useState } from "react";
import type { ReactNode } from "react";
import type { Language } from "../../domain/records.ts";
import { DEFAULT_LANGUAGE, languageInstance } from "../../i18n/i18n.ts";
import { Announcer } from "./announcer.tsx";
import { OutageBanner } from "../outage/outage-banner.tsx";
import { ConnectionBanner } from "../above/connection-banner.tsx";
import { Navigation } from "./navigation.tsx";
import { TestEnvironment } from "../above/test-environment.tsx";
import { ShutBanner } from "../above/shut-banner.tsx";
import { ShellProvider } from "./shell-context.tsx";
import type { ShellData } from "./shell-data.ts";
import { AbovePage } from "./not-taken.tsx";
import { useFollow } from "../hooks/use-follow.ts";
import { useVitals } from "../hooks/use-vitals.ts";
import { useScrollOnNavigation } from "../hooks/use-scroll-on-navigation.ts";

/** What surrounds every page in the admin: messages, Polaris, Shopify's navigation menu, the connection's banner. */
export function Shell({ data, children }: { data: ShellData; children: ReactNode }) {
  const { timeZone, nowMs, apiKey, toReview, connection, shopify } = data;
  const language = useLanguage(data);
  useScrollOnNavigation();
  useFollow(data.revision);
  useVitals();
  const polaris = languageInstance(language)?.polaris ?? {};
  return (
    <ShellProvider language={language} timeZone={timeZone} nowMs={nowMs}>
      {/* App Bridge's script stands in the head; this would put it into the body. */}
      <AppProvider isEmbeddedApp={false} apiKey={apiKey} i18n={polaris}>
        <Announcer>
          <Navigation toReview={toReview} />
          <main>
            {connection.environment === "test" && connection.health !== "none" && <TestEnvironment />}
            <AbovePage
              others={
                <>
                  <OutageBanner />
                  {shopify ? <ShutBanner shopify={shopify} /> : <ConnectionBanner connection={connection} />}
                </>
              }
            >
              {children}
            </AbovePage>
          </main>
        </Announcer>
      </AppProvider>
    </ShellProvider>
  );
}

/** The language of Settings, or else of the document's request. The root keeps that one, because requests for data do not carry it. */
function useLanguage({ language }: ShellData): Language {
  const root = useRouteLoaderData("root") as { language?: Language } | undefined;
  const [first] = useState(root?.language ?? DEFAULT_LANGUAGE);
  return language ?? first;
}
