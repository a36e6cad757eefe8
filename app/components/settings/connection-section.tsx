import { Banner, BlockStack, Button, ButtonGroup, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import { useCallback, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isDisconnected } from "../../domain/closed-reason.ts";
import type { ConnectionView } from "../../views/settings.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { useChange } from "../hooks/use-change.ts";
import { useTellOnce } from "../hooks/use-tell-once.ts";
import { useToReview } from "../hooks/use-to-review.ts";
import { useToast } from "../hooks/use-toast.ts";
import { ConnectionStatus } from "./connection-status.tsx";
import { CredentialsForm } from "./credentials-form.tsx";
import { useSettingsAction } from "./use-settings-action.ts";

/** The shipping account: connected or not, and how to change that. */
export function ConnectionSection({ connection }: { connection: ConnectionView | null }) {
  const { t } = useTranslation("settings");
  const [changing, setChanging] = useState<"secret" | "account" | null>(null);
  const [isNew, setNew] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const tell = useTell();
  const connected = useCallback(() => {
    setChanging(null);
    tell(t("connection.connected"));
  }, [t, tell]);
  const cancel = () => setChanging(null);
  // Connecting and disconnecting remove the form or the buttons before these could announce anything, and the focus with them.
  useChange(connection?.state, ({ from, to }) => {
    setNew(to === "active" && !isOpen(from));
    if (to === "disconnected") tell(t("connection.disconnected"));
    else if (changing === null && !isOpen(from) && isOpen(to)) tell(t("connection.connected"));
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
    // What stands there now is shorter than the form was, and may have gone out of sight above.
    box.current?.scrollIntoView({ block: "nearest" });
  });

  return (
    <div ref={box} tabIndex={-1}>
      {connection && !isDisconnected(connection) ? (
        <Connected {...{ connection, changing, setChanging, connected, cancel }} next={isNew && <NextStep />} />
      ) : (
        <Card>
          <CredentialsForm rotating={null} onConnected={connected} onCancel={null} />
        </Card>
      )}
    </div>
  );
}

const isOpen = (state: ConnectionView["state"] | undefined) => state === "active" || state === "unconfirmed";

function useTell(): (words: string) => void {
  const toast = useToast();
  const announce = useAnnounce();
  return useCallback(
    (words) => {
      toast(words);
      announce(words);
    },
    [toast, announce],
  );
}

interface ConnectedProps {
  connection: ConnectionView;
  changing: "secret" | "account" | null;
  setChanging(what: "secret" | "account"): void;
  connected(): void;
  cancel(): void;
  next: ReactNode;
}

function Connected({ connection, changing, setChanging, connected, cancel, next }: ConnectedProps) {
  const { t } = useTranslation("settings");
  const refused = (connection.state === "invalid" || connection.unreadable) && changing === null;
  return (
    <Card>
      <BlockStack gap="400">
        {connection.state === "unconfirmed" && <AccountQuestion connection={connection} />}
        <ConnectionStatus connection={connection} />
        {next}
        {(changing === "secret" || refused) && (
          <BlockStack gap="300">
            <Text as="h3" variant="headingSm">
              {t("connection.changeSecretTitle", { clientId: connection.maskedClientId })}
            </Text>
            <CredentialsForm
              key="secret"
              rotating={connection}
              onConnected={connected}
              onCancel={refused ? null : cancel}
            />
          </BlockStack>
        )}
        {changing === "account" && (
          <BlockStack gap="300">
            <Text as="h3" variant="headingSm">
              {t("connection.changeAccountTitle")}
            </Text>
            <Text as="p" tone="subdued">
              {t("connection.changeAccountText")}
            </Text>
            <CredentialsForm key="account" rotating={null} onConnected={connected} onCancel={cancel} />
          </BlockStack>
        )}
        {changing === null && <Changes refused={refused} onChange={setChanging} />}
      </BlockStack>
    </Card>
  );
}

/** Leads on from the account that was just connected: to Review where several locations wait for it, else to Home, which knows what is next. */
function NextStep() {
  const { t } = useTranslation("settings");
  const toReview = useToReview();
  return (
    <InlineStack gap="300" blockAlign="center">
      <Button variant="primary" url={toReview > 1 ? "/app/review" : "/app"}>
        {t("connection.next")}
      </Button>
      <Text as="p" tone="subdued">
        {toReview > 0 ? t("connection.nextReview", { count: toReview }) : t("connection.nextHome")}
      </Text>
    </InlineStack>
  );
}

function Changes({ refused, onChange }: { refused: boolean; onChange: (what: "secret" | "account") => void }) {
  const { t } = useTranslation("settings");
  const [asking, setAsking] = useState(false);
  const { send, busy } = useSettingsAction();
  const disconnect = () => {
    send({ intent: "disconnect" });
    setAsking(false);
  };
  return (
    <>
      <ButtonGroup>
        {refused ? null : <Button onClick={() => onChange("secret")}>{t("connection.changeSecret")}</Button>}
        <Button onClick={() => onChange("account")}>{t("connection.changeAccount")}</Button>
        <Button tone="critical" onClick={() => setAsking(true)} loading={busy}>
          {t("connection.disconnect")}
        </Button>
      </ButtonGroup>
      <Dialog
        open={asking}
        title={t("connection.disconnectTitle")}
        onClose={() => setAsking(false)}
        action={{ label: t("connection.disconnect"), onAction: disconnect, destructive: true }}
        small
      >
        <Text as="p">{t("connection.disconnectText")}</Text>
      </Dialog>
    </>
  );
}

/** Whether a new client id opens the account of before. */
export function AccountQuestion({ connection }: { connection: ConnectionView }) {
  const { t } = useTranslation("settings");
  const { send, busy, answer } = useSettingsAction();
  const { id: connectionId, maskedClientId: clientId, linksKept: count } = connection;
  const say = (same: boolean) => () => send({ intent: "confirm_account", connectionId, same });
  useTellOnce(answer, ({ outcome }) =>
    outcome.kind === "not_asked" ? { words: t("connection.unconfirmed.notAsked") } : null,
  );
  return (
    <Banner tone="warning" title={t("connection.unconfirmed.title")}>
      <BlockStack gap="300">
        <Text as="p">{t("connection.unconfirmed.text", { clientId, count })}</Text>
        <Text as="p">{t("connection.unconfirmed.then")}</Text>
        <ButtonGroup>
          <Button onClick={say(true)} disabled={busy}>
            {t("connection.unconfirmed.same")}
          </Button>
          <Button onClick={say(false)} disabled={busy}>
            {t("connection.unconfirmed.other")}
          </Button>
        </ButtonGroup>
      </BlockStack>
    </Banner>
  );
}
