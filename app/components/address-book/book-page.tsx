import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Card, EmptyState, InlineStack, Spinner, Text } from "@shopify/polaris";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Refreshed } from "../../use-cases/refresh-address-book.ts";
import type { BookView } from "../../use-cases/views/address-book.ts";
import { ListFilters } from "../origins/list-filters.tsx";
import { paginationOf } from "../origins/pagination.ts";
import { useListQuery } from "../origins/use-list-query.ts";
import { Age } from "../shell/age.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { BookTable } from "./book-table.tsx";
import "../origins/origins.css";

const TABS = ["all", "linked", "orphan", "by_hand"] as const;

/** Every address of the shipping account: whose each is, and what the carriers say. */
export function BookPage({ view }: { view: BookView }) {
  const { t } = useTranslation("addressBook");
  const { query, rows, counts, pages } = view;
  const { typed, type, change } = useListQuery(query.search);
  const { refresh, refreshing, refreshed } = useBookRefresh();
  const connected = view.connection?.state === "active";
  return (
    <AppPage
      title={t("title")}
      subtitle={t("subtitle")}
      fullWidth
      {...(connected ? { primaryAction: { content: t("create"), url: "/app/address-book/new" } } : {})}
      secondaryActions={
        connected ? [{ content: t("refresh"), onAction: () => refresh(true), loading: refreshing }] : []
      }
    >
      <BlockStack gap="400">
        {refreshed === "unreachable" && <Banner tone="warning">{t("unreachable")}</Banner>}
        <Card padding="0">
          <ListFilters
            tabs={TABS.map((id) => ({ id, label: t(`tab.${id}`), count: counts[id] }))}
            tab={query.tab}
            onTab={(id) => change({ tab: id === "all" ? null : id })}
            search={typed}
            searchLabel={t("search")}
            onSearch={type}
          />
          {rows.length === 0 ? (
            <Empty view={view} refreshing={refreshing} />
          ) : (
            <BookTable
              rows={rows}
              pagination={paginationOf({
                page: query.page,
                pages,
                label: t("page", { page: query.page, pages }),
                change,
              })}
            />
          )}
        </Card>
        <InlineStack align="center" gap="200">
          {refreshing && <Spinner size="small" accessibilityLabel={t("refreshing")} />}
          <Text as="p" tone="subdued">
            {view.bookReadAtMs === null ? (
              t("neverRead")
            ) : (
              <>
                {t("asOf")} <Age atMs={view.bookReadAtMs} />
              </>
            )}
          </Text>
        </InlineStack>
      </BlockStack>
    </AppPage>
  );
}

function Empty({ view, refreshing }: { view: BookView; refreshing: boolean }) {
  const { t } = useTranslation("addressBook");
  const kind =
    view.connection?.state !== "active"
      ? "disconnected"
      : view.counts.all > 0
        ? "nothing"
        : refreshing
          ? "reading"
          : "empty";
  const action = kind === "disconnected" ? { action: { content: t("empty.connect"), url: "/app/settings" } } : {};
  return (
    <EmptyState heading={t(`empty.${kind}.heading`)} image="" {...action}>
      <p>{t(`empty.${kind}.text`)}</p>
    </EmptyState>
  );
}

/** The page shows what we last knew; behind it the account is read once more. */
function useBookRefresh(): { refresh(force: boolean): void; refreshing: boolean; refreshed: Refreshed | null } {
  const fetcher = useFetcher<{ refreshed: Refreshed }>({ key: "address-book-refresh" });
  const asked = useRef(false);
  const { submit } = fetcher;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    submit({ force: false }, { method: "post", action: "/app/address-book?index", encType: "application/json" });
  }, [submit]);
  return {
    refresh: (force) =>
      submit({ force }, { method: "post", action: "/app/address-book?index", encType: "application/json" }),
    refreshing: fetcher.state !== "idle",
    refreshed: fetcher.data?.refreshed ?? null,
  };
}
