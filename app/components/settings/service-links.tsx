import { InlineStack, Link } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { useShippingService } from "../hooks/use-shipping-service.ts";

/** The shipping service's own pages for whoever connects an account, as far as the settings of the process name them. */
export function ServiceLinks() {
  const { t } = useTranslation("settings");
  const { connectionsUrl, helpUrl } = useShippingService();
  if (connectionsUrl === null && helpUrl === null) return null;
  return (
    <InlineStack gap="200">
      {connectionsUrl !== null && (
        <Link url={connectionsUrl} target="_blank">
          {t("connection.openConnections")}
        </Link>
      )}
      {helpUrl !== null && (
        <Link url={helpUrl} target="_blank">
          {t("connection.help")}
        </Link>
      )}
    </InlineStack>
  );
}
