import { isRouteErrorResponse, useNavigate } from "@remix-run/react";
import { BlockStack, Button, Card, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { AppPage } from "./app-page.tsx";

/**
 * The document that Shopify's package threw, to be shown unchanged because it moves the top window; null for any other error. The package's
 * own `boundary.error` looks for a class name, which minification changes.
 */
export function packageDocument(error: unknown): string | null {
  if (!isRouteErrorResponse(error) || typeof error.data !== "string") return null;
  return error.data.includes("<script") ? error.data : null;
}

const KEYS = new Map<number, "notFound" | "badInput" | "tooMany">([
  [404, "notFound"],
  [400, "badInput"],
  [429, "tooMany"],
]);

/**
 * A page that failed to load, in the app's frame: it says what to do and never shows a stack. It is no banner, for the connection's may stand
 * above it.
 */
export function PageFailure({ error }: { error: unknown }) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const key = KEYS.get(status) ?? "failure";
  const way = key === "notFound" ? { url: "/app" } : { onClick: () => navigate(".", { replace: true }) };
  return (
    <AppPage title={t(`${key}.title`)}>
      <Card>
        <BlockStack gap="300" inlineAlign="start">
          <Text as="p">{t(`${key}.text`)}</Text>
          <Button {...way}>{t(key === "notFound" ? "notFound.action" : "failure.action")}</Button>
        </BlockStack>
      </Card>
    </AppPage>
  );
}
