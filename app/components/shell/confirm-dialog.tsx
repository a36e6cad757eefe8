import { Modal } from "@shopify/app-bridge-react";
import { Box } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useReturnFocus } from "./use-return-focus.ts";

export interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** What the button does, as its label: "Delete", never "OK". */
  confirm: string;
  destructive?: boolean;
  /** While the action runs: both buttons are off. */
  busy?: boolean;
  onConfirm(): void;
  onClose(): void;
  /** What will happen. */
  children: ReactNode;
}

/** Asks before something that cannot be undone, in Shopify's own dialog; the focus returns to where it was. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: ConfirmDialogProps) {
  const { title, confirm, destructive = false, busy = false, onConfirm, onClose, children } = props;
  const { t } = useTranslation("common");
  useReturnFocus();
  return (
    <Modal open onHide={onClose} variant="small">
      <Box padding="400">{children}</Box>
      <ui-title-bar title={title}>
        <button variant="primary" {...(destructive ? { tone: "critical" } : {})} disabled={busy} onClick={onConfirm}>
          {confirm}
        </button>
        <button disabled={busy} onClick={onClose}>
          {t("cancel")}
        </button>
      </ui-title-bar>
    </Modal>
  );
}
