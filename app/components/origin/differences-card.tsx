import { Badge, Banner, BlockStack, Button, Card, InlineGrid, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { mayBeTheirs } from "../../domain/plan/compared-fields.ts";
import type { Difference } from "../../domain/records.ts";
import { HelpTip } from "../help/help-tip.tsx";
import { Age } from "../shell/age.tsx";
import { useFieldValue } from "../hooks/use-field-value.ts";
import type { OriginActions } from "./use-origin-actions.ts";

export interface DifferencesCardProps {
  differences: Difference[];
  actions: OriginActions;
  /** Asks whether to unlink: what the account has may be wanted there, and not be an origin any more. */
  onUnlink(): void;
}

/** What somebody changed in the address book: both values side by side, with a choice for each field or for all. */
export function DifferencesCard({ differences, actions, onUnlink }: DifferencesCardProps) {
  const { t } = useTranslation("origin");
  const conflict = differences.some(({ kind }) => kind === "conflict");
  const choose = (chosen: Difference[], choice: "ours" | "theirs") =>
    actions.send({ intent: "resolve", choices: chosen.map(({ field, theirs }) => ({ field, theirs, choice })) });
  const busy = actions.busy === "resolve";
  const words = conflict ? "conflict" : differences.some(({ field }) => mayBeTheirs(field)) ? "drift" : "oursAlone";
  const mayAllBeTheirs = differences.every(({ field }) => mayBeTheirs(field));
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack gap="100" blockAlign="center">
          <Text as="h2" variant="headingMd">
            {t("differences.title")}
          </Text>
          <HelpTip term="difference" />
        </InlineStack>
        <Banner tone={conflict ? "critical" : "warning"}>{t(`differences.${words}`)}</Banner>
        {differences.map((difference) => (
          <Row
            key={difference.field}
            difference={difference}
            busy={busy}
            choose={(choice) => choose([difference], choice)}
            onUnlink={onUnlink}
          />
        ))}
        {differences.length > 1 && (
          <InlineStack gap="200">
            <Button disabled={busy} onClick={() => choose(differences, "ours")}>
              {t("differences.allOurs")}
            </Button>
            {mayAllBeTheirs && (
              <Button disabled={busy} onClick={() => choose(differences, "theirs")}>
                {t("differences.allTheirs")}
              </Button>
            )}
          </InlineStack>
        )}
      </BlockStack>
    </Card>
  );
}

function Row({
  difference,
  busy,
  choose,
  onUnlink,
}: {
  difference: Difference;
  busy: boolean;
  choose(choice: "ours" | "theirs"): void;
  onUnlink(): void;
}) {
  const { t } = useTranslation(["origin", "common"]);
  const { field, kind, ours, theirs, noticedAtMs } = difference;
  const name = t(`common:fields.${field}`);
  const value = useFieldValue();
  return (
    <BlockStack gap="200">
      <InlineStack gap="200" blockAlign="center">
        <Text as="h3" variant="headingSm">
          {name}
        </Text>
        <Badge tone={kind === "conflict" ? "critical" : "warning"}>{t(`differences.kind.${kind}`)}</Badge>
        <Text as="span" tone="subdued" variant="bodySm">
          {t("differences.noticed")} <Age atMs={noticedAtMs} />
        </Text>
      </InlineStack>
      <InlineGrid columns={{ xs: 1, sm: 2 }} gap="300">
        <Side label={t("differences.ours")} value={value(field, ours)}>
          <Button
            disabled={busy}
            onClick={() => choose("ours")}
            accessibilityLabel={t("differences.useOursFor", { field: name })}
          >
            {t("differences.useOurs")}
          </Button>
        </Side>
        <Side label={t("differences.theirs")} value={value(field, theirs)}>
          {mayBeTheirs(field) ? (
            <Button
              disabled={busy}
              onClick={() => choose("theirs")}
              accessibilityLabel={t("differences.useTheirsFor", { field: name })}
            >
              {t("differences.useTheirs")}
            </Button>
          ) : (
            <>
              <Button disabled={busy} onClick={onUnlink}>
                {t("differences.unlink")}
              </Button>
              <Text as="p" tone="subdued" variant="bodySm">
                {t("differences.noOrigin")}
              </Text>
            </>
          )}
        </Side>
      </InlineGrid>
    </BlockStack>
  );
}

function Side({ label, value, children }: { label: string; value: string; children: React.ReactNode }) {
  return (
    <BlockStack gap="150" inlineAlign="start">
      <Text as="p" tone="subdued" variant="bodySm">
        {label}
      </Text>
      <Text as="p" breakWord fontWeight="medium">
        {value}
      </Text>
      {children}
    </BlockStack>
  );
}
