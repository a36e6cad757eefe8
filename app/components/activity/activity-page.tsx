import { useLocation, useNavigation, useSearchParams } from "@remix-run/react";
import { BlockStack, Box, Button, Card, InlineStack, Pagination, Select, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { ACTIVITY_TOPICS } from "../../views/activity.ts";
import type { ActivityTopic, ActivityView } from "../../views/activity.ts";
import { DateField } from "../list/date-field.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { useDownload } from "../hooks/use-download.ts";
import { useLocationOptions } from "../hooks/use-location-options.ts";
import { ActivityEntry } from "./activity-entry.tsx";
import { groupEntries } from "../../views/group-entries.ts";

const ACTORS = ["owner", "support", "sync", "shopify", "service", "app"] as const;
const TOPICS = Object.keys(ACTIVITY_TOPICS) as ActivityTopic[];
const OUTCOMES = ["done", "failed", "waiting", "noted"] as const;

/** The activity log: who or what did what. The filter is in the URL's query, so that it can be kept and shared. */
export function ActivityPage({ view }: { view: ActivityView }) {
  const { t } = useTranslation("activity");
  const { entries, total, pages, query } = view;
  const loading = useNavigation().state === "loading";
  const { search } = useLocation();
  const { download, loading: loadingFile } = useDownload();
  const { page: _page, ...filters } = query;
  const filtered = Object.values(filters).some((one) => one !== null);
  return (
    <AppPage
      title={t("title")}
      subtitle={t("subtitle", { days: view.days })}
      {...(total > 0
        ? {
            secondaryActions: [
              {
                content: t("download"),
                loading: loadingFile,
                onAction: () => download(`/app/activity/export${search}`),
              },
            ],
          }
        : {})}
    >
      <BlockStack gap="400">
        <Filters view={view} filtered={filtered} />
        <Card padding="0">
          <Box padding="400" borderBlockEndWidth="025" borderColor="border-secondary">
            <Text as="h2" variant="headingSm">
              {t("count", { total })}
            </Text>
          </Box>
          <div aria-busy={loading}>
            {entries.length === 0 ? (
              <Box padding="400">
                <Text as="p" tone="subdued">
                  {filtered ? t("nothingFound") : t("nothing")}
                </Text>
              </Box>
            ) : (
              <ol className="origen-list">
                {groupEntries(entries).map((group) => (
                  <ActivityEntry key={group[0]!.id} group={group} locations={view.locations} />
                ))}
              </ol>
            )}
          </div>
        </Card>
        {pages > 1 && <Pages page={query.page} pages={pages} />}
      </BlockStack>
    </AppPage>
  );
}

function Filters({ view: { query, locations }, filtered }: { view: ActivityView; filtered: boolean }) {
  const { t } = useTranslation(["activity", "common"]);
  const isBackwards = query.from !== null && query.to !== null && query.from > query.to;
  const [, setSearch] = useSearchParams();
  const choose = (name: string) => (value: string) =>
    setSearch(
      (search) => {
        if (value) search.set(name, value);
        else search.delete(name);
        search.delete("page");
        return search;
      },
      { replace: true, preventScrollReset: true },
    );
  const locationOptions = useLocationOptions(locations, query.locationId);
  const any = { value: "", label: t("filters.any") };
  return (
    <Card>
      <div role="search" aria-label={t("filters.heading")} className="origen-filters">
        <Select
          label={t("filters.location")}
          options={[{ value: "", label: t("filters.anyLocation") }, ...locationOptions]}
          value={query.locationId ?? ""}
          onChange={choose("location")}
        />
        <Select
          label={t("filters.topic")}
          options={[
            { value: "", label: t("filters.anyTopic") },
            ...TOPICS.map((topic) => ({ value: topic, label: t(`topic.${topic}`) })),
          ]}
          value={query.topic ?? ""}
          onChange={choose("topic")}
        />
        <Select
          label={t("filters.actor")}
          options={[any, ...ACTORS.map((actor) => ({ value: actor, label: t(`actor.${actor}`) }))]}
          value={query.actor ?? ""}
          onChange={choose("actor")}
        />
        <Select
          label={t("filters.outcome")}
          options={[any, ...OUTCOMES.map((outcome) => ({ value: outcome, label: t(`outcome.${outcome}`) }))]}
          value={query.outcome ?? ""}
          onChange={choose("outcome")}
        />
        <DateField label={t("filters.from")} day={query.from} onDay={choose("from")} />
        <DateField
          label={t("filters.to")}
          day={query.to}
          onDay={choose("to")}
          error={isBackwards ? t("common:daysBackwards") : undefined}
        />
      </div>
      {filtered && (
        <Box paddingBlockStart="300">
          <Button variant="plain" onClick={() => setSearch({}, { replace: true, preventScrollReset: true })}>
            {t("filters.clear")}
          </Button>
        </Box>
      )}
    </Card>
  );
}

function Pages({ page, pages }: { page: number; pages: number }) {
  const { t } = useTranslation("activity");
  const [, setSearch] = useSearchParams();
  const go = (to: number) =>
    setSearch((search) => {
      search.set("page", String(to));
      return search;
    });
  return (
    <InlineStack align="center">
      <Pagination
        label={t("page", { page, pages })}
        hasPrevious={page > 1}
        hasNext={page < pages}
        onPrevious={() => go(page - 1)}
        onNext={() => go(page + 1)}
        accessibilityLabels={{ previous: t("previous"), next: t("next") }}
      />
    </InlineStack>
  );
}
