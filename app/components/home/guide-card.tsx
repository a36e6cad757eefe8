import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, Icon, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { CheckCircleIcon, XIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { GuideStep, HomeView } from "../../views/home.ts";
import { DETAILS_ID } from "../origin/details-form.tsx";
import { useOrderAccess } from "../hooks/use-order-access.ts";

const WHERE: Record<GuideStep, string> = {
  connect: "/app/settings#connection",
  contact: "/app/settings#contact",
  review: "/app/review",
  sync: "/app/origins",
  orders: "/app/settings#orders",
};

/** In a store with one origin, these steps are done in the origin's form, which is below the guide. */
const BELOW: readonly GuideStep[] = ["contact", "review", "sync"];

export interface GuideCardProps {
  steps: NonNullable<HomeView["guide"]>;
  /** Home is the page of the only origin. */
  onlyOrigin?: boolean;
}

/** The guide's first steps, shown until the owner dismisses them. The next step stands out. */
export function GuideCard({ steps: known, onlyOrigin = false }: GuideCardProps) {
  const { t } = useTranslation("home");
  const fetcher = useFetcher();
  const orders = useOrderAccess().access === "granted";
  const steps = known.map(({ step, done }) => ({ step, done: done || (step === "orders" && orders) }));
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done)?.step;
  if (fetcher.state !== "idle") return null;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" wrap={false} gap="200">
          <Text as="h2" variant="headingMd">
            {t("guide.heading")}
          </Text>
          <Button
            variant="tertiary"
            icon={XIcon}
            accessibilityLabel={t("guide.dismiss")}
            onClick={() => fetcher.submit({ intent: "dismiss_guide" }, { method: "post", action: "/app?index" })}
          />
        </InlineStack>
        <Text as="p" tone="subdued" id="guide-progress">
          {t("guide.progress", { done, total: steps.length })}
        </Text>
        <ProgressBar
          progress={(100 * done) / steps.length}
          size="small"
          tone="primary"
          ariaLabelledBy="guide-progress"
        />
        <ol className="origen-list">
          {steps.map(({ step, done: met }) => (
            <li key={step} className="origen-row">
              <InlineStack gap="200" wrap={false} blockAlign="start">
                <span className="origen-icon">
                  {met ? (
                    <Icon source={CheckCircleIcon} tone="success" accessibilityLabel={t("guide.done")} />
                  ) : (
                    <span className="origen-ring">
                      <span className="origen-visually-hidden">{t("guide.open")}</span>
                    </span>
                  )}
                </span>
                <Text as="p" fontWeight={step === next ? "semibold" : "regular"} tone={met ? "subdued" : undefined}>
                  {t(`guide.${step}.title`)}
                </Text>
              </InlineStack>
              {!met && (
                <div>
                  <Button
                    url={onlyOrigin && BELOW.includes(step) ? `#${DETAILS_ID}` : WHERE[step]}
                    variant={step === next ? "primary" : "secondary"}
                  >
                    {t(`guide.${step}.action`)}
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ol>
      </BlockStack>
    </Card>
  );
}
