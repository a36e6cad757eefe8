import { BlockStack, List, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { Dialog } from "../shell/dialog.tsx";

export interface DeleteDialogProps {
  open: boolean;
  onClose(): void;
  /** The location, if the template stands for one. */
  locationName: string | null;
  alias: string;
  onDelete(): void;
}

/** Says what deleting a template does before it is deleted. */
export function DeleteDialog({ open, onClose, locationName, alias, onDelete }: DeleteDialogProps) {
  const { t } = useTranslation("origin");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("delete.title")}
      action={{
        label: t("delete.action"),
        destructive: true,
        onAction: () => {
          onDelete();
          onClose();
        },
      }}
      small
    >
      <BlockStack gap="300">
        <Text as="p">{t("delete.what", { alias })}</Text>
        <List>
          <List.Item>{t("delete.permanent")}</List.Item>
          {locationName && <List.Item>{t("delete.location", { name: locationName })}</List.Item>}
          {locationName && <List.Item>{t("delete.shopify")}</List.Item>}
          <List.Item>{t("delete.labels")}</List.Item>
        </List>
      </BlockStack>
    </Dialog>
  );
}
