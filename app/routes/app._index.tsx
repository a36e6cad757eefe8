import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { GuideCard } from "../components/home/guide-card.tsx";
import { HomePage } from "../components/home/home-page.tsx";
import { TroubleBanners } from "../components/home/troubles.tsx";
import { OriginPage } from "../components/origin/origin-page.tsx";
import { PageTop } from "../components/shell/page-top.tsx";
import { found } from "../http/request-input.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { dismissGuide } from "../shop/dismiss-guide.ts";
import { readHome } from "../pages/read-home.ts";
import { readOrigin } from "../pages/read-origin.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  const { shop } = session;
  const home = found(await readHome(services, { shop, orderAccess: session.scope?.includes("read_orders") ?? false }));
  const only =
    home.onlyLocationId && (await readOrigin(services, { shop, locationId: home.onlyLocationId, only: true }));
  return json({ home, only: only || null, draftId: services.random.id() });
}

/** Dismisses the guide's first steps. */
export async function action({ request }: ActionFunctionArgs) {
  const { session } = await authenticate.admin(request);
  await dismissGuide(services, { shop: session.shop, dismissed: true });
  return json({ dismissed: true });
}

export default function Home() {
  const { home, only, draftId } = useLoaderData<typeof loader>();
  if (!only) return <HomePage view={home} />;
  return (
    <>
      {home.guide && (
        <PageTop>
          <GuideCard steps={home.guide} onlyOrigin />
        </PageTop>
      )}
      <TroubleBanners troubles={home.troubles} />
      <OriginPage key={only.locationId} view={only} draftId={draftId} home />
    </>
  );
}
