import { FormLayout, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ContactField } from "../../domain/address/form-fields.ts";
import { SHOP_CONTACT_ROWS } from "../../domain/address/form-fields.ts";
import type { ContactDetails, FieldProblem } from "../../domain/address/address.ts";
import { inputTypeOf } from "../shell/input-type.ts";

const HELP: Partial<Record<ContactField, string>> = {
  company: "contact.companyHelp",
  phone: "contact.phoneHelp",
  reference: "contact.referenceHelp",
  rfc: "contact.rfcHelp",
};

const AUTO_COMPLETE: Partial<Record<ContactField, string>> = {
  name: "name",
  company: "organization",
  email: "email",
  phone: "tel",
};

export interface ContactFieldsProps {
  values: ContactDetails;
  problems: FieldProblem[];
  /** Fields that some location has no value of its own for. */
  needed?: readonly string[];
  onChange(field: ContactField, value: string): void;
}

/** The contact that every location uses unless it has its own. A problem that does not stop a save is shown as help, not as an error. */
export function ContactFields(props: ContactFieldsProps) {
  return (
    <FormLayout>
      {SHOP_CONTACT_ROWS.map((fields) => (
        <FormLayout.Group key={fields.join()}>
          {fields.map((field) => (
            <Field key={field} field={field} {...props} />
          ))}
        </FormLayout.Group>
      ))}
    </FormLayout>
  );
}

function Field({ field, values, problems, needed = [], onChange }: ContactFieldsProps & { field: ContactField }) {
  const { t } = useTranslation(["settings", "common", "problems"]);
  const problem = problems.find((one) => one.field === field);
  const words = problem ? t(`problems:${problem.code}`) : needed.includes(field) ? t("problems:missing") : undefined;
  const advice = problem?.severity === "warning";
  const help = HELP[field] && t(HELP[field]);
  return (
    <TextField
      label={t(`common:fields.${field}`)}
      type={inputTypeOf(field)}
      autoComplete={AUTO_COMPLETE[field] ?? "off"}
      value={values[field] ?? ""}
      onChange={(value) => onChange(field, value)}
      error={advice ? undefined : words}
      helpText={advice ? words : help}
    />
  );
}
