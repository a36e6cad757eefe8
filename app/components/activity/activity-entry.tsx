import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ActivityEntryView } from "../../use-cases/views/activity.ts";
import { Age } from "../shell/age.tsx";
import { FieldChanges } from "./field-changes.tsx";
import { useEntryWords } from "./use-entry-words.ts";

export interface ActivityEntryProps {
  entry: ActivityEntryView;
  locations: { locationId: string; name: string }[];
}

/** One thing that happened: what, where, who, when; what changed; the service's words and the reference for support. */
export function ActivityEntry({ entry, locations }: ActivityEntryProps) {
  const { t } = useTranslation(["activity", "common"]);
  const { atMs, actor, legacyId, locationName, outcome, requestId, fields } = entry;
  const { title, detail } = useEntryWords()(entry);
  return (
    <li className="origen-entry">
      <BlockStack gap="150">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {title}
          </Text>
          {outcome === "failed" && <Badge tone="critical">{t("activity:outcome.failed")}</Badge>}
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
            {detail}
          </Text>
        )}
        {fields.length > 0 && <FieldChanges kind={entry.kind} changes={fields} locations={locations} />}
        {requestId && outcome === "failed" && (
          <Text as="p" tone="subdued" variant="bodySm" breakWord>
            {t("common:requestId", { id: requestId })}
          </Text>
        )}
      </BlockStack>
    </li>
  );
}
