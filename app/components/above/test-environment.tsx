import { useLocation } from "@remix-run/react";
import { Badge, Box, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";

/** That this page is of the test account: above every page, whatever else stands there. */
export function TestEnvironment() {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  return (
    <Box paddingInline={{ xs: "400", sm: "600" }} paddingBlockStart="400">
      <div className="origen-width">
        <InlineStack gap="200" blockAlign="center">
          <Badge tone="attention">{t("test.badge")}</Badge>
          <Text as="p">{t("test.text")}</Text>
          {pathname !== "/app/settings" && <Link url="/app/settings#connection">{t("test.action")}</Link>}
        </InlineStack>
      </div>
    </Box>
  );
}
