import { BlockStack, IndexTable, Link, Text, useBreakpoints } from "@shopify/polaris";
import type { IndexTableProps } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { BookRowView } from "../../use-cases/views/address-book.ts";
import { CarrierBadges } from "../origins/carrier-badges.tsx";
import { KindBadges, Ownership } from "./ownership.tsx";

/** One row a template; on a small screen each row is a short card. */
export function BookTable({ rows, pagination }: { rows: BookRowView[]; pagination: IndexTableProps["pagination"] }) {
  const { t } = useTranslation("addressBook");
  const condensed = useBreakpoints().smDown;
  return (
    <IndexTable
      condensed={condensed}
      selectable={false}
      resourceName={{ singular: t("one"), plural: t("many") }}
      itemCount={rows.length}
      headings={[
        { title: t("heading.address") },
        { title: t("heading.ownership") },
        { title: t("heading.kind") },
        { title: t("heading.carriers") },
      ]}
      pagination={pagination}
    >
      {rows.map((row, index) => (
        <IndexTable.Row key={row.templateId} id={row.templateId} position={index}>
          {condensed ? (
            <div className="origen-condensed">
              <BlockStack gap="150" inlineAlign="start">
                <NameAndAddress row={row} />
                <Ownership {...row} />
                <KindBadges {...row} />
                {row.standings.length > 0 && <CarrierBadges standings={row.standings} />}
              </BlockStack>
            </div>
          ) : (
            <>
              <IndexTable.Cell className="origen-wrap">
                <NameAndAddress row={row} />
              </IndexTable.Cell>
              <IndexTable.Cell className="origen-wrap">
                <Ownership {...row} />
              </IndexTable.Cell>
              <IndexTable.Cell>
                <KindBadges {...row} />
              </IndexTable.Cell>
              <IndexTable.Cell className="origen-wrap">
                {row.standings.length > 0 ? <CarrierBadges standings={row.standings} /> : t("notVerified")}
              </IndexTable.Cell>
            </>
          )}
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}

function NameAndAddress({ row }: { row: BookRowView }) {
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
    </BlockStack>
  );
}
