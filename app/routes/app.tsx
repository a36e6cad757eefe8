import { json } from "@remix-run/node";
import type { ActionFunctionArgs, HeadersFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, useLoaderData, useRouteError, useRouteLoaderData } from "@remix-run/react";
import type { ShouldRevalidateFunction } from "@remix-run/react";
import { boundary } from "@shopify/shopify-app-remix/server";
import { packageDocument, PageFailure } from "../components/shell/page-failure.tsx";
import { Shell } from "../components/shell/shell.tsx";
import { EMPTY_SHELL } from "../components/shell/shell-data.ts";
import { useNonce } from "../http/document/nonce.ts";
import { withNonce } from "../http/document/package-document.ts";
import { found } from "../http/request-input.ts";
import { config } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { readShell } from "../pages/read-shell.ts";
import { refreshConnection } from "../pages/refresh-connection.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const view = found(await readShell(services, { shop: session.shop }));
  return json({ ...view, apiKey: config.SHOPIFY_API_KEY });
}

/** The connection banner's button, which is the shell's only command. */
export async function action({ request }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  return json({ refreshed: await refreshConnection(services, { shop: session.shop }) });
}

/** The title until a page sets its own. */
export const meta: MetaFunction = () => [{ title: "Origen" }];

export const headers: HeadersFunction = (args) => boundary.headers(args);

// The banner and the menu are read again with every page, so that they show the current state.
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname;

export default function App() {
  return (
    <Shell data={useLoaderData<typeof loader>()}>
      <Outlet />
    </Shell>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const data = useRouteLoaderData<typeof loader>("routes/app");
  const nonce = useNonce();
  const html = packageDocument(error);
  // The browser hides the nonce, so the markup differs there.
  if (html !== null)
    return <div dangerouslySetInnerHTML={{ __html: withNonce(html, nonce) }} suppressHydrationWarning />;
  return (
    <Shell data={data ?? EMPTY_SHELL}>
      <PageFailure error={error} />
    </Shell>
  );
}
