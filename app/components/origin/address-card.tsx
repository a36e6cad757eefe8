import { Badge, BlockStack, Card, InlineGrid, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { FieldView, OriginView } from "../../views/origin.ts";
import { useServiceWords } from "../hooks/use-service-words.ts";
import { Age } from "../shell/age.tsx";
import { useFormat } from "../hooks/use-format.ts";

/** The location's address in Shopify, beside the address as it will be sent. Text marks guessed and missing values. */
export function AddressCard({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  return (
    <Card>
      <InlineGrid columns={{ xs: 1, md: ["oneThird", "twoThirds"] }} gap="500">
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            {t("address.shopify")}
          </Text>
          <address className="origen-address">
            {view.shopifyLines.map((line) => (
              <Text as="p" key={line} breakWord>
                {line}
              </Text>
            ))}
          </address>
          <Text as="p" tone="subdued" variant="bodySm">
            {t("address.readAt")} <Age atMs={view.locationReadAtMs} />
          </Text>
          <Link url={`shopify://admin/settings/locations/${view.legacyId}`} target="_top">
            {t("address.editInShopify")}
          </Link>
        </BlockStack>
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            {t(view.template && view.missingSinceMs === null ? "address.sent" : "address.toSend")}
          </Text>
          <dl className="origen-fields">
            {view.fields.filter(shows).map((field) => (
              <Field key={field.field} view={field} shared={field.source === "shop" && !view.form.forShop} />
            ))}
          </dl>
          <Known view={view} />
        </BlockStack>
      </InlineGrid>
    </Card>
  );
}

function shows({ value, problem, serviceMessages }: FieldView): boolean {
  return value !== null || problem !== null || serviceMessages.length > 0;
}

/** `shared`: the value is the shop's, while other locations may have their own. */
function Field({ view, shared }: { view: FieldView; shared: boolean }) {
  const { t } = useTranslation(["origin", "common", "problems"]);
  const serviceWords = useServiceWords();
  const format = useFormat();
  const { field, confidence, problem, severity, serviceMessages } = view;
  const value = field === "country_code" && view.value ? format.country(view.value) : view.value;
  return (
    <div>
      <dt>{t(`common:fields.${field}`)}</dt>
      <dd>
        <InlineStack gap="200" blockAlign="center" wrap>
          {value && (
            <Text as="span" breakWord>
              {value}
            </Text>
          )}
          {confidence === "unsure" && value && <Badge tone="attention">{t("address.pleaseCheck")}</Badge>}
          {shared && value && <Badge>{t("address.shopWide")}</Badge>}
          {problem && problem !== "unconfirmed" && (
            <Text as="span" {...(severity === "error" ? { tone: "critical" as const } : { tone: "caution" as const })}>
              {t(problem === "missing" && severity === "warning" ? "address.ifAny" : `problems:${problem}`)}
            </Text>
          )}
          {serviceMessages.map((words) => (
            <Text as="span" tone="critical" key={words} breakWord>
              {serviceWords(words)}
            </Text>
          ))}
        </InlineStack>
      </dd>
    </div>
  );
}

/** The template in the address book, and how old our reading of it is. */
function Known({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  const { template, missingSinceMs, syncedAtMs, checkedAtMs } = view;
  return (
    <Text as="p" tone="subdued" variant="bodySm">
      {template
        ? t(missingSinceMs === null ? "known.template" : "known.deleted", {
            alias: template.aliasName ?? template.templateId,
          })
        : t("known.noTemplate")}
      {template && missingSinceMs === null && (
        <>
          {" · "}
          {t("known.synced")} <Age atMs={syncedAtMs} />
          {" · "}
          {t("known.read")} <Age atMs={template.readAtMs ?? checkedAtMs} />
        </>
      )}
    </Text>
  );
}
