import { BlockStack, Card, Checkbox, FormLayout, Select, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { AddressField } from "../../domain/address/address.ts";
import { ADDRESS_FIELDS } from "../../domain/address/address.ts";
import { CONTACT_ROWS, SHORT_FIELDS, TEMPLATE_PLACE_ROWS } from "../../domain/address/form-fields.ts";
import { SuggestedField } from "../postal/suggested-field.tsx";
import { suggestionsFor } from "../../domain/mexico/postal/suggestions.ts";
import { LabelCard } from "../label/label-card.tsx";
import { useWarningWords } from "../label/use-warning-words.ts";
import { BarForm } from "../shell/bar-form.tsx";
import { inputTypeOf } from "../shell/input-type.ts";
import { useFieldValue } from "../hooks/use-field-value.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useCountryOptions } from "./use-country-options.ts";
import type { TemplateField, TemplateForm } from "./use-template-form.ts";

/** The address types known to the app; a template's other type is kept and shown. */
const TYPES = ["from", "to"];

export interface TemplateFormCardProps {
  form: TemplateForm;
  /** The carriers that the template is shown to, or none yet. */
  carriers: readonly string[];
}

/** All of a template's fields, and what a label shows of them. */
export function TemplateFormCard({ form, carriers }: TemplateFormCardProps) {
  const { t } = useTranslation(["addressBook", "common"]);
  const { answer, draft } = form;
  const failed = answer?.intent === "save" && (answer.outcome.kind === "invalid" || answer.outcome.kind === "refused");
  return (
    <BarForm
      id="template-save-bar"
      dirty={draft.dirty}
      saving={form.busy}
      onSave={form.save}
      onDiscard={form.discard}
      failed={failed ? answer : null}
    >
      <BlockStack gap="400">
        <Card>
          <FormLayout>
            <Field name="alias_name" form={form} />
            <Type form={form} />
            <Checkbox
              label={t("common:fields.default")}
              helpText={t("defaultHelp")}
              checked={draft.values.default}
              onChange={(isDefault) => draft.set({ default: isDefault })}
            />
          </FormLayout>
        </Card>
        <Section title={t("place")} rows={TEMPLATE_PLACE_ROWS} form={form} />
        <Section title={t("contact")} rows={CONTACT_ROWS} form={form} />
        <LabelCard address={draft.values} warnings={form.warnings} carriers={carriers} onShorten={form.fill} />
      </BlockStack>
    </BarForm>
  );
}

function Section({
  title,
  rows,
  form,
}: {
  title: string;
  rows: readonly (readonly TemplateField[])[];
  form: TemplateForm;
}) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        <FormLayout>
          {rows.map((fields) => (
            <FormLayout.Group key={fields.join()} condensed={fields.every((name) => SHORT_FIELDS.includes(name))}>
              {fields.map((field) => (
                <Field key={field} name={field} form={form} />
              ))}
            </FormLayout.Group>
          ))}
        </FormLayout>
      </BlockStack>
    </Card>
  );
}

interface FieldProps {
  name: TemplateField;
  form: TemplateForm;
}

function Field(props: FieldProps) {
  return props.name === "country_code" ? <Country {...props} /> : <Line {...props} />;
}

function Line({ name, form }: FieldProps) {
  const field = useField({ name, form });
  const suggestions = suggestionsFor(name, { facts: form.facts });
  return <SuggestedField {...field} suggestions={suggestions} autoComplete="off" type={inputTypeOf(name)} />;
}

function Type({ form }: Pick<FieldProps, "form">) {
  const valueWords = useFieldValue();
  const said = (value: string) => valueWords("address_type", value);
  const field = useField({ name: "address_type", form, said });
  const types = TYPES.includes(field.value) ? TYPES : [...TYPES, field.value];
  return <Select {...field} options={types.map((value) => ({ value, label: said(value) }))} />;
}

function Country({ name, form }: FieldProps) {
  const { country } = useFormat();
  const field = useField({ name, form, said: country });
  return <Select {...field} options={useCountryOptions(field.value)} />;
}

const isOfAddress = (name: TemplateField): name is AddressField => (ADDRESS_FIELDS as readonly string[]).includes(name);

/** `said` turns a value into text. */
function useField({ name, form, said = (value) => value }: FieldProps & { said?: (value: string) => string }) {
  const { t } = useTranslation(["addressBook", "common"]);
  const error = form.errorOf(name);
  const there = form.there(name);
  const written = form.draft.values[name];
  const says = form.codeSays(name);
  const warned = useWarningWords(form.warnings);
  const help = [
    ...(isOfAddress(name) ? warned(name) : []),
    says !== null && t("common:postalCodeSays", { code: form.facts!.code, says, written }),
    there !== null && t("there", { value: said(there) || t("common:empty") }),
  ].filter(Boolean);
  return {
    label: t(`common:fields.${name}`),
    name,
    value: written,
    onChange: (value: string) => form.change(name, value),
    ...(help.length === 0 ? {} : { helpText: help.join(" ") }),
    ...(error ? { error } : {}),
  };
}
