import { BlockStack, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import { useFormat } from "../hooks/use-format.ts";
import { Dialog } from "../shell/dialog.tsx";

export interface BulkDialogProps {
  intent: "sync" | "verify";
  count: number;
  /** Who is asked. */
  carriers: string[];
  onClose(): void;
  onConfirm(): void;
}

/** Says of many origins what will happen and that it cannot be undone, before it happens. */
export function BulkDialog({ intent, count, carriers, onClose, onConfirm }: BulkDialogProps) {
  const { t } = useTranslation("origins");
  const format = useFormat();
  return (
    <Dialog
      open
      small
      onClose={onClose}
      title={t(`bulk.ask.${intent}.title`, { count })}
      action={{
        label: t(`bulk.${intent}`),
        onAction: () => {
          onConfirm();
          onClose();
        },
      }}
    >
      <BlockStack gap="200">
        <Text as="p">{t(`bulk.ask.${intent}.text`, { carriers: format.list(carriers.map(carrierName)) })}</Text>
        <Text as="p">{t("bulk.ask.final")}</Text>
      </BlockStack>
    </Dialog>
  );
}
