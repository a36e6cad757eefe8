import { BlockStack, Icon, InlineStack, Text } from "../../polaris/polaris.ts";
import { AlertCircleIcon, CheckCircleIcon } from "../../polaris/icons.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export interface SetupStepProps {
  title: string;
  state: "done" | "open" | "later" | "broken";
  /** What there is to do or to see, where there is anything. */
  children?: ReactNode;
}

/** One of the first steps: its mark, its name, and in its place what it is done with. */
export function SetupStep({ title, state, children }: SetupStepProps) {
  return (
    <li className="setup-step" data-state={state}>
      <InlineStack gap="200" wrap={false} blockAlign="start">
        <Mark state={state} />
        <Text as="h3" variant="headingSm" tone={state === "open" || state === "broken" ? undefined : "subdued"}>
          {title}
        </Text>
      </InlineStack>
      {children && (
        <div className="setup-body">
          <BlockStack gap="400">{children}</BlockStack>
        </div>
      )}
    </li>
  );
}

function Mark({ state }: Pick<SetupStepProps, "state">) {
  const { t } = useTranslation("home");
  return (
    <span className="origen-icon">
      {state === "done" ? (
        <Icon source={CheckCircleIcon} tone="success" accessibilityLabel={t("setup.done")} />
      ) : state === "broken" ? (
        <Icon source={AlertCircleIcon} tone="critical" accessibilityLabel={t("setup.broken")} />
      ) : (
        <span className="origen-ring">
          <span className="origen-visually-hidden">{t("setup.open")}</span>
        </span>
      )}
    </span>
  );
}
