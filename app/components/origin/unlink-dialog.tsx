import { BlockStack, List, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { Dialog } from "../shell/dialog.tsx";

export interface UnlinkDialogProps {
  open: boolean;
  onClose(): void;
  locationName: string;
  alias: string;
  onUnlink(): void;
}

/** Says what unlinking a template leaves behind, before it is unlinked. */
export function UnlinkDialog({ open, onClose, locationName, alias, onUnlink }: UnlinkDialogProps) {
  const { t } = useTranslation("origin");
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("unlinkAsk.title")}
      action={{
        label: t("unlink"),
        onAction: () => {
          onUnlink();
          onClose();
        },
      }}
      small
    >
      <BlockStack gap="300">
        <Text as="p">{t("unlinkAsk.stays", { alias })}</Text>
        <List>
          <List.Item>{t("unlinkAsk.changes")}</List.Item>
          <List.Item>{t("delete.location", { name: locationName })}</List.Item>
          <List.Item>{t("delete.shopify")}</List.Item>
          <List.Item>{t("unlinkAsk.back")}</List.Item>
        </List>
      </BlockStack>
    </Dialog>
  );
}
