import { useIndexResourceState } from "../../polaris/polaris.ts";
import { memo, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OriginsView } from "../../views/origins.ts";
import { paginationOf } from "../list/pagination.ts";
import type { ChangeQuery } from "../list/use-list-query.ts";
import { LOCATIONS_IN_SHOPIFY } from "../shell/in-shopify.ts";
import { NothingHere } from "../shell/nothing-here.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import type { OriginsIntent } from "./origins-intent.ts";
import { OriginsTable } from "./origins-table.tsx";
import { useBulk } from "./use-bulk.ts";

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

  const [asking, setAsking] = useState<"sync" | "verify" | null>(null);

  const isWholeFilter = selection.allResourcesSelected && total > rows.length;
  const act = (intent: OriginsIntent["intent"]) =>
    send({ intent, locationIds: isWholeFilter ? "filter" : selection.selectedResources, query });
  // What can be taken back is done at once, and so is what asks nobody; before the rest the page says that it is final.
  const press = (intent: OriginsIntent["intent"]) => () =>
    intent === "sync" || (intent === "verify" && view.carriers.length > 0) ? setAsking(intent) : act(intent);
  const idle = busy || job?.state === "running";
  // Polaris has no room for a reason beside these buttons, so one that cannot work is not shown; each origin's page says why.
  const closed = view.connection === null || view.connection.closed !== null;
  const intents = (["sync", "verify", "pause", "resume"] as const).filter((intent) => !(closed && intent === "verify"));
  const bulkActions = intents.map((intent) => ({
    content: t(`bulk.${intent}`),
    onAction: press(intent),
    disabled: idle && (intent === "sync" || intent === "verify"),
  }));

  if (rows.length === 0) {
    return (
      <NothingHere
        heading={t(counts.all === 0 ? "empty.heading" : "nothing.heading")}
        text={t(counts.all === 0 ? "empty.text" : "nothing.text")}
        {...(counts.all === 0 ? { action: { content: t("empty.action"), ...LOCATIONS_IN_SHOPIFY } } : {})}
      />
    );
  }
  return (
    <>
      <OriginsTable
        rows={rows}
        total={total}
        query={query}
        change={change}
        selection={selection}
        bulkActions={bulkActions}
        pagination={paginationOf({
          page: query.page,
          pages,
          label: t("list.page", { page: query.page, pages }),
          change,
        })}
      />
      {asking && (
        <BulkDialog
          intent={asking}
          count={isWholeFilter ? total : selection.selectedResources.length}
          carriers={view.carriers}
          onClose={() => setAsking(null)}
          onConfirm={() => act(asking)}
        />
      )}
    </>
  );
});
