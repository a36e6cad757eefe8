import { BlockStack, Layout } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { SettingsView } from "../../views/settings.ts";
import { AppPage } from "../shell/app-page.tsx";
import { ConnectionSection } from "./connection-section.tsx";
import { FrozenAccount } from "./frozen-account.tsx";
import { OrderAccess } from "./order-access.tsx";
import { PostalCodesLine } from "./postal-codes-line.tsx";
import { ShopForm } from "./shop-form.tsx";

export function SettingsPage({ view }: { view: SettingsView }) {
  const { t } = useTranslation("settings");
  return (
    <AppPage title={t("title")}>
      <BlockStack gap="400">
        <Layout>
          <Layout.AnnotatedSection id="connection" title={t("connection.heading")} description={t("connection.about")}>
            <BlockStack gap="400">
              <ConnectionSection connection={view.connection} />
              {view.frozen && <FrozenAccount key={view.frozen.id} frozen={view.frozen} />}
            </BlockStack>
          </Layout.AnnotatedSection>
        </Layout>
        <ShopForm view={view} />
        <Layout>
          <Layout.AnnotatedSection id="orders" title={t("orders.heading")} description={t("orders.about")}>
            <OrderAccess />
          </Layout.AnnotatedSection>
        </Layout>
        <PostalCodesLine edition={view.postalCodes} />
      </BlockStack>
    </AppPage>
  );
}
