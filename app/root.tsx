import { json } from "@remix-run/node";
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Links, Meta, Outlet, Scripts, useMatches, useRouteLoaderData } from "@remix-run/react";
import { polarisStyles } from "./polaris/styles.ts";
import type { ReactNode } from "react";
import { RootFailure } from "./components/shell/root-failure.tsx";
import type { Language } from "./domain/records.ts";
import { languageOfRequest } from "./i18n/i18n.ts";
import { useNonce } from "./http/document/nonce.ts";
import { useRequestLanguage } from "./i18n/request-language.ts";
import { config } from "./services.server.ts";
import shellStyles from "./components/shell/shell.css?url";

const SHOPIFY_CDN = "https://cdn.shopify.com";

export const links: LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "stylesheet", href: polarisStyles },
  { rel: "stylesheet", href: shellStyles },
];

/** Of the frame's document; the admin's own title follows the title bar. The name of the app is no word to translate. */
export const meta: MetaFunction = () => [{ title: "Origen" }];

export function loader({ request }: LoaderFunctionArgs) {
  return json({
    apiKey: config.SHOPIFY_API_KEY,
    appBridgeUrl: config.APP_BRIDGE_URL,
    language: languageOfRequest(request),
    /** What App Bridge measures of the pages is sent to nobody where nobody counts it. */
    isMeasured: config.METRICS_PORT !== undefined,
    service: {
      name: config.SHIPPING_SERVICE_NAME ?? null,
      connectionsUrl: config.SHIPPING_SERVICE_CONNECTIONS_URL ?? null,
      helpUrl: config.SHIPPING_SERVICE_HELP_URL ?? null,
    },
    support: {
      email: config.SUPPORT_EMAIL ?? null,
      privacyUrl: config.PRIVACY_URL ?? null,
      termsUrl: config.TERMS_URL ?? null,
    },
  });
}

// What a request says of its language is known once, from the document; nothing here changes afterwards.
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>("root");
  const nonce = useNonce();
  return (
    <html lang={useDocumentLanguage()} data-service={data?.service.name ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        {data && <AppBridge apiKey={data.apiKey} url={data.appBridgeUrl} />}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <RootFailure />;
}

/** App Bridge must be the first script and in the head, and has no business outside the admin. */
function AppBridge({ apiKey, url }: { apiKey: string; url: string }) {
  const embedded = useMatches().some((match) => match.id.startsWith("routes/app"));
  if (!embedded) return null;
  return (
    <>
      <meta name="shopify-api-key" content={apiKey} />
      <script src={url} data-api-key={apiKey} />
      {url.startsWith(SHOPIFY_CDN) && (
        <link rel="stylesheet" href={`${SHOPIFY_CDN}/static/fonts/inter/v4/styles.css`} />
      )}
    </>
  );
}

/** The shell knows what Settings say; without it the request's own language holds. */
function useDocumentLanguage(): Language {
  const ofRequest = useRequestLanguage();
  const shell = useMatches().find((match) => match.id === "routes/app")?.data as
    { language?: Language | null } | undefined;
  return shell?.language ?? ofRequest;
}
