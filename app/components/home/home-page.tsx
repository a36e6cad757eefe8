import { BlockStack, InlineGrid, Layout } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { HomeView } from "../../views/home.ts";
import { SetupCard } from "../setup/setup-card.tsx";
import type { Setup } from "../setup/setup-card.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { CarriersCard } from "./carriers-card.tsx";
import { NeedsCard } from "./needs-card.tsx";
import { PulseCard } from "./pulse-card.tsx";
import { ReadyCard } from "./ready-card.tsx";

export interface HomePageProps {
  view: HomeView;
  setup: Setup | null;
  /** The name of the store's only location. */
  only: string | null;
}

/**
 * Home of a store with several origins, or none yet. Before anything was confirmed it is the first steps, and what keeps them from going on; a
 * store with one origin has them here, too. Its one location may be read while somebody types, so that the page must be the same.
 */
export function HomePage({ view, setup, only }: HomePageProps) {
  const { t } = useTranslation("home");
  const isNew = setup !== null && setup.isNew;
  const besides = setup === null ? view : withoutSteps(view);
  const isOpen = setup !== null && !(setup.view.step === "verify" || setup.view.step === "finished");
  const isQuiet = isOpen && besides.needs.length + besides.troubles.length === 0;
  return (
    <AppPage title={only ?? t("title")}>
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            {setup && <SetupCard setup={setup} health={view.connection.health} alone={only !== null} />}
            {!isQuiet && <NeedsCard view={besides} guided={setup !== null} />}
            {!isNew && (
              <>
                <InlineGrid columns={{ xs: 1, md: 2 }} gap="400">
                  <ReadyCard view={view} />
                  <PulseCard view={view} />
                </InlineGrid>
                <CarriersCard carriers={view.carriers} />
              </>
            )}
          </BlockStack>
        </Layout.Section>
      </Layout>
    </AppPage>
  );
}

/** Without what the first steps ask for in their own place, or will ask for once the account is connected. */
function withoutSteps(view: HomeView): HomeView {
  const { setup } = view;
  const isNext = setup?.step === "connect" && setup.counts.confirmed === 0;
  const isAsked = isNext || setup?.step === "confirm" || setup?.step === "read";
  return {
    ...view,
    needs: view.needs.filter(({ need }) => !isAsked || (need !== "to_review" && need !== "incomplete")),
  };
}
