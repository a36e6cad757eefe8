import { useFetcher } from "@remix-run/react";
import { useIndexResourceState } from "@shopify/polaris";
import { memo, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { OriginsView } from "../../views/origins.ts";
import { paginationOf } from "../list/pagination.ts";
import type { ChangeQuery } from "../list/use-list-query.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { NothingHere } from "../shell/nothing-here.tsx";
import { useToast } from "../hooks/use-toast.ts";
import type { OriginsAnswer, OriginsIntent } from "./origins-intent.ts";
import { OriginsTable } from "./origins-table.tsx";

/**
 * The list's rows, the selection, and the bulk actions. Memoised, so that it renders again for another list and not for what is typed above
 * it.
 */
export const OriginsList = memo(function OriginsList({ view, change }: { view: OriginsView; change: ChangeQuery }) {
  const { t } = useTranslation("origins");
  const { query, rows, counts, total, pages, job } = view;
  const items = useMemo(() => rows.map((row) => ({ id: row.locationId })), [rows]);
  const selection = useIndexResourceState(items as { id: string; [key: string]: unknown }[]);
  const { send, busy } = useBulk(selection.clearSelection);

  const act = (intent: OriginsIntent["intent"]) => () =>
    send({
      intent,
      locationIds: selection.allResourcesSelected && total > rows.length ? "filter" : selection.selectedResources,
      query,
    });
  const idle = busy || job?.state === "running";
  // Polaris has no room for a reason beside these buttons, so one that cannot work is not shown; each origin's page says why.
  const closed = view.connection === null || view.connection.closed !== null;
  const intents = (["sync", "verify", "pause", "resume"] as const).filter((intent) => !(closed && intent === "verify"));
  const bulkActions = intents.map((intent) => ({
    content: t(`bulk.${intent}`),
    onAction: act(intent),
    disabled: idle && (intent === "sync" || intent === "verify"),
  }));

  if (rows.length === 0) {
    return (
      <NothingHere
        heading={t(counts.all === 0 ? "empty.heading" : "nothing.heading")}
        text={t(counts.all === 0 ? "empty.text" : "nothing.text")}
      />
    );
  }
  return (
    <OriginsTable
      rows={rows}
      total={total}
      selection={selection}
      bulkActions={bulkActions}
      pagination={paginationOf({ page: query.page, pages, label: t("list.page", { page: query.page, pages }), change })}
    />
  );
});

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
