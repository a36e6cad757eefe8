import { useFetcher } from "@remix-run/react";
import { BlockStack, Box, Card, Tag, useIndexResourceState } from "@shopify/polaris";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { OriginsView } from "../../use-cases/views/origins.ts";
import { JobProgress } from "../jobs/job-progress.tsx";
import { useAnnounce } from "../shell/announcer.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { NothingHere } from "../shell/nothing-here.tsx";
import { useToast } from "../shell/use-toast.ts";
import { paginationOf } from "../list/pagination.ts";
import { AsOf } from "../list/as-of.tsx";
import { ListFilters } from "../list/list-filters.tsx";
import { OriginsTable } from "./origins-table.tsx";
import { useListQuery } from "../list/use-list-query.ts";
import type { OriginsAnswer, OriginsIntent } from "./origins-intent.ts";
import "./origins.css";

const TABS = ["all", "needs_you", "under_way", "ready", "not_included"] as const;
const SORTS = ["name", "state", "synced"] as const;

/** Every location of the store, what it still needs, and what can be done to many at once. */
export function OriginsPage({ view }: { view: OriginsView }) {
  const { t } = useTranslation("origins");
  const { query, rows, counts, total, pages, job } = view;
  const { typed, type, change } = useListQuery(query.search);
  const items = rows.map((row) => ({ id: row.locationId }));
  const selection = useIndexResourceState(items as { id: string; [key: string]: unknown }[]);
  const { send, busy } = useBulk(selection.clearSelection);

  const act = (intent: OriginsIntent["intent"]) => () =>
    send({
      intent,
      locationIds: selection.allResourcesSelected && total > rows.length ? "filter" : selection.selectedResources,
      query,
    });
  const idle = busy || job?.state === "running";
  const bulkActions = (["sync", "verify", "pause", "resume"] as const).map((intent) => ({
    content: t(`bulk.${intent}`),
    onAction: act(intent),
    disabled: idle && (intent === "sync" || intent === "verify"),
  }));

  return (
    <AppPage
      title={t("title")}
      fullWidth
      {...(view.toReview > 0
        ? { primaryAction: { content: t("review", { count: view.toReview }), url: "/app/review" } }
        : {})}
    >
      <BlockStack gap="400">
        <JobProgress initial={job} />
        <Card padding="0">
          {counts.all > 0 && (
            <ListFilters
              tabs={TABS.map((id) => ({ id, label: t(`tab.${id}`), count: counts[id] }))}
              tab={query.tab}
              onTab={(id) => change({ tab: id === "all" ? null : id, state: null })}
              search={typed}
              searchLabel={t("list.search")}
              onSearch={type}
              sort={{
                value: `${query.sort}${query.descending ? "-" : ""}`,
                options: SORTS.flatMap((sort) => [
                  { label: t(`sort.${sort}.up`), value: sort },
                  { label: t(`sort.${sort}.down`), value: `${sort}-` },
                ]),
                onChange: (sort) => change({ sort: sort === "name" ? null : sort }),
              }}
            />
          )}
          {query.state && (
            <Box paddingInline="300" paddingBlockEnd="300">
              <Tag onRemove={() => change({ state: null })}>
                {t("list.onlyState", { state: t(`state.${query.state}`) })}
              </Tag>
            </Box>
          )}
          {rows.length === 0 ? (
            <NothingHere
              heading={t(counts.all === 0 ? "empty.heading" : "nothing.heading")}
              text={t(counts.all === 0 ? "empty.text" : "nothing.text")}
            />
          ) : (
            <OriginsTable
              rows={rows}
              total={total}
              selection={selection}
              bulkActions={bulkActions}
              pagination={paginationOf({
                page: query.page,
                pages,
                label: t("list.page", { page: query.page, pages }),
                change,
              })}
            />
          )}
        </Card>
        <AsOf atMs={view.reconciledAtMs} words={t("asOf")} never={t("never")} />
      </BlockStack>
    </AppPage>
  );
}

function useBulk(done: () => void): { send(intent: OriginsIntent): void; busy: boolean } {
  const { t } = useTranslation("origins");
  const fetcher = useFetcher<OriginsAnswer>();
  const toast = useToast();
  const announce = useAnnounce();
  const { data } = fetcher;
  useEffect(() => {
    if (!data) return;
    const words = t(`answer.${data.kind}`, { count: "count" in data ? data.count : 0 });
    toast(words);
    announce(words);
    if (data.kind !== "busy") done();
    // Once an answer, whatever else changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data]);
  return {
    send: (intent) =>
      fetcher.submit(intent as unknown as Record<string, string>, { method: "post", encType: "application/json" }),
    busy: fetcher.state !== "idle",
  };
}
