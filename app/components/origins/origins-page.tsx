import { BlockStack, Card } from "../../polaris/polaris.ts";
import { useLocation } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { isDisconnected } from "../../domain/closed-reason.ts";
import type { OriginsView } from "../../views/origins.ts";
import { useDownload } from "../hooks/use-download.ts";
import { JobProgress } from "../jobs/job-progress.tsx";
import { AsOf } from "../list/as-of.tsx";
import { ListFilters } from "../list/list-filters.tsx";
import { SavedViews } from "../list/saved-views.tsx";
import { useListQuery } from "../list/use-list-query.ts";
import { AppPage } from "../shell/app-page.tsx";
import { ChosenFilters, OriginFilters } from "./origin-filters.tsx";
import { OriginsList } from "./origins-list.tsx";
import "./origins.css";

const TABS = ["all", "needs_you", "under_way", "ready", "not_included"] as const;
const SORTS = ["name", "state", "carriers", "synced"] as const;

/** Every location of the store with what it still needs, and bulk actions. */
export function OriginsPage({ view }: { view: OriginsView }) {
  const { t } = useTranslation("origins");
  const { query, counts } = view;
  const change = useListQuery();
  const { search } = useLocation();
  const { download, loading } = useDownload();
  // Where the store chose no carrier, nobody verified what has nothing open.
  const wordFor = (name: string) => (name === "ready" && view.carriers.length === 0 ? "saved" : name);
  const connected = !isDisconnected(view.connection);
  const review = view.toReview > 0 ? [{ content: t("review", { count: view.toReview }), url: "/app/review" }] : [];
  // The first step, as on Home; what is confirmed before it waits for it. An empty list has its own way on.
  const connect = !connected && counts.all > 0 ? [{ content: t("connect"), url: "/app/settings#connection" }] : [];
  const [primaryAction, ...others] = [...connect, ...review];
  return (
    <AppPage
      title={t("title")}
      fullWidth
      {...(primaryAction ? { primaryAction } : {})}
      {...(counts.all > 0
        ? {
            secondaryActions: [
              ...others,
              { content: t("download"), loading, onAction: () => download(`/app/origins/export${search}`) },
              { content: t("import"), url: "/app/origins/import" },
            ],
          }
        : {})}
    >
      <BlockStack gap="400">
        <JobProgress initial={view.job} />
        <Card padding="0">
          {counts.all > 0 && (
            <ListFilters
              tabs={TABS.map((id) => ({ id, label: t(`tab.${wordFor(id)}`), count: counts[id] }))}
              tab={query.tab}
              onTab={(id) => change({ tab: id === "all" ? null : id, state: null })}
              search={query.search}
              searchLabel={t("list.search")}
              onSearch={(text) => change({ q: text })}
              menu={<SavedViews list="origins" />}
              sort={{
                value: `${query.sort}${query.descending ? "-" : ""}`,
                options: SORTS.flatMap((sort) => [
                  { label: t(`sort.${sort}.up`), value: sort },
                  { label: t(`sort.${sort}.down`), value: `${sort}-` },
                ]),
                onChange: (sort) => change({ sort: sort === "name" ? null : sort }),
              }}
              choices={<OriginFilters view={view} change={change} />}
              chosen={<ChosenFilters view={view} change={change} />}
            />
          )}
          <OriginsList view={view} change={change} />
        </Card>
        {(connected || view.reconciledAtMs !== null) && (
          <AsOf atMs={view.reconciledAtMs} words={t(connected ? "asOf" : "asOfShopify")} never={t("never")} />
        )}
      </BlockStack>
    </AppPage>
  );
}
