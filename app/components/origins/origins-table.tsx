import type { useIndexResourceState } from "@shopify/polaris";
import { Badge, BlockStack, IndexTable, InlineStack, Link, Text, useBreakpoints } from "@shopify/polaris";
import type { IndexTableProps } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OriginRowView } from "../../use-cases/views/origins.ts";
import { Age } from "../shell/age.tsx";
import { CarrierBadges } from "./carrier-badges.tsx";
import { StateBadge } from "./state-badge.tsx";

export interface OriginsTableProps {
  rows: OriginRowView[];
  /** Rows of the whole filter; more than shown means that all pages can be selected. */
  total: number;
  selection: ReturnType<typeof useIndexResourceState>;
  bulkActions: NonNullable<IndexTableProps["promotedBulkActions"]>;
  pagination: IndexTableProps["pagination"];
}

/** One row a location; on a small screen each row is a short card. */
export function OriginsTable({ rows, total, selection, bulkActions, pagination }: OriginsTableProps) {
  const { t } = useTranslation("origins");
  const condensed = useBreakpoints().smDown;
  const more = total > rows.length;
  return (
    <IndexTable
      condensed={condensed}
      resourceName={{ singular: t("list.one"), plural: t("list.many") }}
      itemCount={rows.length}
      selectedItemsCount={selection.allResourcesSelected ? "All" : selection.selectedResources.length}
      onSelectionChange={selection.handleSelectionChange}
      promotedBulkActions={bulkActions}
      hasMoreItems={more}
      {...(more ? { paginatedSelectAllActionText: t("list.selectAll", { count: total }) } : {})}
      headings={[
        { title: t("list.heading.origin") },
        { title: t("list.heading.template") },
        { title: t("list.heading.state") },
        { title: t("list.heading.carriers") },
        { title: t("list.heading.synced") },
      ]}
      pagination={pagination}
    >
      {rows.map((row, index) => (
        <IndexTable.Row
          key={row.locationId}
          id={row.locationId}
          position={index}
          selected={selection.selectedResources.includes(row.locationId)}
          accessibilityLabel={t("list.select", { name: row.name })}
        >
          {condensed ? <CondensedRow row={row} /> : <Cells row={row} />}
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}

function Cells({ row }: { row: OriginRowView }) {
  const { t } = useTranslation("origins");
  return (
    <>
      <IndexTable.Cell className="origen-wrap">
        <NameAndAddress row={row} />
      </IndexTable.Cell>
      <IndexTable.Cell className="origen-wrap">{row.aliasName ?? t("list.noTemplate")}</IndexTable.Cell>
      <IndexTable.Cell>
        <StateAndRest row={row} />
      </IndexTable.Cell>
      <IndexTable.Cell className="origen-wrap">
        <CarrierBadges standings={row.standings} />
      </IndexTable.Cell>
      <IndexTable.Cell>
        <Age atMs={row.syncedAtMs} />
      </IndexTable.Cell>
    </>
  );
}

function CondensedRow({ row }: { row: OriginRowView }) {
  return (
    <div className="origen-condensed">
      <BlockStack gap="150">
        <NameAndAddress row={row} />
        <StateAndRest row={row} />
        <CarrierBadges standings={row.standings} />
      </BlockStack>
    </div>
  );
}

function NameAndAddress({ row }: { row: OriginRowView }) {
  const { t } = useTranslation("origins");
  return (
    <BlockStack gap="050">
      <InlineStack gap="150" wrap>
        <Link dataPrimaryLink removeUnderline url={`/app/origins/${row.legacyId}`}>
          <Text as="span" fontWeight="semibold">
            {row.name}
          </Text>
        </Link>
        {row.isDefault && <Badge>{t("list.default")}</Badge>}
      </InlineStack>
      <Text as="span" tone="subdued" breakWord>
        {row.address}
      </Text>
    </BlockStack>
  );
}

function StateAndRest({ row }: { row: OriginRowView }) {
  const { t } = useTranslation("origins");
  const shown = row.left > 0 && row.state !== "not_included" && row.state !== "paused";
  return (
    <BlockStack gap="050" inlineAlign="start">
      <StateBadge state={row.state} />
      {shown && (
        <Text as="span" tone="subdued" variant="bodySm">
          {t("list.left", { count: row.left })}
        </Text>
      )}
    </BlockStack>
  );
}
