import { BlockStack, Card, InlineStack, Spinner } from "../../polaris/polaris.ts";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import type { Refreshed } from "../../book/refresh-address-book.ts";
import { isDisconnected } from "../../domain/closed-reason.ts";
import type { BookView } from "../../views/address-book.ts";
import { AsOf } from "../list/as-of.tsx";
import { ListFilters } from "../list/list-filters.tsx";
import { useToReview } from "../hooks/use-to-review.ts";
import { useListQuery } from "../list/use-list-query.ts";
import { AppPage } from "../shell/app-page.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { Notice } from "../shell/notice.tsx";
import { NothingHere } from "../shell/nothing-here.tsx";
import { BookTable } from "./book-table.tsx";
import { UnreadableRows } from "./unreadable-banner.tsx";
import "../origins/origins.css";

const TABS = ["all", "linked", "orphan", "by_hand"] as const;

/** Every template of the shipping account, with its owner and its carriers' answers. */
export function BookPage({ view }: { view: BookView }) {
  const { t } = useTranslation(["addressBook", "faults", "home"]);
  const { query, rows, counts, failure } = view;
  const change = useListQuery();
  const { refresh, refreshing, refreshed } = useBookRefresh();
  const connected = view.connection?.state === "active";
  const create = connected ? [{ content: t("create"), url: "/app/address-book/new" }] : [];
  // Where locations are still to be confirmed, that fills the book, and its empty list leads there.
  const toReview = useToReview();
  const [primaryAction] = view.counts.all > 0 || toReview === 0 ? create : [];
  // The banner says it already.
  const isTold = failure !== null || (refreshed !== "unreachable" && refreshed !== "too_long");
  const before = isTold ? null : t(refreshed === "too_long" ? "faults:book_too_long" : "unreachable");
  return (
    <AppPage
      title={t("title")}
      subtitle={t("subtitle")}
      fullWidth
      {...(primaryAction ? { primaryAction } : {})}
      secondaryActions={[
        ...(primaryAction ? [] : create),
        ...(connected ? [{ content: t("refresh"), onAction: () => refresh(true), loading: refreshing }] : []),
      ]}
    >
      <BlockStack gap="400">
        {failure ? (
          <Notice tone="warning" title={t("home:troubles.book")}>
            <FailureNote failure={failure} />
          </Notice>
        ) : isDisconnected(view.connection) && counts.all > 0 ? (
          <Notice
            tone="info"
            title={t("empty.disconnected.heading")}
            action={{ content: t("empty.connect"), url: CONNECTION }}
          >
            {t("lastRead")}
          </Notice>
        ) : (
          <UnreadableRows rows={view.unreadable} />
        )}
        <Card padding="0">
          {counts.all > 0 && (
            <ListFilters
              tabs={TABS.map((id) => ({ id, label: t(`tab.${id}`), count: counts[id] }))}
              tab={query.tab}
              onTab={(id) => change({ tab: id === "all" ? null : id })}
              search={query.search}
              searchLabel={t("search")}
              onSearch={(text) => change({ q: text })}
            />
          )}
          {rows.length === 0 ? (
            <Empty view={view} refreshing={refreshing} />
          ) : (
            <BookTable view={view} change={change} />
          )}
        </Card>
        <InlineStack align="center" gap="200">
          {refreshing && <Spinner size="small" accessibilityLabel={t("refreshing")} />}
          <AsOf atMs={view.bookReadAtMs} words={t("asOf")} never={t("neverRead")} {...(before ? { before } : {})} />
        </InlineStack>
      </BlockStack>
    </AppPage>
  );
}

/** Where one connects the account. */
const CONNECTION = "/app/settings#connection";

function Empty({ view, refreshing }: { view: BookView; refreshing: boolean }) {
  const { t } = useTranslation(["addressBook", "origins"]);
  const toReview = useToReview();
  const state = view.connection?.state ?? "disconnected";
  const kind =
    view.counts.all > 0
      ? "nothing"
      : state === "unconfirmed" || state === "invalid"
        ? "halted"
        : isDisconnected(view.connection)
          ? "disconnected"
          : refreshing
            ? "reading"
            : "empty";
  const connect = { content: t("empty.connect"), url: CONNECTION };
  const review = { content: t("origins:review", { count: toReview }), url: "/app/review" };
  const action = kind === "disconnected" ? connect : kind === "empty" && toReview > 0 ? review : null;
  return (
    <NothingHere heading={t(`empty.${kind}.heading`)} text={t(`empty.${kind}.text`)} {...(action ? { action } : {})} />
  );
}

/** The time until the page asks again about a reading that takes long, in milliseconds. */
const LOOK_AGAIN_MS = 2_000;

/** The page shows the stored book at once, and has the account read again in the background. */
function useBookRefresh(): { refresh(force: boolean): void; refreshing: boolean; refreshed: Refreshed | null } {
  // What no person pressed for goes on quietly.
  const [isPressed, setPressed] = useState(false);
  const fetcher = useAction<{ refreshed: Refreshed }>({
    key: "address-book-refresh",
    told: isPressed ? "above" : "nowhere",
  });
  const asked = useRef(false);
  const { submit, state } = fetcher;
  const refreshed = fetcher.data?.refreshed ?? null;
  const isUnderWay = refreshed === "under_way";
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    submit({ force: false }, { method: "post", action: "/app/address-book?index", encType: "application/json" });
  }, [submit]);
  useEffect(() => {
    if (!isUnderWay || state !== "idle") return;
    const again = () =>
      submit({ force: false }, { method: "post", action: "/app/address-book?index", encType: "application/json" });
    const timer = setTimeout(again, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isUnderWay, state, submit]);
  return {
    refresh(force) {
      setPressed(true);
      submit({ force }, { method: "post", action: "/app/address-book?index", encType: "application/json" });
    },
    refreshing: state !== "idle" || isUnderWay,
    refreshed,
  };
}
