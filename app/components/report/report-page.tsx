import { Banner, BlockStack, Button, Card, InlineGrid, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { dayBeginsMs } from "../../domain/zone-days.ts";
import { whoDidIt } from "../../i18n/entry-words.ts";
import type { ActivityEntryView } from "../../views/activity.ts";
import { MOST_LINES } from "../../views/report.ts";
import type { ReportView } from "../../views/report.ts";
import { FieldChanges } from "../activity/field-changes.tsx";
import { useEntryWords } from "../activity/use-entry-words.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useWords } from "../hooks/use-words.ts";
import { DateField } from "../list/date-field.tsx";
import { useListQuery } from "../list/use-list-query.ts";
import { AppPage } from "../shell/app-page.tsx";
import "../origins/origins.css";
import "./report.css";

/** One origin's activity of some days, for somebody outside of the store: on paper, or in the browser's PDF. */
export function ReportPage({ view }: { view: ReportView }) {
  const { t } = useTranslation(["report", "common"]);
  const change = useListQuery();
  const isBackwards = view.from > view.to;
  return (
    <AppPage
      title={t("title", { name: view.name })}
      backAction={{ content: view.name, url: `/app/origins/${view.legacyId}` }}
    >
      <BlockStack gap="400">
        <div className="origen-off-paper">
          <Card>
            <BlockStack gap="300">
              <InlineGrid columns={2} gap="300">
                <DateField label={t("from")} day={view.from} onDay={(day) => change({ from: day })} />
                <DateField
                  label={t("to")}
                  day={view.to}
                  onDay={(day) => change({ to: day })}
                  error={isBackwards ? t("common:daysBackwards") : undefined}
                />
              </InlineGrid>
              <div>
                <Button
                  {...(view.entries.length > 0 ? { variant: "primary" } : {})}
                  disabled={isBackwards}
                  onClick={() => window.print()}
                >
                  {t("print")}
                </Button>
              </div>
            </BlockStack>
          </Card>
        </div>
        {!isBackwards && (
          <Card>
            <BlockStack gap="400">
              <Head view={view} />
              <Text as="h3" variant="headingSm">
                {t("list")}
              </Text>
              {view.entries.length === 0 && <Text as="p">{t("none")}</Text>}
              <ol className="origen-report">
                {view.entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} isOfMany={view.templateIds.length > 1} />
                ))}
              </ol>
            </BlockStack>
          </Card>
        )}
      </BlockStack>
    </AppPage>
  );
}

/** Whose report it is, of which days, and what it is and is not. */
function Head({ view }: { view: ReportView }) {
  const { t } = useTranslation("report");
  const format = useFormat();
  const shownDay = (day: string) => {
    const atMs = dayBeginsMs(day, view.timeZone);
    return atMs === null ? day : format.date(atMs);
  };
  const facts = [
    [t("store"), view.shop],
    [t("origin"), view.name],
    [t("period"), t("days", { from: shownDay(view.from), to: shownDay(view.to) })],
    [t("zone"), t("zoneOf", { zone: format.zone(view.madeAtMs) })],
    ...(view.templateIds.length > 0 ? [[t("address"), view.templateIds.join(", ")]] : []),
    [t("made"), format.dateTime(view.madeAtMs)],
    [t("lines"), format.number(view.total)],
  ] as [string, string][];
  return (
    <BlockStack gap="300">
      <Text as="h2" variant="headingMd">
        <span className="origen-anywhere">{t("heading", { name: view.name })}</span>
      </Text>
      <dl className="origen-diff">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Text as="p">{t("what")}</Text>
      <Text as="p" fontWeight="semibold">
        {t("isNot", { days: view.days })}
      </Text>
      {view.total > MOST_LINES && <Banner tone="warning">{t("more", { total: view.total, most: MOST_LINES })}</Banner>}
    </BlockStack>
  );
}

/** @param isOfMany the address was called otherwise in between, so that each line says which it means. */
function Entry({ entry, isOfMany }: { entry: ActivityEntryView; isOfMany: boolean }) {
  const { t } = useTranslation("report");
  const format = useFormat();
  const words = useWords();
  const { title, detail } = useEntryWords()([entry]);
  const who = whoDidIt(words, entry, { forOthers: true });
  const { atMs, kind, fields, requestId, templateId } = entry;
  const iso = new Date(atMs).toISOString();
  return (
    <li>
      <p className="origen-subdued">
        <time dateTime={iso}>{format.dateTime(atMs)}</time> · {t("utc", { utc: iso.slice(0, 19).replace("T", " ") })}
      </p>
      <Text as="h4" variant="headingSm">
        {title}
      </Text>
      {who && <p>{t("by", { who })}</p>}
      {detail && <p>{detail}</p>}
      {fields.length > 0 && <FieldChanges kind={kind} changes={fields} locations={[]} unfolded />}
      {isOfMany && templateId && <p className="origen-subdued">{t("template", { id: templateId })}</p>}
      {requestId && <p>{t("reference", { id: requestId })}</p>}
    </li>
  );
}
