import { BlockStack, ChoiceList, Text, TextField } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { carrierKey, carrierName } from "../../domain/verification/carriers.ts";
import { Dialog } from "../shell/dialog.tsx";

export interface VerifyDialogProps {
  open: boolean;
  onClose(): void;
  known: readonly string[];
  chosen: string[];
  others: readonly string[];
  /** The account holds another address than the location is to have. */
  byAccount: boolean;
  onVerify(carriers: string[]): void;
}

/** Choice of carriers to ask: known ones, suggested ones, and any other by name. */
export function VerifyDialog({ open, onClose, known, chosen, others, byAccount, onVerify }: VerifyDialogProps) {
  const { t } = useTranslation("origin");
  const [selected, setSelected] = useState(chosen);
  const [typed, setTyped] = useState("");
  const named = carrierKey(typed);
  const carriers = [...new Set([...selected, ...(named ? [named] : [])])];
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("verification.dialog.title")}
      action={{
        label: t("verification.dialog.action"),
        disabled: carriers.length === 0,
        onAction: () => {
          onVerify(carriers);
          onClose();
        },
      }}
    >
      <BlockStack gap="400">
        <ChoiceList
          allowMultiple
          title={t("verification.dialog.carriers")}
          choices={[...known, ...others].map((carrier) => ({ label: carrierName(carrier), value: carrier }))}
          selected={selected}
          onChange={setSelected}
        />
        <TextField
          label={t("verification.dialog.other")}
          helpText={t("verification.dialog.otherHelp")}
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
        {byAccount && <Text as="p">{t("verification.asThere")}</Text>}
        <Text as="p">{t("final.verify")}</Text>
      </BlockStack>
    </Dialog>
  );
}
