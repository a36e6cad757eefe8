import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import type { BadgeProps } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/carriers.ts";
import type { ActivityEntryView } from "../../use-cases/views/activity.ts";
import { Age } from "../shell/age.tsx";
import { FieldChanges } from "./field-changes.tsx";

const TONES: Partial<Record<ActivityEntryView["outcome"], BadgeProps["tone"]>> = {
  failed: "critical",
  waiting: "attention",
};

export interface ActivityEntryProps {
  entry: ActivityEntryView;
  locations: { locationId: string; name: string }[];
}

/** One thing that happened: what, where, who, when; what changed; the service's words and the reference for support. */
export function ActivityEntry({ entry, locations }: ActivityEntryProps) {
  const { t } = useTranslation(["activity", "common"]);
  const { atMs, actor, kind, carrier, legacyId, locationName, detail, outcome, requestId, fields } = entry;
  const tone = TONES[outcome];
  const quoted = (speaker: string, words: string) =>
    speaker === "service" ? t("common:serviceSaid", { words }) : words;
  return (
    <li className="origen-entry">
      <BlockStack gap="150">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {t(`activity:kind.${kind}`, { defaultValue: kind })}
            {carrier && ` · ${carrierName(carrier)}`}
          </Text>
          {tone && <Badge tone={tone}>{t(`activity:outcome.${outcome}`)}</Badge>}
        </InlineStack>
        <InlineStack gap="200">
          {locationName &&
            (legacyId ? (
              <Link url={`/app/origins/${legacyId}`}>{locationName}</Link>
            ) : (
              <Text as="span">{locationName}</Text>
            ))}
          <Text as="span" tone="subdued">
            {t(`activity:actor.${actor}`, { defaultValue: actor })} · <Age atMs={atMs} />
          </Text>
        </InlineStack>
        {detail && (
          <Text as="p" breakWord>
            {kind.startsWith("job_") ? t("activity:detail.job", { count: Number(detail) }) : quoted(actor, detail)}
          </Text>
        )}
        {fields.length > 0 && <FieldChanges changes={fields} locations={locations} />}
        {requestId && outcome === "failed" && (
          <Text as="p" tone="subdued" variant="bodySm" breakWord>
            {t("common:requestId", { id: requestId })}
          </Text>
        )}
      </BlockStack>
    </li>
  );
}
