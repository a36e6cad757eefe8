import { Badge, Banner, BlockStack, Button, Card, DescriptionList, InlineStack, Text } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FrozenView } from "../../views/settings.ts";
import type { SwitchOutcome } from "../../account/switch-environment.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useTellOnce } from "../hooks/use-tell-once.ts";
import { Age } from "../shell/age.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { FaultBanner } from "../shell/fault-banner.tsx";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { EnvironmentBadge } from "./environment-badge.tsx";
import { useSettingsAction } from "./use-settings-action.ts";

/** The account of the other environment: it is kept, nothing is saved in it, and it can be taken up again. */
export function FrozenAccount({ frozen }: { frozen: FrozenView }) {
  const { t } = useTranslation("settings");
  const [asking, setAsking] = useState(false);
  const { send, busy, notTaken, answer, reply } = useSettingsAction({ told: "beside" });
  const { environment, maskedClientId, lastSuccessAtMs, links } = frozen;
  const words = `connection.frozen.${environment}` as const;
  // Then the card goes away, or is another account's.
  useTellOnce(answer, ({ outcome }) => (outcome.kind === "none" ? { words: t("connection.frozen.gone") } : null));
  const carryOut = () => {
    send({ intent: "switch_environment", environment });
    setAsking(false);
  };
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {t(`${words}.heading`)}
          </Text>
          <Badge>{t("connection.frozen.badge")}</Badge>
        </InlineStack>
        <Text as="p">{t("connection.frozen.about", { count: links })}</Text>
        <DescriptionList
          gap="tight"
          items={[
            { term: t("connection.environment"), description: <EnvironmentBadge environment={environment} /> },
            { term: t("connection.clientId"), description: <Text as="span">{maskedClientId}</Text> },
            { term: t("connection.status.lastSuccess"), description: <Age atMs={lastSuccessAtMs} /> },
          ]}
        />
        {reply?.intent === "switch_environment" && <Refusal outcome={reply.outcome} />}
        <NotTakenNote why={notTaken} />
        <InlineStack>
          <Button onClick={() => setAsking(true)} loading={busy}>
            {t(`${words}.switch`)}
          </Button>
        </InlineStack>
      </BlockStack>
      <Dialog
        open={asking}
        title={t(`${words}.title`)}
        onClose={() => setAsking(false)}
        action={{ label: t(`${words}.switch`), onAction: carryOut }}
        small
      >
        <BlockStack gap="200">
          <Text as="p">{t(`${words}.then`)}</Text>
          <Text as="p">{t("connection.frozen.kept")}</Text>
        </BlockStack>
      </Dialog>
    </Card>
  );
}

/** The owner types its credentials anew. */
function NotAccepted({ said }: { said: string | null }) {
  const { t } = useTranslation(["settings", "common"]);
  return (
    <Banner tone="critical" title={t("connection.frozen.refused")}>
      <BlockStack gap="100">
        <Text as="p">{t("connection.frozen.refusedText")}</Text>
        {said !== null && (
          <Text as="p" breakWord>
            {t("common:serviceSaid", { words: said })}
          </Text>
        )}
      </BlockStack>
    </Banner>
  );
}

/** Why the account in use is still in use. */
function Refusal({ outcome }: { outcome: SwitchOutcome }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  switch (outcome.kind) {
    case "switched":
    case "unconfirmed":
    case "already":
    case "none":
      return null;
    case "unreachable":
      return (
        <FaultBanner
          fault={outcome.fault}
          title={t("connection.frozen.unreachable")}
          text={t("connection.frozen.unreachableText")}
        />
      );
    case "invalid_client":
      if (outcome.retryAtMs !== null)
        return (
          <Banner tone="critical" title={t("connection.errors.held", { when: format.age(outcome.retryAtMs) })}>
            <Text as="p">{t("connection.frozen.unchanged")}</Text>
          </Banner>
        );
      return <NotAccepted said={outcome.serviceMessage} />;
    case "refused":
      return <NotAccepted said={outcome.problem.serviceMessage} />;
    case "missing":
    case "too_long":
      return <NotAccepted said={null} />;
  }
}
