import { BlockStack, Card, FormLayout, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ContactDetails, ContactField, FieldProblem } from "../../domain/address.ts";

export interface ContactCardProps {
  contact: ContactDetails;
  problems: FieldProblem[];
  /** Needed by some location that has none of its own. */
  needed: string[];
  onChange(field: ContactField, value: string): void;
}

const ROWS: ContactField[][] = [
  ["name", "company"],
  ["email", "phone"],
  ["reference", "rfc"],
];

/** Who is there and how to reach them, once for the whole store. */
export function ContactCard({ contact, problems, needed, onChange }: ContactCardProps) {
  const { t } = useTranslation(["review", "common", "problems"]);
  const errorOf = (field: ContactField) => {
    const problem = problems.find((one) => one.field === field);
    if (problem) return t(`problems:${problem.code}`);
    return needed.includes(field) ? t("problems:missing") : undefined;
  };
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("contact.title")}
        </Text>
        <Text as="p" tone="subdued">
          {t("contact.text")}
        </Text>
        <FormLayout>
          {ROWS.map((fields) => (
            <FormLayout.Group key={fields.join()}>
              {fields.map((field) => (
                <TextField
                  key={field}
                  label={t(`common:fields.${field}`)}
                  autoComplete="off"
                  type={field === "email" ? "email" : field === "phone" ? "tel" : "text"}
                  value={contact[field] ?? ""}
                  onChange={(value) => onChange(field, value)}
                  {...(field === "reference" ? { helpText: t("contact.reference") } : {})}
                  {...(errorOf(field) ? { error: errorOf(field) } : {})}
                />
              ))}
            </FormLayout.Group>
          ))}
        </FormLayout>
      </BlockStack>
    </Card>
  );
}
