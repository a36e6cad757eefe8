import { Modal } from "@shopify/app-bridge-react";
import { Box } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useUnsaved } from "../outage/unsaved.ts";
import { useReturnFocus } from "../hooks/use-return-focus.ts";

export interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** The label says what the button does: "Delete", never "OK". */
  action?: { label: string; onAction(): void; destructive?: boolean; disabled?: boolean };
  /** What the other button says where "Cancel" could be taken for the action. */
  closeLabel?: string;
  /** As narrow as a question of a few lines. */
  small?: boolean;
  children: ReactNode;
}

/** Shopify's own dialog, with one action and a cancel button. The focus returns to the element that opened it. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ onClose, title, action, closeLabel, small = false, children }: DialogProps) {
  const { t } = useTranslation("common");
  useReturnFocus();
  useUnsaved(true);
  return (
    <Modal open onHide={onClose} {...(small ? { variant: "small" as const } : {})}>
      <Box padding="400">{children}</Box>
      <ui-title-bar title={title}>
        {action && (
          <button
            variant="primary"
            type="button"
            disabled={action.disabled ?? false}
            onClick={action.onAction}
            {...(action.destructive ? { tone: "critical" as const } : {})}
          >
            {action.label}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {closeLabel ?? t("cancel")}
        </button>
      </ui-title-bar>
    </Modal>
  );
}
