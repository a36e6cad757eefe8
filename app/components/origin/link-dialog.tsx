import { BlockStack, Button, InlineStack, Spinner, Text, TextField } from "../../polaris/polaris.ts";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { BookView } from "../../views/address-book.ts";
import { useChange } from "../hooks/use-change.ts";
import { useLoad } from "../hooks/use-load.ts";
import type { LinkPreview } from "../../views/origin.ts";
import { AdoptionChoices } from "./adoption-choices.tsx";
import type { OriginActions } from "./use-origin-actions.ts";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { linkIntent, useLinkChoices } from "./use-link-choices.ts";
import { Dialog } from "../shell/dialog.tsx";

const TYPING_MS = 250;

export interface LinkDialogProps {
  open: boolean;
  legacyId: string;
  onClose(): void;
  actions: OriginActions;
}

/**
 * Searches the address book for a template to link to this location, and shows what linking would keep and change before it is done. Only
 * templates without a link can be chosen. It closes when the app has answered: what did not arrive is sent again by another press.
 */
export function LinkDialog({ open, legacyId, onClose, actions }: LinkDialogProps) {
  const { t } = useTranslation("origin");
  const [chosen, setChosen] = useState<string | null>(null);
  const { data, load } = useLoad<{ preview: LinkPreview }>();
  const preview = data && data.preview.templateId === chosen ? data.preview : null;
  const { contact, choose: chooseSide } = useLinkChoices(preview);
  function choose(templateId: string | null) {
    setChosen(templateId);
    if (templateId !== null) load(`/app/origins/${legacyId}/link/${encodeURIComponent(templateId)}`);
  }
  function close() {
    setChosen(null);
    onClose();
  }
  const { answer, busy, notLinked, send } = actions;
  const isSent = useRef(false);
  function press() {
    if (!preview) return;
    isSent.current = true;
    send(linkIntent(preview, contact));
  }
  useChange(answer, () => {
    if (!isSent.current) return;
    isSent.current = false;
    close();
  });
  const action = { label: t("link.link"), onAction: press, disabled: preview === null || busy === "link" };
  return (
    <Dialog open={open} onClose={close} title={t("link.title")} {...(chosen === null ? {} : { action })}>
      {chosen === null ? (
        <Choose open={open} onChoose={choose} />
      ) : (
        <BlockStack gap="400">
          <InlineStack>
            <Button onClick={() => choose(null)}>{t("link.back")}</Button>
          </InlineStack>
          {preview ? (
            <BlockStack gap="200">
              <Text as="h2" variant="headingSm" breakWord>
                {preview.alias}
              </Text>
              <Text as="p" tone="subdued" breakWord>
                {preview.address}
              </Text>
              <AdoptionChoices
                alias={preview.alias}
                differences={preview.differences}
                contact={contact}
                onChoose={chooseSide}
              />
              <NotTakenNote why={notLinked} />
            </BlockStack>
          ) : (
            <Spinner accessibilityLabel={t("link.loading")} size="small" />
          )}
        </BlockStack>
      )}
    </Dialog>
  );
}

function Choose({ open, onChoose }: { open: boolean; onChoose(templateId: string): void }) {
  const { t } = useTranslation("origin");
  const book = useLoad<{ view: BookView }>();
  const [search, setSearch] = useState("");
  const { load } = book;
  useEffect(() => {
    if (!open) return;
    const timer = setTimeout(() => load(`/app/address-book?q=${encodeURIComponent(search)}`), search ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [open, search, load]);
  const rows = (book.data?.view.rows ?? []).filter(isFree);
  return (
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
                  onClick={() => onChoose(row.templateId)}
                >
                  {t("link.choose")}
                </Button>
              </div>
            </InlineStack>
          </li>
        ))}
      </ul>
    </BlockStack>
  );
}

/** Whether a template has no link and is of the type for ship-from addresses. */
function isFree({ ownership, addressType }: BookView["rows"][number]): boolean {
  return addressType === "from" && (ownership === "orphan" || ownership === "former" || ownership === "by_hand");
}
