import { Badge, BlockStack, Card, InlineGrid, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { FieldView, OriginView } from "../../use-cases/views/origin.ts";
import { useServiceWords } from "./use-service-words.ts";
import { Age } from "../shell/age.tsx";

/** The location as Shopify has it, beside the address as it will be sent; what we guessed or lack is marked in words. */
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
            {t("address.sent")}
          </Text>
          <dl className="origen-fields">
            {view.fields.filter(shows).map((field) => (
              <Field key={field.field} view={field} />
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

function Field({ view }: { view: FieldView }) {
  const { t } = useTranslation(["origin", "common", "problems"]);
  const serviceWords = useServiceWords();
  const { field, value, source, confidence, problem, severity, serviceMessages } = view;
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
          {source === "shop" && value && <Badge>{t("address.shopWide")}</Badge>}
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

/** Where it stands in the address book, and how old that is. */
function Known({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  const { template, syncedAtMs, checkedAtMs } = view;
  return (
    <Text as="p" tone="subdued" variant="bodySm">
      {template ? t("known.template", { alias: template.aliasName ?? template.templateId }) : t("known.noTemplate")}
      {template && (
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
