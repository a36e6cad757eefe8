import { Badge, BlockStack, Button, Card, InlineStack, List, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { ChangedRow, ImportPreview, RefusedRow } from "../../views/import.ts";
import { FieldChanges } from "../activity/field-changes.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { RowsInPages } from "./rows-in-pages.tsx";
import { useFaultWords } from "./use-fault-words.ts";
import type { Import } from "./use-import.ts";

/** What a file would change, what is refused and why, and the button that has it written. */
export function ImportPreviewCards({ read, form }: { read: ImportPreview; form: Import }) {
  const { t } = useTranslation("import");
  return (
    <>
      <Summary read={read} form={form} />
      {read.refused.length > 0 && (
        <RowsInPages title={t("refused.title", { count: read.refused.length })} rows={read.refused}>
          {(row) => <Refused row={row} />}
        </RowsInPages>
      )}
      {read.changed.length > 0 && (
        <RowsInPages title={t("changed.title", { count: read.changed.length })} rows={read.changed}>
          {(row) => <Changed row={row} isNews={form.differing.has(row.locationId)} />}
        </RowsInPages>
      )}
    </>
  );
}

function Summary({ read, form }: { read: ImportPreview; form: Import }) {
  const { t } = useTranslation("import");
  const { changed, refused, unchanged, rows } = read;
  const isNew = changed.filter((row) => row.isNew).length;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          <span className="origen-anywhere">{t("summary.title", { name: form.name, count: rows })}</span>
        </Text>
        <List>
          <List.Item>{t("summary.changed", { count: changed.length })}</List.Item>
          {refused.length > 0 && <List.Item>{t("summary.refused", { count: refused.length })}</List.Item>}
          {unchanged > 0 && <List.Item>{t("summary.unchanged", { count: unchanged })}</List.Item>}
          {isNew > 0 && <List.Item>{t("summary.new", { count: isNew })}</List.Item>}
          <Notes read={read} />
        </List>
        {changed.length > 0 && (
          <InlineStack>
            <Button variant="primary" onClick={form.confirm} loading={form.state === "confirming"}>
              {t("confirm", { count: changed.length })}
            </Button>
          </InlineStack>
        )}
      </BlockStack>
    </Card>
  );
}

/** What the owner may not expect of how the file was read. */
function Notes({ read }: { read: ImportPreview }) {
  const { t } = useTranslation(["import", "common"]);
  const format = useFormat();
  const { columnName } = useFaultWords();
  const { harmless, unknown, unknownCount, missing, encoding } = read;
  return (
    <>
      {harmless.map(({ column, count, said, row }) => (
        <List.Item key={column}>{t("notes.harmless", { column: columnName(column), count, said, row })}</List.Item>
      ))}
      {encoding === "windows-1252" && <List.Item>{t("notes.windows")}</List.Item>}
      {unknownCount > 0 && (
        <List.Item>
          {t("notes.unknown", {
            columns: format.list(unknown.map((heading) => t("notes.quoted", { heading }))),
            count: unknownCount,
            more: unknownCount - unknown.length,
          })}
        </List.Item>
      )}
      {missing.length > 0 && (
        <List.Item>
          {t("notes.missing", { columns: format.list(missing.map(columnName)), count: missing.length })}
        </List.Item>
      )}
    </>
  );
}

function RowName({ row, name }: { row: number; name: string }) {
  const { t } = useTranslation("import");
  return (
    <Text as="h3" variant="headingSm">
      <span className="origen-anywhere">{name === "" ? t("rowAlone", { row }) : t("rowName", { row, name })}</span>
    </Text>
  );
}

function Refused({ row: { row, name, faults } }: { row: RefusedRow }) {
  const words = useFaultWords();
  return (
    <BlockStack gap="100">
      <RowName row={row} name={name} />
      {faults.map((fault, index) => (
        <Text as="p" key={index} breakWord>
          {words.ofRow(fault)}
        </Text>
      ))}
    </BlockStack>
  );
}

function Changed({ row: { row, name, changes, isNew }, isNews }: { row: ChangedRow; isNews: boolean }) {
  const { t } = useTranslation(["import", "common"]);
  const guesses = changes.filter(({ isGuess }) => isGuess);
  return (
    <BlockStack gap="100">
      <InlineStack gap="200" blockAlign="center">
        <RowName row={row} name={name} />
        {isNews && <Badge tone="attention">{t("changed.news")}</Badge>}
        {isNew && <Badge>{t("changed.new")}</Badge>}
      </InlineStack>
      <FieldChanges kind="details_saved" changes={changes.filter(({ isGuess }) => !isGuess)} locations={[]} />
      {guesses.map(({ field, to }) => (
        <Text as="p" key={field} breakWord>
          {t("changed.guess", { column: t(`common:fields.${field}`), said: to })}
        </Text>
      ))}
    </BlockStack>
  );
}
