import { BlockStack, Card, InlineStack, Pagination, Text } from "../../polaris/polaris.ts";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../hooks/use-format.ts";

/** Rows shown at once: a file may have thousands. */
const ROWS_SHOWN = 25;

export interface RowsInPagesProps<R> {
  title: string;
  rows: readonly R[];
  children: (row: R) => ReactNode;
}

/** A card with a list of a file's rows, some of them at a time. */
export function RowsInPages<R extends { row: number }>({ title, rows, children }: RowsInPagesProps<R>) {
  const { t } = useTranslation("import");
  const format = useFormat();
  const [asked, setPage] = useState(0);
  const pages = Math.ceil(rows.length / ROWS_SHOWN);
  const page = Math.min(asked, pages - 1);
  const from = page * ROWS_SHOWN;
  const shown = rows.slice(from, from + ROWS_SHOWN);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        <ul className="origen-plain-list">
          {shown.map((row) => (
            <li key={row.row}>{children(row)}</li>
          ))}
        </ul>
        {pages > 1 && (
          <InlineStack align="center">
            <Pagination
              hasPrevious={page > 0}
              hasNext={page < pages - 1}
              onPrevious={() => setPage(page - 1)}
              onNext={() => setPage(page + 1)}
              label={t("page", {
                from: format.number(from + 1),
                to: format.number(from + shown.length),
                of: format.number(rows.length),
              })}
              accessibilityLabel={title}
            />
          </InlineStack>
        )}
      </BlockStack>
    </Card>
  );
}
