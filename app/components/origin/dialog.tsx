import { Box } from "@shopify/polaris";
import { Modal } from "@shopify/app-bridge-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useReturnFocus } from "../shell/use-return-focus.ts";

export interface DialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  action?: { label: string; onAction(): void; destructive?: boolean; disabled?: boolean };
  children: ReactNode;
}

/** Shopify's modal with one action and a way out. The focus returns to what opened it. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ onClose, title, action, children }: DialogProps) {
  const { t } = useTranslation("common");
  useReturnFocus();
  return (
    <Modal open onHide={onClose}>
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
          {t("cancel")}
        </button>
      </ui-title-bar>
      <Box padding="400">{children}</Box>
    </Modal>
  );
}
