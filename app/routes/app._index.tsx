import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { HomePage } from "../components/home/home-page.tsx";
import { TroubleBanner } from "../components/home/troubles.tsx";
import { OriginPage } from "../components/origin/origin-page.tsx";
import { confirmStepOf } from "../components/setup/confirm-step.tsx";
import { SetupCard, useSetup } from "../components/setup/setup-card.tsx";
import type { PartsHandle } from "../components/setup/later.tsx";
import { PageTop } from "../components/shell/page-top.tsx";
import { found } from "../http/request-input.ts";
import { authenticate } from "../shopify.server.ts";
import { dismissGuide } from "../shop/dismiss-guide.ts";
import { readHome } from "../pages/read-home.ts";
import { readOrigin } from "../pages/read-origin.ts";
import type { HomeView } from "../views/home.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const { shop } = session;
  const home = found(await readHome(services, { shop }));
  const only =
    home.onlyLocationId && (await readOrigin(services, { shop, locationId: home.onlyLocationId, only: true }));
  return json({ home, only: only || null, draftId: services.random.id() });
}

export const handle: PartsHandle = {
  parts: (data) => confirmStepOf((data as { home: HomeView }).home.setup),
};

/** Puts the first steps away. */
export async function action({ request }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  await dismissGuide(services, { shop: session.shop, dismissed: true });
  return json({ dismissed: true });
}

export default function Home() {
  const { home, only, draftId } = useLoaderData<typeof loader>();
  const setup = useSetup(home);
  if (!only || setup?.isNew) return <HomePage view={home} setup={setup} only={only?.name ?? null} />;
  return (
    <>
      {setup && (
        <PageTop>
          <SetupCard setup={setup} health={home.connection.health} alone />
        </PageTop>
      )}
      <TroubleBanner troubles={home.troubles} />
      <OriginPage key={only.locationId} view={only} draftId={draftId} home />
    </>
  );
}
