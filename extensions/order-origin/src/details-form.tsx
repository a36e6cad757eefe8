import { useState } from "preact/hooks";
import type { FieldProblem } from "../../../app/domain/address/address.ts";
import type { FormField } from "../../../app/domain/address/form-fields.ts";
import type { OrderForm, OrderFormField } from "../../../app/views/order-origins.ts";
import { t } from "./host.ts";

export interface Answers {
  values: Partial<Record<FormField, string>>;
  problems: FieldProblem[];
}

interface FormProps {
  form: OrderForm;
  answers: Answers;
  onInput: (field: FormField, value: string) => void;
  disabled: boolean;
}

/** The few fields that the origin lacks, or that somebody has to check. */
export function DetailsForm({ form, answers, onInput, disabled }: FormProps) {
  return (
    <s-stack gap="base">
      <s-text>{t(form.fields.length > 0 ? "form.intro" : "form.confirm")}</s-text>
      {form.fields.map((field) => (
        <Field key={field.field} field={field} answers={answers} onInput={onInput} disabled={disabled} />
      ))}
    </s-stack>
  );
}

/** A text field, and what may be chosen instead of typing where the postal code tells it: an order's page has no combobox. */
function Field({ field, answers, onInput, disabled }: Omit<FormProps, "form"> & { field: OrderFormField }) {
  const { field: name, choices } = field;
  const value = answers.values[name] ?? field.value;
  const input = (
    <s-text-field
      name={name}
      label={t(`field.${name}`)}
      value={value}
      required={field.required}
      disabled={disabled}
      details={field.problem === "unconfirmed" ? t("fieldProblem.unconfirmed") : ""}
      error={errorOf(field, answers)}
      onInput={(event) => onInput(name, event.currentTarget.value)}
    />
  );
  if (choices.length === 0) return input;
  return (
    <s-stack gap="small-200">
      {input}
      <s-select
        name={`${name}_choice`}
        label={t(`choices.${name}`)}
        value={choices.includes(value) ? value : ""}
        disabled={disabled}
        onChange={({ currentTarget: { value: chosen } }) => chosen !== "" && onInput(name, chosen)}
      >
        <s-option value="">{t("choices.choose")}</s-option>
        {choices.map((choice) => (
          <s-option key={choice} value={choice}>
            {choice}
          </s-option>
        ))}
      </s-select>
    </s-stack>
  );
}

function errorOf({ field, serviceMessages }: OrderFormField, { values, problems }: Answers): string {
  const problem = problems.find((one) => one.field === field && one.severity === "error");
  if (problem) return t(`fieldProblem.${problem.code}`);
  const said = serviceMessages.join(" ");
  return said && !(field in values) ? t("serviceSaid", { words: said }) : "";
}

/** The typed values. They are kept until they are saved or another origin is shown. */
export function useAnswers() {
  const [answers, setAnswers] = useState<Answers>({ values: {}, problems: [] });
  return {
    answers,
    forget: () => setAnswers({ values: {}, problems: [] }),
    type: (field: FormField, value: string) =>
      setAnswers(({ values, problems }) => ({
        values: { ...values, [field]: value },
        problems: problems.filter((one) => one.field !== field),
      })),
    refuse: (problems: FieldProblem[]) => setAnswers(({ values }) => ({ values, problems })),
  };
}
