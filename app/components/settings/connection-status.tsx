import { Badge, Banner, BlockStack, Button, DescriptionList, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { IntrospectOutcome } from "../../account/introspect-token.ts";
import type { ConnectionView } from "../../views/settings.ts";
import { Age } from "../shell/age.tsx";
import { FaultBanner } from "../shell/fault-banner.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { EnvironmentBadge } from "./environment-badge.tsx";
import { Folded } from "./folded.tsx";
import { useSettingsAction } from "./use-settings-action.ts";

const TONES = {
  active: "success",
  failing: "warning",
  paused: "warning",
  invalid: "critical",
  unreadable: "critical",
  unconfirmed: "warning",
} as const;

/** What is known of the connection, and on request the service's own answer about its token. */
export function ConnectionStatus({ connection }: { connection: ConnectionView }) {
  const { t } = useTranslation("settings");
  const format = useFormat();
  const { environment, maskedClientId, token, lastSuccessAtMs } = connection;
  const state = stateOf(connection);
  const access = token
    ? [
        { term: t("connection.status.tokenScope"), description: token.scope ?? t("connection.status.noScope") },
        { term: t("connection.status.obtained"), description: <Age atMs={token.obtainedAtMs} /> },
        {
          term: t("connection.status.expires"),
          description: `${format.age(token.expiresAtMs)} (${t("connection.status.renews")})`,
        },
      ]
    : [{ term: t("connection.status.obtained"), description: t("connection.status.noToken") }];
  return (
    <BlockStack gap="300">
      <DescriptionList
        gap="tight"
        items={[
          {
            term: t("connection.status.state"),
            description: <Badge tone={TONES[state]}>{t(`connection.status.${state}`)}</Badge>,
          },
          { term: t("connection.environment"), description: <EnvironmentBadge environment={environment} /> },
          { term: t("connection.clientId"), description: <Text as="span">{maskedClientId}</Text> },
          { term: t("connection.status.lastSuccess"), description: <Age atMs={lastSuccessAtMs} /> },
        ]}
      />
      {connection.state !== "invalid" && !connection.unreadable && (
        <Folded label={t("connection.status.details")}>
          <DescriptionList gap="tight" items={access} />
          <Check />
        </Folded>
      )}
    </BlockStack>
  );
}

function stateOf({ state, fault, unreadable }: ConnectionView): keyof typeof TONES {
  if (unreadable) return "unreadable";
  if (state === "invalid" || state === "unconfirmed") return state;
  if (fault?.kind === "rate_limited") return "paused";
  return fault ? "failing" : "active";
}

function Check() {
  const { t } = useTranslation("settings");
  const { send, busy, reply } = useSettingsAction();
  const outcome = reply?.intent === "introspect" ? reply.outcome : null;
  return (
    <BlockStack gap="200">
      <InlineStack>
        <Button onClick={() => send({ intent: "introspect" })} loading={busy}>
          {t("connection.status.check")}
        </Button>
      </InlineStack>
      <div aria-live="polite">{outcome && <Checked outcome={outcome} />}</div>
    </BlockStack>
  );
}

function Checked({ outcome }: { outcome: IntrospectOutcome }) {
  const { t } = useTranslation("settings");
  switch (outcome.kind) {
    case "unreachable":
      return <FaultBanner fault={outcome.fault} />;
    case "no_token":
      return <Banner tone="info" title={t("connection.status.noTokenToCheck")} />;
    case "checked":
      return outcome.active ? (
        <Banner tone="success" title={t("connection.status.activeNow")} />
      ) : (
        <Banner tone="warning" title={t("connection.status.inactiveNow")} />
      );
  }
}
