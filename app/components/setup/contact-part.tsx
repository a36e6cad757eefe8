import { BlockStack, Button, InlineStack, Text } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewView } from "../../views/review.ts";
import { ContactFields } from "../contact/contact-fields.tsx";
import { Alike, linesOf } from "../review/contact-card.tsx";
import type { ReviewForm } from "../review/use-review-form.ts";
import { askedContact } from "./asked-fields.ts";

/** The contact, once and only what is missing; what is known stands in a line. */
export function ContactPart({ view, form, alone }: { view: ReviewView; form: ReviewForm; alone: boolean }) {
  const { t } = useTranslation(["home", "review"]);
  const [isWhole, setWhole] = useState(false);
  const { edits, problems } = form;
  const asked = askedContact(view, { edits, problems, alone });
  const known = linesOf(view.contact);
  const offer = <Alike alike={form.alike} onFill={form.fillContact} />;
  if (!isWhole && asked.length === 0 && known.length === 0) return offer;
  return (
    <BlockStack gap="300">
      <BlockStack gap="100">
        <Text as="h4" variant="headingSm">
          {t(alone ? "setup.contact.titleOne" : "setup.contact.title")}
        </Text>
        {(isWhole || asked.length > 0) && (
          <Text as="p" tone="subdued">
            {t(alone ? "setup.contact.textOne" : "setup.contact.text")}
          </Text>
        )}
      </BlockStack>
      {(isWhole || asked.length > 0) && (
        <ContactFields
          values={form.contact}
          problems={problems}
          needed={form.needed}
          isAsked={form.isAsked}
          alone={alone}
          onChange={form.editContact}
          {...(isWhole ? {} : { only: asked })}
        />
      )}
      {!isWhole && known.length > 0 && (
        <InlineStack gap="200" blockAlign="center">
          <Text as="p" tone="subdued" breakWord>
            {t("setup.contact.known", { values: known.join(" · ") })}
          </Text>
          <Button variant="plain" onClick={() => setWhole(true)} accessibilityLabel={t("setup.contact.editLong")}>
            {t("review:contact.edit")}
          </Button>
        </InlineStack>
      )}
      {offer}
    </BlockStack>
  );
}
