import { FormLayout, TextField } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { ContactField } from "../../domain/address/form-fields.ts";
import { CONTACT_FIELDS, SHOP_CONTACT_ROWS } from "../../domain/address/form-fields.ts";
import type { ContactDetails, FieldProblem } from "../../domain/address/address.ts";
import { chunksOf } from "../../domain/chunks.ts";
import { warningsOf } from "../../domain/label/warnings.ts";
import { useWarningWords } from "../label/use-warning-words.ts";
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
  /** Somebody pressed: a needed field that is empty is an error from then on, and only marked until then. */
  isAsked?: boolean;
  /** These fields alone. */
  only?: readonly ContactField[];
  /** Of a store with one location, of which nothing is said that compares locations. */
  alone?: boolean;
  onChange(field: ContactField, value: string): void;
}

/** The contact that every location uses unless it has its own. A problem that does not stop a save is shown as help, not as an error. */
export function ContactFields(props: ContactFieldsProps) {
  const { only } = props;
  const rows = only
    ? chunksOf(
        CONTACT_FIELDS.filter((field) => only.includes(field)),
        2,
      )
    : SHOP_CONTACT_ROWS;
  return (
    <FormLayout>
      {rows
        .filter(({ length }) => length > 0)
        .map((fields) => (
          <FormLayout.Group key={fields.join()}>
            {fields.map((field) => (
              <Field key={field} field={field} {...props} />
            ))}
          </FormLayout.Group>
        ))}
    </FormLayout>
  );
}

function Field({
  field,
  values,
  problems,
  needed = [],
  isAsked = false,
  alone = false,
  onChange,
}: ContactFieldsProps & { field: ContactField }) {
  const { t } = useTranslation(["settings", "common", "problems"]);
  const problem = problems.find((one) => one.field === field);
  const isNeeded = needed.includes(field);
  const lacks = isNeeded && isAsked ? t("problems:missing") : undefined;
  const words = problem ? t(`problems:${problem.code}`) : lacks;
  const advice = problem?.severity === "warning";
  const help = HELP[field] && !(alone && field === "phone") && t(HELP[field]);
  const warned = useWarningWords(warningsOf({ [field]: values[field] ?? "" }))(field);
  const below = [advice ? words : help, ...warned].filter(Boolean).join(" ");
  return (
    <TextField
      label={t(`common:fields.${field}`)}
      requiredIndicator={isNeeded}
      type={inputTypeOf(field)}
      autoComplete={AUTO_COMPLETE[field] ?? "off"}
      value={values[field] ?? ""}
      onChange={(value) => onChange(field, value)}
      error={advice ? undefined : words}
      helpText={below || undefined}
    />
  );
}
