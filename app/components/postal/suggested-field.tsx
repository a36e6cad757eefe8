import { AutoSelection, Combobox, Listbox, TextField } from "../../polaris/polaris.ts";
import type { TextFieldProps } from "../../polaris/polaris.ts";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AddressField } from "../../domain/address/address.ts";
import type { OwnField } from "../../domain/records.ts";
import { fold } from "../../domain/address/fold.ts";

export type SuggestedFieldProps = TextFieldProps & {
  name: AddressField | Exclude<OwnField, "default">;
  value: string;
  onChange(value: string): void;
  /** What may be chosen instead of typing. */
  suggestions: readonly string[];
};

/**
 * A text field that suggests values and takes any other. Without suggestions it is a plain one. It becomes the one or the other only while it
 * does not have the focus, because the exchange would take the focus from who types.
 */
export function SuggestedField({ suggestions, ...field }: SuggestedFieldProps) {
  const { t } = useTranslation("common");
  const listId = useId();
  const [hasFocus, setHasFocus] = useState(false);
  const [isChoice, setIsChoice] = useState(suggestions.length > 0);
  if (!hasFocus && isChoice !== suggestions.length > 0) setIsChoice(!isChoice);
  // What stands in the field when it gets the focus hides nothing; what is typed then does.
  const [typed, setTyped] = useState("");
  const onFocus = () => setHasFocus(true);
  const onBlur = () => {
    setHasFocus(false);
    setTyped("");
  };
  if (!isChoice) return <TextField {...field} onFocus={onFocus} onBlur={onBlur} />;
  const shown = suggestions.filter((each) => fold(each).includes(fold(typed)));
  const choose = (value: string) => {
    setTyped("");
    field.onChange(value);
  };
  return (
    <Combobox
      activator={
        <Combobox.TextField
          {...field}
          onChange={(value) => {
            setTyped(value);
            field.onChange(value);
          }}
          onFocus={onFocus}
          onBlur={onBlur}
        />
      }
    >
      {shown.length > 0 ? (
        // The list is drawn outside of the page's landmarks, so it is one itself.
        <section aria-label={t(`fields.${field.name}`)}>
          {/* Another list is another box: the former one would still choose what it no longer shows. */}
          <Listbox key={shown.join("\n")} customListId={listId} autoSelection={AutoSelection.None} onSelect={choose}>
            {shown.map((each) => (
              <Listbox.Option key={each} value={each} selected={each === field.value}>
                {each}
              </Listbox.Option>
            ))}
          </Listbox>
        </section>
      ) : null}
    </Combobox>
  );
}
