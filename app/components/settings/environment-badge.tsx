import { Badge } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../domain/records.ts";

/** The environment as a word; the test environment always stands out. */
export function EnvironmentBadge({ environment }: { environment: Environment }) {
  const { t } = useTranslation("settings");
  return <Badge tone={environment === "test" ? "attention" : "info"}>{t(`connection.${environment}`)}</Badge>;
}
