import { Banner, BlockStack, Link, List, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { UnreadableView } from "../../views/address-book.ts";
import { Age } from "../shell/age.tsx";

/** Rows of the account that cannot be read, each with what is known of it. */
export function UnreadableRows({ rows }: { rows: UnreadableView[] }) {
  const { t } = useTranslation(["addressBook", "common"]);
  if (rows.length === 0) return null;
  return (
    <Banner tone="warning" title={t("unreadable.title", { count: rows.length })}>
      <BlockStack gap="200">
        <Text as="p">{t("unreadable.text", { count: rows.length })}</Text>
        <List>
          {rows.map((row, index) => (
            <List.Item key={row.templateId ?? index}>
              <Row row={row} />
            </List.Item>
          ))}
        </List>
      </BlockStack>
    </Banner>
  );
}

function Row({ row }: { row: UnreadableView }) {
  const { t } = useTranslation("addressBook");
  const { templateId, name, location } = row;
  const link = location && <Link url={`/app/origins/${location.legacyId}`}>{location.name}</Link>;
  // A template that stands for a location mostly has its name, which is told once.
  const isNamedAlike = location?.name === name;
  return (
    <BlockStack gap="050">
      <Text as="span" fontWeight="semibold" breakWord>
        {isNamedAlike ? link : name || templateId || t("unreadable.nameless")}
      </Text>
      {!isNamedAlike && link}
      <UnreadableWhy row={row} />
    </BlockStack>
  );
}

/** Why the row cannot be read, since when, and the request id to give to the service's support. */
export function UnreadableWhy({ row }: { row: Pick<UnreadableView, "what" | "sinceMs" | "requestId"> }) {
  const { t } = useTranslation(["addressBook", "common"]);
  return (
    <Text as="span" tone="subdued" variant="bodySm" breakWord>
      {t(`unreadable.what.${row.what}`)} · {t("unreadable.since")} <Age atMs={row.sinceMs} /> ·{" "}
      {t("common:requestId", { id: row.requestId })}
    </Text>
  );
}
