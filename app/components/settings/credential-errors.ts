import type { TFunction } from "i18next";
import type { ConnectOutcome } from "../../account/connect-account.ts";
import type { TestOutcome } from "../../account/test-credentials.ts";
import { LONGEST_CREDENTIAL } from "../../domain/address/form-fields.ts";
import type { CredentialField } from "../../domain/address/form-fields.ts";
import type { Format } from "../hooks/use-format.ts";

export interface CredentialErrors {
  fields: Partial<Record<CredentialField, string>>;
  banner: { title: string; text: string | null } | null;
  openAdvanced: boolean;
}

export interface CredentialAnswer {
  outcome: ConnectOutcome | TestOutcome | undefined;
  t: TFunction<["settings", "common"]>;
  format: Format;
}

/** Where each refusal of credentials is shown: beside the field that a person can correct, otherwise above the buttons. */
export function credentialErrors({ outcome, t, format }: CredentialAnswer): CredentialErrors {
  const said = (words: string | null) => (words === null ? null : t("common:serviceSaid", { words }));
  switch (outcome?.kind) {
    case "missing":
      return {
        fields: {
          ...(outcome.fields.includes("clientId") ? { clientId: t("connection.errors.clientIdMissing") } : {}),
          ...(outcome.fields.includes("clientSecret")
            ? { clientSecret: t("connection.errors.clientSecretMissing") }
            : {}),
        },
        banner: null,
        openAdvanced: false,
      };
    case "too_long": {
      const words = t("connection.errors.tooLong", { most: LONGEST_CREDENTIAL });
      return {
        fields: Object.fromEntries(outcome.fields.map((field) => [field, words])),
        banner: null,
        openAdvanced: outcome.fields.some((field) => field === "scope" || field === "redirectUri"),
      };
    }
    case "invalid_client": {
      const { retryAtMs, otherEnvironment: environment, serviceMessage } = outcome;
      const secret =
        retryAtMs === null
          ? t("connection.errors.invalidClient")
          : t("connection.errors.held", { when: format.age(retryAtMs) });
      const hint = t("connection.errors.otherEnvironment", { environment });
      const text = [hint, said(serviceMessage)].filter(Boolean).join(" ");
      return {
        fields: { clientSecret: secret },
        banner: retryAtMs === null ? { title: t("connection.errors.notAccepted"), text } : null,
        // The hint names the environment, which is chosen there.
        openAdvanced: retryAtMs === null,
      };
    }
    case "refused": {
      const { serviceMessage } = outcome.problem;
      return {
        fields: {},
        banner: { title: t("connection.errors.refused"), text: said(serviceMessage) },
        openAdvanced: true,
      };
    }
    default:
      return { fields: {}, banner: null, openAdvanced: false };
  }
}
