import { BlockStack, Button, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { OriginView, ProposalView } from "../../views/origin.ts";
import { useFormat } from "../hooks/use-format.ts";
import { AdoptionChoices } from "./adoption-choices.tsx";
import { isMendedInShopify } from "./readiness-card.tsx";
import type { LinkIntent } from "./use-link-choices.ts";
import { linkIntent, useLinkChoices } from "./use-link-choices.ts";
import type { OriginActions } from "./use-origin-actions.ts";

export interface PreviewCardProps {
  view: OriginView;
  actions: OriginActions;
  onConfirm(): void;
}

/** Before the first write: what it would do, and the button for it. Templates that look like the location come first. */
export function PreviewCard({ view, actions, onConfirm }: PreviewCardProps) {
  const { t } = useTranslation(["origin", "common"]);
  const format = useFormat();
  const { proposals, preview, confirmed, readiness } = view;
  // What was guessed is confirmed by the press itself, and what Shopify alone has is told with the steps.
  const lacking = readiness.flatMap((item) =>
    item.code === "field" && item.problem === "missing" && !isMendedInShopify(item)
      ? [t(`common:fields.${item.field}`)]
      : [],
  );
  if (!preview && proposals.length === 0) return null;
  const create = confirmed ? () => actions.send({ intent: "createAnyway" }) : onConfirm;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {proposals.length > 0 ? t("preview.alike", { count: proposals.length }) : t("preview.title")}
        </Text>
        {proposals.length > 0 ? (
          <Text as="p">{t("preview.alikeText")}</Text>
        ) : (
          <Text as="p">{t("preview.create")}</Text>
        )}
        {lacking.length > 0 && <Text as="p">{t("preview.lacks", { fields: format.list(lacking) })}</Text>}
        {proposals.map((proposal) => (
          <Proposal
            key={proposal.templateId}
            proposal={proposal}
            busy={actions.busy !== null}
            onLink={(asked) => actions.send(asked)}
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

function Proposal({
  proposal,
  busy,
  onLink,
}: {
  proposal: ProposalView;
  busy: boolean;
  onLink(asked: LinkIntent): void;
}) {
  const { t } = useTranslation("origin");
  const { contact, choose } = useLinkChoices(proposal);
  return (
    <BlockStack gap="150" inlineAlign="start">
      <Text as="h3" variant="headingSm">
        {proposal.alias}
      </Text>
      <Text as="p" tone="subdued" breakWord>
        {proposal.address}
      </Text>
      <AdoptionChoices alias={proposal.alias} differences={proposal.differences} contact={contact} onChoose={choose} />
      <Button
        variant="primary"
        disabled={busy}
        onClick={() => onLink(linkIntent(proposal, contact))}
        accessibilityLabel={t("preview.linkNamed", { alias: proposal.alias })}
      >
        {t("preview.link")}
      </Button>
    </BlockStack>
  );
}
