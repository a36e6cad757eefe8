import { BlockStack, InlineGrid, Layout } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { HomeView } from "../../views/home.ts";
import { AppPage } from "../shell/app-page.tsx";
import { CarriersCard } from "./carriers-card.tsx";
import { GuideCard } from "./guide-card.tsx";
import { NeedsCard } from "./needs-card.tsx";
import { PulseCard } from "./pulse-card.tsx";
import { ReadyCard } from "./ready-card.tsx";

/** Home of a store with several origins, or none yet. */
export function HomePage({ view }: { view: HomeView }) {
  const { t } = useTranslation("home");
  return (
    <AppPage title={t("title")}>
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            {view.guide && <GuideCard steps={view.guide} />}
            <NeedsCard view={view} guided={view.guide !== null} />
            <InlineGrid columns={{ xs: 1, md: 2 }} gap="400">
              <ReadyCard view={view} />
              <PulseCard view={view} />
            </InlineGrid>
            <CarriersCard carriers={view.carriers} />
          </BlockStack>
        </Layout.Section>
      </Layout>
    </AppPage>
  );
}
