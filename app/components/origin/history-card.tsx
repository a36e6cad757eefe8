import { BlockStack, Card, Link, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "../../views/origin.ts";
import { FieldChanges } from "../activity/field-changes.tsx";
import { groupEntries, tellsWho } from "../../views/group-entries.ts";
import { useEntryWords } from "../activity/use-entry-words.ts";
import { whoDidIt } from "../../i18n/entry-words.ts";
import { useWords } from "../hooks/use-words.ts";
import { Age } from "../shell/age.tsx";
import { PhoneFold } from "../shell/phone-fold.tsx";

/** The activity page shows the rest. */
const SHOWN = 8;

const FIRST_WORDS = ["origin_confirmed", "details_saved", "template_created"];

/** What happened to this origin lately, with the earlier and the new values. */
export function HistoryCard({ entries, legacyId }: { entries: HistoryEntry[]; legacyId: string }) {
  const { t } = useTranslation("origin");
  return (
    <Card>
      <BlockStack gap="300">
        <PhoneFold heading={t("history.title")} gap="300">
          <BlockStack gap="300">
            {entries.length === 0 ? (
              <Text as="p" tone="subdued">
                {t("history.none")}
              </Text>
            ) : (
              <ol className="origen-plain-list">
                {groupEntries(entries)
                  .slice(0, SHOWN)
                  .map((group) => (
                    <li key={group[0]!.id}>
                      <Entry group={group} />
                    </li>
                  ))}
              </ol>
            )}
            <Link url="/app/activity">{t("history.all")}</Link>
          </BlockStack>
        </PhoneFold>
        <Link url={`/app/origins/${legacyId}/report`}>{t("history.report")}</Link>
      </BlockStack>
    </Card>
  );
}

function Entry({ group }: { group: HistoryEntry[] }) {
  const words = useWords();
  const who = whoDidIt(words, tellsWho(group));
  const entry = group[0]!;
  const { atMs, kind, fields } = entry;
  const { title, detail } = useEntryWords()(group);
  // Values that were filled in for the first time are left out, because the page above shows them.
  const told = FIRST_WORDS.includes(kind) ? fields.filter(({ from }) => from !== null) : fields;
  return (
    <BlockStack gap="050">
      <Text as="p">{title}</Text>
      <Text as="p" tone="subdued" variant="bodySm">
        {who && `${who} · `}
        <Age atMs={atMs} />
      </Text>
      {detail && (
        <Text as="p" variant="bodySm" breakWord>
          {detail}
        </Text>
      )}
      {told.length > 0 && <FieldChanges kind={kind} changes={told} locations={[]} />}
    </BlockStack>
  );
}
