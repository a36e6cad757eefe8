import { BlockStack, ChoiceList, Text, TextField } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";

export interface Day {
  /** Empty: at a press. */
  hour: string;
  keepFormer: boolean;
}

/** When the location moves, and what becomes of its former address. */
export function DayFields({ day, onDay, error }: { day: Day; onDay(day: Day): void; error?: string | undefined }) {
  const { t } = useTranslation("move");
  return (
    <BlockStack gap="300">
      <TextField
        label={t("day.hour")}
        name="hour"
        type="datetime-local"
        autoComplete="off"
        value={day.hour}
        helpText={t("day.hourHelp")}
        onChange={(hour) => onDay({ ...day, hour })}
        {...(error ? { error } : {})}
      />
      <ChoiceList
        title={t("day.former")}
        choices={[
          { label: t("day.keep"), value: "keep" },
          { label: t("day.unlink"), value: "unlink" },
        ]}
        selected={[day.keepFormer ? "keep" : "unlink"]}
        onChange={([chosen]) => onDay({ ...day, keepFormer: chosen === "keep" })}
      />
      <Text as="p" tone="subdued">
        {t("day.id")}
      </Text>
    </BlockStack>
  );
}
