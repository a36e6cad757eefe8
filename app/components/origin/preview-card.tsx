import { BlockStack, Button, Card, InlineStack, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OriginView, ProposalView } from "../../views/origin.ts";
import { useFieldValue } from "../hooks/use-field-value.ts";
import type { OriginActions } from "./use-origin-actions.ts";

export interface PreviewCardProps {
  view: OriginView;
  actions: OriginActions;
  onConfirm(): void;
}

/** Before the first write: what it would do, and the button for it. Templates that look like the location come first. */
export function PreviewCard({ view, actions, onConfirm }: PreviewCardProps) {
  const { t } = useTranslation("origin");
  const { proposals, preview, confirmed } = view;
  if (!preview && proposals.length === 0) return null;
  const create = confirmed ? () => actions.send({ intent: "createAnyway" }) : onConfirm;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t(proposals.length > 0 ? "preview.alike" : "preview.title")}
        </Text>
        {proposals.length > 0 ? (
          <Text as="p">{t("preview.alikeText")}</Text>
        ) : (
          <Text as="p">{t("preview.create")}</Text>
        )}
        {proposals.map((proposal) => (
          <Proposal
            key={proposal.templateId}
            proposal={proposal}
            busy={actions.busy !== null}
            onLink={() => {
              const { templateId, version } = proposal;
              actions.send({ intent: "link", templateId, templateVersion: version });
            }}
          />
        ))}
        {(!confirmed || proposals.length > 0) && (
          <InlineStack>
            <Button
              variant={proposals.length > 0 ? "secondary" : "primary"}
              loading={actions.busy === "save" || actions.busy === "createAnyway"}
              onClick={create}
            >
              {t(proposals.length > 0 ? "preview.createAnyway" : "preview.confirm")}
            </Button>
          </InlineStack>
        )}
      </BlockStack>
    </Card>
  );
}

function Proposal({ proposal, busy, onLink }: { proposal: ProposalView; busy: boolean; onLink(): void }) {
  const { t } = useTranslation("origin");
  return (
    <BlockStack gap="150" inlineAlign="start">
      <Text as="h3" variant="headingSm">
        {proposal.alias}
      </Text>
      <Text as="p" tone="subdued" breakWord>
        {proposal.address}
      </Text>
      <ProposalDifferences proposal={proposal} />
      <Button
        variant="primary"
        disabled={busy}
        onClick={onLink}
        accessibilityLabel={t("preview.linkNamed", { alias: proposal.alias })}
      >
        {t("preview.link")}
      </Button>
    </BlockStack>
  );
}

/** The fields of the template that linking would change. */
export function ProposalDifferences({ proposal }: { proposal: ProposalView }) {
  const { t } = useTranslation(["origin", "common"]);
  const value = useFieldValue();
  if (proposal.differences.length === 0) return <Text as="p">{t("preview.same")}</Text>;
  return (
    <BlockStack gap="100">
      <Text as="p">{t("preview.changes")}</Text>
      <List>
        {proposal.differences.map(({ field, ours, theirs }) => (
          <List.Item key={field}>
            {t("preview.change", {
              field: t(`common:fields.${field}`),
              from: value(field, theirs),
              to: value(field, ours),
            })}
          </List.Item>
        ))}
      </List>
    </BlockStack>
  );
}
