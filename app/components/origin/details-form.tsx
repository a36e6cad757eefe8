import { Badge, BlockStack, Button, Card, FormLayout, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { AddressField } from "../../domain/address/address.ts";
import type { FormField } from "../../domain/address/form-fields.ts";
import type { OriginView } from "../../views/origin.ts";
import { CONTACT_ROWS, FORM_FIELDS, PLACE_ROWS, SHORT_FIELDS } from "../../domain/address/form-fields.ts";
import { saidByCode } from "../../domain/mexico/postal/said-by-code.ts";
import type { PostalFacts } from "../../domain/mexico/postal-codes.ts";
import { SuggestedField } from "../postal/suggested-field.tsx";
import { suggestionsFor } from "../../domain/mexico/postal/suggestions.ts";
import { usePostalFacts } from "../hooks/use-postal-facts.ts";
import { BarForm } from "../shell/bar-form.tsx";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { PhoneFold } from "../shell/phone-fold.tsx";
import { inputTypeOf } from "../shell/input-type.ts";
import { useServiceWords } from "../hooks/use-service-words.ts";
import { useWarningWords } from "../label/use-warning-words.ts";
import type { AddressWarning } from "../../domain/label/warnings.ts";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { DetailsForm } from "./use-details-form.ts";
import { DETAILS_ID, useOpenForm } from "./use-open-form.ts";
import type { OriginActions } from "./use-origin-actions.ts";

export interface DetailsFormProps {
  view: OriginView;
  form: DetailsForm;
  /** Of what the form holds now. */
  warnings: readonly AddressWarning[];
  actions: OriginActions;
  onSave(): void;
}

/**
 * The form for what the location lacks and the service needs; an empty contact field shows the shop's value. What is complete is told by
 * the page already, so that its form opens on demand.
 */
export function DetailsFormCard(props: DetailsFormProps) {
  const { t } = useTranslation("origin");
  const { isOpen, open, root } = useOpenForm(props);
  if (isOpen)
    return (
      <div ref={root}>
        <OpenForm {...props} />
      </div>
    );
  return (
    <Card>
      <div id={DETAILS_ID}>
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {t("form.closed")}
          </Text>
          <Button onClick={open} accessibilityLabel={t("form.editLong")}>
            {t("form.edit")}
          </Button>
        </InlineStack>
      </div>
    </Card>
  );
}

function OpenForm({ view, form, warnings, actions, onSave }: DetailsFormProps) {
  const { t } = useTranslation("origin");
  const { answer, busy, notSaved } = actions;
  const facts = usePostalFacts(valueOf(view, "country_code") === "MX" ? valueOf(view, "postal_code") : "");
  const rows = (all: readonly (readonly FormField[])[]) =>
    all.map((row) => <Row key={row.join()} {...{ row, view, form, warnings, facts }} />);
  return (
    <BarForm
      id="origin-save-bar"
      formId={DETAILS_ID}
      dirty={form.draft.dirty}
      saving={busy === "save"}
      onSave={onSave}
      onDiscard={form.discard}
      failed={answer?.intent === "save" && answer.kind === "invalid" ? answer.problems : null}
    >
      <Card>
        <BlockStack gap="400">
          <NotTakenNote why={notSaved} />
          <Text as="h2" variant="headingMd">
            {t("form.place")}
          </Text>
          {FORM_FIELDS.some((field) => isUnsure(field, { view, form })) && (
            <Text as="p" tone="subdued">
              {t("form.guess")}
            </Text>
          )}
          <FormLayout>{rows(PLACE_ROWS)}</FormLayout>
          <PhoneFold
            heading={t(view.form.forShop ? "form.shopContact" : "form.contact")}
            open={CONTACT_ROWS.flat().some((field) => isOfUse(field, { view, form }))}
          >
            <BlockStack gap="400">
              <Text as="p" tone="subdued">
                {t(view.form.forShop ? "form.shopContactHelp" : "form.contactHelp")}{" "}
                {!view.form.forShop && <Link url="/app/settings#contact">{t("form.toShopContact")}</Link>}
              </Text>
              <FormLayout>{rows(CONTACT_ROWS)}</FormLayout>
            </BlockStack>
          </PhoneFold>
        </BlockStack>
      </Card>
    </BarForm>
  );
}

/** It shows a guess that nobody has changed. */
function isUnsure(field: FormField, { view, form }: Pick<FieldProps, "view" | "form">): boolean {
  const shown = view.fields.find((one) => one.field === field);
  return shown?.confidence === "unsure" && form.draft.values[field] === (shown.value ?? "");
}

/** It says something of its own, or somebody says something of it. */
function isOfUse(field: FormField, { view, form }: Pick<FieldProps, "view" | "form">): boolean {
  return (
    view.form.forShop ||
    form.draft.values[field] !== "" ||
    form.problemOf(field) !== null ||
    form.serviceWordsOf(field).length + form.carrierWordsOf(field).length > 0
  );
}

/** Fields side by side where there is room; a single field takes the full width. */
function Row({ row, ...rest }: { row: readonly FormField[] } & Omit<FieldProps, "name">) {
  const fields = row.map((name) => <Field key={name} name={name} {...rest} />);
  if (fields.length === 1) return <>{fields}</>;
  const condensed = row.every((name) => SHORT_FIELDS.includes(name));
  return <FormLayout.Group condensed={condensed}>{fields}</FormLayout.Group>;
}

interface FieldProps {
  name: FormField;
  view: OriginView;
  form: DetailsForm;
  warnings: readonly AddressWarning[];
  /** What the list says of the location's postal code. */
  facts: PostalFacts | null;
}

const valueOf = (view: OriginView, field: AddressField): string =>
  view.fields.find((one) => one.field === field)?.value ?? "";

function Field({ name, view, form, warnings, facts }: FieldProps) {
  const { t } = useTranslation(["origin", "common", "problems"]);
  const shown = view.fields.find((one) => one.field === name);
  const unsure = isUnsure(name, { view, form });
  const fallback = name in view.form.defaults ? view.form.defaults[name as keyof typeof view.form.defaults] : null;
  const problem = form.problemOf(name);
  const isError = form.isErrorNow(name);
  const advice = shown?.severity === "warning";
  const words = problem && t(problem === "missing" && advice ? "form.ifAny" : `problems:${problem}`);
  const service = form.serviceWordsOf(name).map(useServiceWords());
  const carriers = (refused: boolean) =>
    form
      .carrierWordsOf(name)
      .filter((said) => said.refused === refused)
      .map((said) => t("form.carrierSaid", { carrier: carrierName(said.carrier), words: said.words }));
  const isNoted = advice || !isError;
  const errors = [isNoted ? null : words, ...service, ...carriers(true)].filter(Boolean);
  const empty = form.draft.values[name] === "";
  // An empty field shows what is used instead as its placeholder, and the words above the fields say so once.
  const unsaid = fallback && !view.form.forShop && !empty && t("form.ifEmpty", { value: fallback });
  const written = form.draft.values[name];
  const area = { area_level1: valueOf(view, "area_level1"), area_level2: form.draft.values.area_level2 };
  const says = name === "area_level2" ? saidByCode(area, facts).differs[name] : undefined;
  const otherwise = says !== undefined && t("common:postalCodeSays", { code: facts!.code, says, written });
  const warned = useWarningWords(warnings)(name);
  // Both would say that the number is missing.
  const told = advice && problem === "missing" ? [words] : [isNoted && words, ...warned];
  const help = [otherwise, ...told, ...carriers(false), unsaid].filter(Boolean);
  return (
    <SuggestedField
      suggestions={suggestionsFor(name, { facts, offers: shown?.offers ?? [] })}
      label={<Label text={t(`common:fields.${name}`)} guessed={unsure} />}
      name={name}
      autoComplete="off"
      value={form.draft.values[name]}
      onChange={(value) => form.change(name, value)}
      placeholder={fallback ?? undefined}
      helpText={help.join(" ") || undefined}
      {...(errors.length > 0 ? { error: errors.join(" ") } : {})}
      type={inputTypeOf(name)}
    />
  );
}

function Label({ text, guessed }: { text: string; guessed: boolean }) {
  const { t } = useTranslation("origin");
  if (!guessed) return text;
  return (
    <InlineStack gap="200" blockAlign="center">
      <span>{text}</span>
      <Badge tone="attention">{t("address.pleaseCheck")}</Badge>
    </InlineStack>
  );
}
