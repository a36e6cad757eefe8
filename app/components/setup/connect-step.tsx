import { Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { isDisconnected } from "../../domain/closed-reason.ts";
import type { ConnectionView } from "../../views/settings.ts";
import type { SetupView } from "../../views/setup.ts";
import type { ShopHealth } from "../../views/shell.ts";
import { AccountQuestion } from "../settings/connection-section.tsx";
import { CredentialsForm } from "../settings/credentials-form.tsx";
import { EnvironmentBadge } from "../settings/environment-badge.tsx";
import { SetupStep } from "./setup-step.tsx";

/** The form is gone once it is connected; the card tells that. */
const nothing = () => undefined;

/** Connects the account, says which one it is, and mends it in its place when it breaks later. */
export function ConnectStep({ view, health }: { view: SetupView; health: ShopHealth }) {
  const { t } = useTranslation("home");
  const { connection } = view;
  if (view.step !== "connect") {
    const isTest = connection?.environment === "test";
    return (
      <SetupStep title={t("setup.connect.done")} state="done">
        {(health === "failing" || isTest) && (
          <>
            {health === "failing" && <Text as="p">{t("setup.connect.failing")}</Text>}
            {isTest && (
              <div>
                <EnvironmentBadge environment="test" />
              </div>
            )}
          </>
        )}
      </SetupStep>
    );
  }
  return connection && !isDisconnected(connection) ? <Broken connection={connection} /> : <First />;
}

function First() {
  const { t } = useTranslation("home");
  return (
    <SetupStep title={t("setup.connect.title")} state="open">
      <CredentialsForm rotating={null} onConnected={nothing} onCancel={null} />
    </SetupStep>
  );
}

function Broken({ connection }: { connection: ConnectionView }) {
  const { t } = useTranslation("home");
  if (connection.state === "unconfirmed") {
    return (
      <SetupStep title={t("setup.connect.done")} state="open">
        <AccountQuestion connection={connection} />
      </SetupStep>
    );
  }
  return (
    <SetupStep title={t("setup.connect.again")} state="broken">
      <Text as="p">
        {t(connection.unreadable ? "setup.connect.unreadable" : "setup.connect.refused", {
          clientId: connection.maskedClientId,
        })}
      </Text>
      <CredentialsForm rotating={connection} onConnected={nothing} onCancel={null} />
    </SetupStep>
  );
}
