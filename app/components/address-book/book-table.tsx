import { Badge, BlockStack, IndexTable, Link, Text } from "../../polaris/polaris.ts";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { BookRowView, BookView } from "../../views/address-book.ts";
import { CarrierBadges } from "../origins/carrier-badges.tsx";
import { paginationOf } from "../list/pagination.ts";
import type { ChangeQuery } from "../list/use-list-query.ts";
import { useRowsInTurn } from "../hooks/use-rows-in-turn.ts";
import { KindBadges, Ownership } from "./ownership.tsx";

/**
 * One row for each template. On a small screen the cells of a row stand below each other, so that nothing scrolls sideways. Memoised, so
 * that it renders again only for another list.
 */
export const BookTable = memo(function BookTable({ view, change }: { view: BookView; change: ChangeQuery }) {
  const { t } = useTranslation("addressBook");
  const { page } = view.query;
  const rows = useRowsInTurn(view.rows);
  const pagination = paginationOf({ page, pages: view.pages, label: t("page", { page, pages: view.pages }), change });
  return (
    <div className="origen-table">
      <IndexTable
        selectable={false}
        resourceName={{ singular: t("one"), plural: t("many") }}
        itemCount={view.rows.length}
        headings={[
          { title: t("heading.address") },
          { title: t("heading.ownership") },
          { title: t("heading.kind") },
          { title: t("heading.carriers") },
        ]}
        {...(pagination ? { pagination } : {})}
      >
        {rows.map((row, index) => (
          <IndexTable.Row key={row.templateId} id={row.templateId} position={index}>
            <IndexTable.Cell className="origen-wrap">
              <NameAndAddress row={row} />
            </IndexTable.Cell>
            {/* On a small screen, below it, the same name a second time would say nothing. */}
            <IndexTable.Cell className={row.location?.name === row.alias ? "origen-wrap origen-wide" : "origen-wrap"}>
              <Ownership {...row} />
            </IndexTable.Cell>
            <IndexTable.Cell>
              <KindBadges {...row} />
            </IndexTable.Cell>
            <IndexTable.Cell className={row.standings.length > 0 ? "origen-wrap" : "origen-wide"}>
              {row.standings.length > 0 ? <CarrierBadges standings={row.standings} /> : t("notVerified")}
            </IndexTable.Cell>
          </IndexTable.Row>
        ))}
      </IndexTable>
    </div>
  );
});

function NameAndAddress({ row }: { row: BookRowView }) {
  const { t } = useTranslation("addressBook");
  return (
    <BlockStack gap="050">
      <Link dataPrimaryLink removeUnderline url={`/app/address-book/${encodeURIComponent(row.templateId)}`}>
        <Text as="span" fontWeight="semibold">
          {row.alias || row.templateId}
        </Text>
      </Link>
      <Text as="span" tone="subdued" breakWord>
        {[row.contactName, row.address].filter(Boolean).join(" · ")}
      </Text>
      {row.unreadable && (
        <span>
          <Badge tone="warning">{t("unreadable.badge")}</Badge>
        </span>
      )}
    </BlockStack>
  );
}
