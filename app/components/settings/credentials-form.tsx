import {
  Badge,
  Banner,
  BlockStack,
  Box,
  Button,
  ButtonGroup,
  ChoiceList,
  InlineStack,
  Text,
  TextField,
} from "../../polaris/polaris.ts";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../domain/records.ts";
import type { FaultView } from "../../views/shell.ts";
import type { ConnectionView } from "../../views/settings.ts";
import { FaultBanner } from "../shell/fault-banner.tsx";
import { useUnsaved } from "../outage/unsaved.ts";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { useAnnounce } from "../shell/announcer.tsx";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";
import { useFormat } from "../hooks/use-format.ts";
import { credentialErrors } from "./credential-errors.ts";
import { Folded } from "./folded.tsx";
import { ServiceLinks } from "./service-links.tsx";
import { useSettingsAction } from "./use-settings-action.ts";

export interface CredentialsFormProps {
  /** A connection that gets a new secret; null to connect an account. */
  rotating: ConnectionView | null;
  /** Called when the service has accepted the credentials. */
  onConnected(): void;
  onCancel: (() => void) | null;
}

/** The credentials of an account, which can be tested or saved. The secret stays here only until it is sent. */
export function CredentialsForm({ rotating, onConnected, onCancel }: CredentialsFormProps) {
  const { t } = useTranslation(["settings", "common"]);
  const format = useFormat();
  const announce = useAnnounce();
  const form = useRef<HTMLFormElement>(null);
  const [environment, setEnvironment] = useState<Environment>(rotating?.environment ?? "production");
  const [clientId, setClientId] = useState("");
  const [clientSecret, setClientSecret] = useState("");
  const [scope, setScope] = useState(rotating?.scope ?? "");
  const [redirectUri, setRedirectUri] = useState(rotating?.redirectUri ?? "");
  const { send, busy, reply, notTaken } = useSettingsAction({ told: "beside" });
  useUnsaved(clientId !== "" || clientSecret !== "" || (rotating === null && (scope !== "" || redirectUri !== "")));
  const outcome = reply?.intent === "connect" || reply?.intent === "test" ? reply.outcome : undefined;
  const errors = credentialErrors({ outcome, t, format });
  useFocusFirstError(form, outcome && Object.keys(errors.fields).length > 0 ? outcome : null);

  useEffect(() => {
    if (outcome?.kind === "connected" || outcome?.kind === "unconfirmed") onConnected();
    if (outcome?.kind === "works") announce(t("connection.works"));
  }, [announce, onConnected, outcome, t]);

  const submit = (intent: "connect" | "test") =>
    send({
      intent,
      environment,
      clientId: clientId.trim() || null,
      clientSecret: clientSecret.trim() || null,
      scope: scope.trim() || null,
      redirectUri: redirectUri.trim() || null,
    });

  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit("connect");
      }}
    >
      <BlockStack gap="400">
        {rotating === null && (
          <TextField
            label={t("connection.clientId")}
            value={clientId}
            onChange={setClientId}
            error={errors.fields.clientId}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        <TextField
          label={t("connection.clientSecret")}
          type="password"
          value={clientSecret}
          onChange={setClientSecret}
          error={errors.fields.clientSecret}
          helpText={rotating && rotating.state !== "invalid" ? t("connection.secretKept") : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        <Where />
        <Folded
          key={String(errors.openAdvanced)}
          label={t("connection.advanced")}
          open={environment === "test" || scope !== "" || redirectUri !== "" || errors.openAdvanced}
        >
          {rotating === null && <EnvironmentChoice value={environment} onChange={setEnvironment} />}
          <TextField
            label={t("connection.scope")}
            value={scope}
            onChange={setScope}
            error={errors.fields.scope}
            helpText={t("connection.scopeHelp")}
            autoComplete="off"
          />
          <TextField
            label={t("connection.redirectUri")}
            value={redirectUri}
            onChange={setRedirectUri}
            error={errors.fields.redirectUri}
            helpText={t("connection.redirectUriHelp")}
            autoComplete="off"
          />
        </Folded>
        {errors.banner && (
          <Banner tone="critical" title={errors.banner.title}>
            {errors.banner.text && (
              <Text as="p" breakWord>
                {errors.banner.text}
              </Text>
            )}
          </Banner>
        )}
        {outcome?.kind === "unreachable" && (
          <FaultBanner
            fault={outcome.fault}
            title={t(`connection.errors.${unreached(outcome.fault)}`)}
            text={t(`connection.errors.${unreached(outcome.fault)}Text`)}
          />
        )}
        {outcome?.kind === "works" && (
          <Banner
            tone="success"
            title={outcome.scope ? t("connection.worksScope", { scope: outcome.scope }) : t("connection.works")}
          />
        )}
        <NotTakenNote why={notTaken} />
        <ButtonGroup>
          <Button
            variant="primary"
            submit
            loading={busy}
            accessibilityLabel={busy ? t("connection.connecting") : undefined}
          >
            {rotating ? t("connection.swap") : t("connection.connect")}
          </Button>
          <Button onClick={() => submit("test")} disabled={busy}>
            {t("connection.test_")}
          </Button>
          {onCancel ? (
            <Button variant="tertiary" onClick={onCancel} disabled={busy}>
              {t("common:cancel")}
            </Button>
          ) : null}
        </ButtonGroup>
      </BlockStack>
    </form>
  );
}

/** Whether nobody answered, or something other than the service. */
function unreached({ kind }: FaultView): "unreachable" | "notTheService" {
  return kind === "edge_blocked" ? "notTheService" : "unreachable";
}

function EnvironmentChoice({ value, onChange }: { value: Environment; onChange: (environment: Environment) => void }) {
  const { t } = useTranslation("settings");
  return (
    <ChoiceList
      title={t("connection.environment")}
      selected={[value]}
      onChange={([chosen]) => onChange(chosen === "test" ? "test" : "production")}
      choices={[
        { value: "production", label: t("connection.production"), helpText: t("connection.productionHelp") },
        {
          value: "test",
          label: (
            <InlineStack gap="200" blockAlign="center">
              <span>{t("connection.test")}</span>
              <Badge tone="attention">{t("connection.testBadge")}</Badge>
            </InlineStack>
          ),
          helpText: t("connection.testHelp"),
        },
      ]}
    />
  );
}

function Where() {
  const { t } = useTranslation("settings");
  return (
    <Box background="bg-surface-secondary" padding="300" borderRadius="200">
      <BlockStack gap="100">
        <Text as="h3" variant="headingSm">
          {t("connection.whereTitle")}
        </Text>
        <Text as="p">{t("connection.where")}</Text>
        <ServiceLinks />
      </BlockStack>
    </Box>
  );
}
