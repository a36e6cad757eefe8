import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, InlineStack, Spinner, Text, TextField } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookRowView, BookView } from "../../views/address-book.ts";
import { Dialog } from "../shell/dialog.tsx";

const TYPING_MS = 250;

/** Searches the address book for a template to link to this location. Only templates without a link can be chosen. */
export function LinkDialog({
  open,
  onClose,
  onLink,
}: {
  open: boolean;
  onClose(): void;
  onLink(row: BookRowView): void;
}) {
  const { t } = useTranslation("origin");
  const book = useFetcher<{ view: BookView }>();
  const [search, setSearch] = useState("");
  const { load } = book;
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => load(`/app/address-book?q=${encodeURIComponent(search)}`), search ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [open, search, load]);
  const rows = (book.data?.view.rows ?? []).filter(isFree);
  return (
    <Dialog open={open} onClose={onClose} title={t("link.title")}>
      <BlockStack gap="400">
        <Text as="p">{t("link.text")}</Text>
        <TextField
          label={t("link.search")}
          type="search"
          autoComplete="off"
          value={search}
          onChange={setSearch}
          clearButton
          onClearButtonClick={() => setSearch("")}
        />
        {!book.data && <Spinner accessibilityLabel={t("link.searching")} size="small" />}
        {book.data && rows.length === 0 && <Text as="p">{t("link.none")}</Text>}
        <ul className="origen-plain-list" aria-label={t("link.found")}>
          {rows.map((row) => (
            <li key={row.templateId}>
              <InlineStack align="space-between" gap="300" wrap={false} blockAlign="center">
                <BlockStack gap="050">
                  <Text as="span" fontWeight="medium" breakWord>
                    {row.alias}
                  </Text>
                  <Text as="span" tone="subdued" breakWord>
                    {row.address}
                  </Text>
                </BlockStack>
                <div className="origen-whole">
                  <Button
                    accessibilityLabel={t("link.chooseNamed", { alias: row.alias })}
                    onClick={() => {
                      onLink(row);
                      onClose();
                    }}
                  >
                    {t("link.choose")}
                  </Button>
                </div>
              </InlineStack>
            </li>
          ))}
        </ul>
      </BlockStack>
    </Dialog>
  );
}

/** Whether a template has no link and is of the type for ship-from addresses. */
function isFree({ ownership, addressType }: BookView["rows"][number]): boolean {
  return addressType === "from" && (ownership === "orphan" || ownership === "by_hand");
}
