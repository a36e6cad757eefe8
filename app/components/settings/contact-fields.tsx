import { TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ContactDetails, ContactField, FieldProblem } from "../../domain/address.ts";
import { CONTACT_FIELDS } from "../../domain/address.ts";

const HELP: Partial<Record<ContactField, string>> = {
  company: "contact.companyHelp",
  phone: "contact.phoneHelp",
  reference: "contact.referenceHelp",
  rfc: "contact.rfcHelp",
};

const INPUTS = {
  name: { type: "text", autoComplete: "name" },
  company: { type: "text", autoComplete: "organization" },
  email: { type: "email", autoComplete: "email" },
  phone: { type: "tel", autoComplete: "tel" },
  reference: { type: "text", autoComplete: "off" },
  rfc: { type: "text", autoComplete: "off" },
} as const;

export interface ContactFieldsProps {
  values: ContactDetails;
  problems: FieldProblem[];
  onChange(patch: Partial<ContactDetails>): void;
}

/** What every location says unless it says its own. A problem that does not stop a save is help, not an error. */
export function ContactFields({ values, problems, onChange }: ContactFieldsProps) {
  const { t } = useTranslation(["settings", "common", "problems"]);
  return CONTACT_FIELDS.map((field) => {
    const problem = problems.find((one) => one.field === field);
    const words = problem && t(`problems:${problem.code}`);
    const help = HELP[field];
    return (
      <TextField
        key={field}
        label={t(`common:fields.${field}`)}
        value={values[field] ?? ""}
        onChange={(value) => onChange({ [field]: value === "" ? null : value })}
        error={problem?.severity === "error" ? words : undefined}
        helpText={problem?.severity === "warning" ? words : help && t(help)}
        {...INPUTS[field]}
      />
    );
  });
}
