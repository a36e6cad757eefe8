import { Badge, BlockStack, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { ActivityEntryView } from "../../views/activity.ts";
import { Age } from "../shell/age.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { PLAIN_KINDS, tellsWho } from "../../views/group-entries.ts";
import { FieldChanges } from "./field-changes.tsx";
import { useEntryWords } from "./use-entry-words.ts";
import { whoDidIt } from "../../i18n/entry-words.ts";
import { useWords } from "../hooks/use-words.ts";

export interface ActivityEntryProps {
  /** Several entries where they are of one verification. */
  group: ActivityEntryView[];
  locations: { locationId: string; name: string }[];
}

/** One thing that happened: what, where, who, when; what changed; the service's words and the reference for support. */
export function ActivityEntry({ group, locations }: ActivityEntryProps) {
  const { t } = useTranslation(["activity", "common"]);
  const entry = group[0]!;
  const { atMs, legacyId, locationName, outcome, requestId, fields } = entry;
  const words = useWords();
  const who = whoDidIt(words, tellsWho(group));
  const { title, detail } = useEntryWords()(group);
  return (
    <li className="origen-entry">
      <BlockStack gap="150">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {title}
          </Text>
          {/* A carrier's no is an answer, and its title says so. */}
          {outcome === "failed" && !PLAIN_KINDS.includes(entry.kind) && (
            <Badge tone="critical">{t("activity:outcome.failed")}</Badge>
          )}
        </InlineStack>
        <div className="origen-entry-about">
          {locationName &&
            (legacyId ? (
              <Link url={`/app/origins/${legacyId}`}>{locationName}</Link>
            ) : (
              <Text as="span">{locationName}</Text>
            ))}
          <Text as="span" tone="subdued">
            {who && `${who} · `}
            <Age atMs={atMs} />
          </Text>
        </div>
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

/** The steps that one line for a whole verification leaves out, the first one first. */
function Each({ group }: { group: ActivityEntryView[] }) {
  const { t } = useTranslation(["activity", "common"]);
  const format = useFormat();
  const says = useWords();
  const words = useEntryWords();
  return (
    <details>
      <summary className="origen-diff-summary">{t("activity:steps", { count: group.length })}</summary>
      <dl className="origen-diff">
        {[...group]
          .reverse()
          .map((entry) => ({ ...entry, ...words([entry]), who: whoDidIt(says, entry) }))
          .map(({ id, title, detail, atMs, requestId, who }) => (
            <div key={id}>
              <dt>{format.dateTime(atMs)}</dt>
              <dd>
                <Text as="p">{title}</Text>
                <Text as="p" tone="subdued" variant="bodySm">
                  {who}
                </Text>
                {detail && (
                  <Text as="p" breakWord>
                    {detail}
                  </Text>
                )}
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
