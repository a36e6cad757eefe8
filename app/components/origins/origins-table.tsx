import type { useIndexResourceState } from "../../polaris/polaris.ts";
import { Badge, IndexTable, Link, Text } from "../../polaris/polaris.ts";
import type { IndexTableProps } from "../../polaris/polaris.ts";
import { memo, useDeferredValue, useMemo } from "react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { OriginRowView, OriginSort, OriginsQuery } from "../../views/origins.ts";
import type { ChangeQuery } from "../list/use-list-query.ts";
import { Why } from "../list/why.tsx";
import { Age } from "../shell/age.tsx";
import { useMoveWords } from "../move/use-move-words.ts";
import { useRowsInTurn } from "../hooks/use-rows-in-turn.ts";
import { CarriersCell } from "./carriers-cell.tsx";
import { StateBadge } from "./state-badge.tsx";

export interface OriginsTableProps {
  rows: OriginRowView[];
  /** How many rows the filter matches. If that is more than shown, all pages can be selected. */
  total: number;
  query: OriginsQuery;
  change: ChangeQuery;
  selection: ReturnType<typeof useIndexResourceState>;
  bulkActions: { content: string; onAction(): void; disabled: boolean }[];
  /** Null when one page is enough. */
  pagination: NonNullable<IndexTableProps["pagination"]> | null;
}

/** Actions beyond this number go into the menu of further ones, which Polaris shows only if there are any. */
const PROMOTED = 2;

/** What each column is sorted by. */
const COLUMNS: (OriginSort | null)[] = ["name", null, "state", "carriers", "synced"];

/** One line for each location. On a small screen it has two, so that nothing scrolls sideways. */
export function OriginsTable({ rows, total, query, change, selection, bulkActions, pagination }: OriginsTableProps) {
  const { t } = useTranslation("origins");
  const more = total > rows.length;
  const shown = useRowsInTurn(rows);
  const selected = useTicked(selection.selectedResources);
  return (
    <div className="origen-table origen-table-selectable origen-lines" onMouseDown={markNoText}>
      <IndexTable
        resourceName={{ singular: t("list.one"), plural: t("list.many") }}
        itemCount={rows.length}
        selectedItemsCount={selection.allResourcesSelected ? "All" : selection.selectedResources.length}
        onSelectionChange={selection.handleSelectionChange}
        promotedBulkActions={bulkActions.slice(0, PROMOTED)}
        bulkActions={bulkActions.slice(PROMOTED)}
        hasMoreItems={more}
        {...(more ? { paginatedSelectAllActionText: t("list.selectAll", { count: total }) } : {})}
        headings={[
          { title: t("list.heading.origin") },
          { title: t("list.heading.place") },
          { title: t("list.heading.state") },
          { title: t("list.heading.carriers") },
          { title: t("list.heading.synced") },
        ]}
        sortable={COLUMNS.map((sort) => sort !== null)}
        defaultSortDirection="ascending"
        sortDirection={query.descending ? "descending" : "ascending"}
        sortColumnIndex={COLUMNS.indexOf(query.sort)}
        onSort={(column, direction) => {
          const sort = `${COLUMNS[column]}${direction === "descending" ? "-" : ""}`;
          change({ sort: sort === "name" ? null : sort });
        }}
        {...(pagination ? { pagination } : {})}
      >
        {shown.map((row, index) => (
          <OriginRow key={row.locationId} row={row} position={index} selected={selected.has(row.locationId)} />
        ))}
      </IndexTable>
    </div>
  );
}

/**
 * The rows to render as selected. A single tick shows at once. Where many change, the bar with their number comes first and the ticks
 * follow, so that "select all" responds before every row is rendered.
 */
function useTicked(selectedIds: string[]): ReadonlySet<string> {
  const drawnIds = useDeferredValue(selectedIds);
  const shownIds = Math.abs(selectedIds.length - drawnIds.length) > 1 ? drawnIds : selectedIds;
  return useMemo(() => new Set(shownIds), [shownIds]);
}

/** A press with the shift key selects rows; without this the browser would also select the text between them. */
function markNoText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

interface OriginRowProps {
  row: OriginRowView;
  position: number;
  selected: boolean;
}

const OriginRow = memo(function OriginRow({ row, position, selected }: OriginRowProps) {
  const { t } = useTranslation("origins");
  return (
    <IndexTable.Row
      id={row.locationId}
      position={position}
      selected={selected}
      accessibilityLabel={t("list.select", { name: row.name })}
    >
      <Cells row={row} />
    </IndexTable.Row>
  );
});

/** Memoised apart from its row, because the selection changes nothing in these cells. */
const Cells = memo(function Cells({ row }: { row: OriginRowView }) {
  return (
    <>
      <IndexTable.Cell>
        <Name row={row} />
      </IndexTable.Cell>
      <IndexTable.Cell className="origen-wide">
        <span className="origen-subdued" title={row.address}>
          {row.place}
        </span>
      </IndexTable.Cell>
      <IndexTable.Cell>
        <State row={row} />
      </IndexTable.Cell>
      {row.state === "not_included" ? (
        <IndexTable.Cell className="origen-wide">—</IndexTable.Cell>
      ) : (
        <IndexTable.Cell>
          <CarriersCell standings={row.standings} />
        </IndexTable.Cell>
      )}
      <IndexTable.Cell className="origen-wide">
        <Age atMs={row.syncedAtMs} />
      </IndexTable.Cell>
    </>
  );
});

function Name({ row }: { row: OriginRowView }) {
  const { t } = useTranslation("origins");
  return (
    <span className="origen-name">
      <Link dataPrimaryLink removeUnderline url={`/app/origins/${row.legacyId}`}>
        <Text as="span" fontWeight="semibold">
          {row.name}
        </Text>
      </Link>
      {row.isDefault && <Badge>{t("list.default")}</Badge>}
    </span>
  );
}

function State({ row }: { row: OriginRowView }) {
  const { t } = useTranslation("origins");
  const lacks = row.missing > 0 && (row.state === "to_review" || row.state === "incomplete");
  const moveWords = useMoveWords();
  const why = [
    ...(row.move ? [moveWords(row.move)] : []),
    ...(lacks ? [t("list.missing", { count: row.missing })] : []),
    ...(row.abroad ? [t("list.abroad")] : []),
  ];
  return (
    <Why lines={why}>
      <StateBadge known={row} />
    </Why>
  );
}
