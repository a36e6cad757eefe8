import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { ActivityEntryView } from "../../views/activity.ts";
import { Age } from "../shell/age.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { FieldChanges } from "./field-changes.tsx";
import { useEntryWords } from "./use-entry-words.ts";

export interface ActivityEntryProps {
  /** Several entries where carriers were told the same. */
  group: ActivityEntryView[];
  locations: { locationId: string; name: string }[];
}

/** One thing that happened: what, where, who, when; what changed; the service's words and the reference for support. */
export function ActivityEntry({ group, locations }: ActivityEntryProps) {
  const { t } = useTranslation(["activity", "common"]);
  const entry = group[0]!;
  const { atMs, actor, legacyId, locationName, outcome, requestId, fields } = entry;
  const { title, detail } = useEntryWords()(group);
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
        {group.length > 1 && <Each group={group} />}
        {group.length === 1 && requestId && outcome === "failed" && (
          <Text as="p" tone="subdued" variant="bodySm" breakWord>
            {t("common:requestId", { id: requestId })}
          </Text>
        )}
      </BlockStack>
    </li>
  );
}

/** The details that a line for several carriers leaves out, one by one. */
function Each({ group }: { group: ActivityEntryView[] }) {
  const { t } = useTranslation(["activity", "common"]);
  const format = useFormat();
  return (
    <details>
      <summary className="origen-diff-summary">{t("activity:count", { total: group.length })}</summary>
      <dl className="origen-diff">
        {[...group].reverse().map(({ id, carrier, atMs, requestId }) => (
          <div key={id}>
            <dt>{carrierName(carrier!)}</dt>
            <dd>
              <Text as="p">{format.dateTime(atMs)}</Text>
              {requestId && (
                <Text as="p" tone="subdued" variant="bodySm" breakWord>
                  {t("common:requestId", { id: requestId })}
                </Text>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
