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
        <s-text-field
          key={field.field}
          name={field.field}
          label={t(`field.${field.field}`)}
          value={answers.values[field.field] ?? field.value}
          required={field.required}
          disabled={disabled}
          details={field.problem === "unconfirmed" ? t("fieldProblem.unconfirmed") : ""}
          error={errorOf(field, answers)}
          onInput={(event) => onInput(field.field, event.currentTarget.value)}
        />
      ))}
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
