import { Checkbox, ChoiceList, Select, Text, TextField } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { DepartedRule, Policies } from "../../domain/records.ts";
import { useLocationOptions } from "../hooks/use-location-options.ts";

export interface PolicyFieldsProps {
  values: Policies;
  locations: { locationId: string; name: string }[];
  patternError: string | undefined;
  onChange(patch: Partial<Policies>): void;
}

const SCOPES = { online: "locationsOnline", all_active: "locationsAllActive", by_hand: "locationsByHand" } as const;
const DEPARTED = ["keep", "unlink", "delete"] as const;

export function PolicyFields({ values, locations, patternError, onChange }: PolicyFieldsProps) {
  const { t } = useTranslation("settings");
  const locationOptions = useLocationOptions(locations, values.defaultLocationId);
  const departed = DEPARTED.map((rule) => ({ value: rule, label: t(`policies.${rule}`) }));
  const asRule = (chosen: string) => chosen as DepartedRule;
  return (
    <>
      <Checkbox
        label={t("policies.syncOn")}
        helpText={values.syncOn ? undefined : t("policies.syncOffText")}
        checked={values.syncOn}
        onChange={(syncOn) => onChange({ syncOn })}
      />
      <ChoiceList
        title={t("policies.locations")}
        choices={(Object.keys(SCOPES) as (keyof typeof SCOPES)[]).map((value) => ({
          value,
          label: t(`policies.${SCOPES[value]}`),
        }))}
        selected={[values.locations]}
        onChange={([chosen]) => onChange({ locations: chosen as Policies["locations"] })}
      />
      <Text as="p" tone="subdued">
        {t("policies.locationsHelp")}
      </Text>
      <Select
        label={t("policies.onDeactivate")}
        options={departed}
        value={values.onDeactivate}
        onChange={(chosen) => onChange({ onDeactivate: asRule(chosen) })}
      />
      <Select
        label={t("policies.onDelete")}
        options={departed}
        value={values.onDelete}
        onChange={(chosen) => onChange({ onDelete: asRule(chosen) })}
      />
      <Select
        label={t("policies.defaultLocation")}
        options={[{ value: "", label: t("policies.noDefault") }, ...locationOptions]}
        value={values.defaultLocationId ?? ""}
        onChange={(chosen) => onChange({ defaultLocationId: chosen || null })}
      />
      <TextField
        label={t("policies.aliasPattern")}
        value={values.aliasPattern}
        onChange={(aliasPattern) => onChange({ aliasPattern })}
        helpText={t("policies.aliasPatternHelp")}
        error={patternError}
        autoComplete="off"
      />
    </>
  );
}
