import { BlockStack, Button, ChoiceList, InlineStack, Text, TextField } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MOST_CARRIERS, carrierKey, carrierName } from "../../domain/verification/carriers.ts";

export interface CarrierChoiceProps {
  /** Suggested carriers and those found in the account. */
  known: string[];
  chosen: string[];
  onChange(chosen: string[]): void;
}

/** The carriers that decide whether an origin is ready; any name can be added. */
export function CarrierChoice({ known, chosen, onChange }: CarrierChoiceProps) {
  const { t } = useTranslation("settings");
  const [typed, setTyped] = useState("");
  const offered = [...new Set([...known, ...chosen])];
  const carrier = carrierKey(typed);
  const isFull = chosen.length >= MOST_CARRIERS;
  const add = () => {
    if (carrier === null || isFull) return;
    if (!chosen.includes(carrier)) onChange([...chosen, carrier]);
    setTyped("");
  };
  return (
    <BlockStack gap="300">
      <ChoiceList
        allowMultiple
        title={t("carriers.label")}
        choices={offered.map((carrier) => ({ value: carrier, label: carrierName(carrier) }))}
        selected={chosen}
        onChange={(wanted) => wanted.length <= MOST_CARRIERS && onChange(wanted)}
      />
      {chosen.length === 0 && (
        <Text as="p" tone="subdued">
          {t("carriers.none")}
        </Text>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <InlineStack gap="200" blockAlign="start" wrap={false}>
          <div className="origen-grow">
            <TextField
              label={t("carriers.other")}
              value={typed}
              onChange={setTyped}
              helpText={isFull ? t("carriers.most", { most: MOST_CARRIERS }) : t("carriers.otherHelp")}
              {...(typed.trim() !== "" && carrier === null ? { error: t("carriers.noName") } : {})}
              autoComplete="off"
              spellCheck={false}
            />
          </div>
          <div className="origen-beside-field">
            <Button submit disabled={carrier === null || isFull}>
              {t("carriers.add")}
            </Button>
          </div>
        </InlineStack>
      </form>
    </BlockStack>
  );
}
