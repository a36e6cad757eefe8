import { BlockStack, Button, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONTACT_FIELDS } from "../../domain/address/form-fields.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import { ContactFields } from "../contact/contact-fields.tsx";
import type { ContactFieldsProps } from "../contact/contact-fields.tsx";

export interface ContactCardProps extends ContactFieldsProps {
  /** What the chosen templates have alike and the shop has not. */
  alike: { count: number; values: Partial<ContactDetails> };
  onFill(values: Partial<ContactDetails>): void;
}

/**
 * Name, phone and the like, once for the whole store; a single line where it is complete. Memoised, because the table below is typed in.
 */
export const ContactCard = memo(function ContactCard({ alike, onFill, ...props }: ContactCardProps) {
  const { t } = useTranslation("review");
  const lacks = (props.needed ?? []).length > 0 || props.problems.length > 0 || linesOf(props.values).length === 0;
  const [open, setOpen] = useState(lacks);
  // Stays open once it was open, so that it does not close while somebody fills it in.
  if (lacks && !open) setOpen(true);
  const { form, edit } = useFocusOnOpen(() => setOpen(true));
  return (
    <Card>
      <BlockStack gap="300">
        {open ? (
          <div ref={form}>
            <BlockStack gap="300">
              <Text as="h2" variant="headingMd">
                {t("contact.title")}
              </Text>
              <Text as="p" tone="subdued">
                {t("contact.text")}
              </Text>
              <ContactFields {...props} />
            </BlockStack>
          </div>
        ) : (
          <InlineStack align="space-between" blockAlign="center" gap="200" wrap={false}>
            <BlockStack gap="100">
              <Text as="h2" variant="headingMd">
                {t("contact.title")}
              </Text>
              <Text as="p" tone="subdued" breakWord>
                {linesOf(props.values).join(" · ")}
              </Text>
            </BlockStack>
            <div className="origen-whole">
              <Button onClick={edit} accessibilityLabel={t("contact.editLong")}>
                {t("contact.edit")}
              </Button>
            </div>
          </InlineStack>
        )}
        <Alike alike={alike} onFill={onFill} />
      </BlockStack>
    </Card>
  );
});

/** Offered, not filled in: whether all locations share it is for the owner to say. */
export function Alike({ alike: { count, values }, onFill }: Pick<ContactCardProps, "alike" | "onFill">) {
  const { t } = useTranslation(["review", "common"]);
  const fields = CONTACT_FIELDS.filter((field) => values[field]);
  if (fields.length === 0) return null;
  return (
    <BlockStack gap="150" inlineAlign="start">
      <Text as="p" breakWord>
        {`${t("contact.alike", { count })} `}
        {fields.map((field) => `${t(`common:fields.${field}`)}: ${values[field]}`).join(" · ")}
      </Text>
      <Button onClick={() => onFill(values)}>{t("contact.useAlike")}</Button>
    </BlockStack>
  );
}

export function linesOf(values: ContactDetails): string[] {
  return CONTACT_FIELDS.flatMap((field) => values[field]?.trim() || []);
}

/** The button that opens the form disappears when it is pressed, so the first field gets the focus. */
function useFocusOnOpen(open: () => void) {
  const form = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    if (pressed) form.current?.querySelector("input")?.focus();
  }, [pressed]);
  const edit = () => {
    open();
    setPressed(true);
  };
  return { form, edit };
}
