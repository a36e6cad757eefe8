import { Badge, BlockStack, Card, InlineGrid, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { FieldView, OriginView } from "../../views/origin.ts";
import { useServiceWords } from "../hooks/use-service-words.ts";
import { Age } from "../shell/age.tsx";
import { locationInShopify } from "../shell/in-shopify.ts";
import { useFormat } from "../hooks/use-format.ts";

/**
 * The one view of an origin's address: in Shopify, in the account as last read, and what the app will save there. Differences are marked.
 * The last column is there only while something is to be saved or chosen.
 */
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
          <Link {...locationInShopify(view.legacyId)}>{t("address.editInShopify")}</Link>
        </BlockStack>
        <BlockStack gap="200">
          {isThere(view) ? <InAccount view={view} /> : view.exclusion !== "abroad" && <ToSave view={view} />}
          <Known view={view} />
        </BlockStack>
      </InlineGrid>
    </Card>
  );
}

function isThere({ template, missingSinceMs }: OriginView): boolean {
  return template !== null && missingSinceMs === null;
}

/** Before the first save: the address as the app would save it. An existing address may be linked instead, which keeps what it has. */
function ToSave({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  const isSure = view.exclusion === null && view.missingSinceMs === null && view.proposals.length === 0;
  return (
    <>
      <Text as="h2" variant="headingMd">
        {t(isSure ? "address.toSave" : "address.wouldSave")}
      </Text>
      <dl className="origen-fields">
        {view.fields.filter(isKnown).map((field) => (
          <Line key={field.field} field={field.field}>
            <dd>
              <Ours view={field} shared={isShared(field, view)} />
            </dd>
          </Line>
        ))}
      </dl>
    </>
  );
}

/** The template in the account and, where something is to be saved there, that beside it. */
function InAccount({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  const changes = view.fields.some(({ fate }) => fate === "written");
  const undecided = view.fields.some(({ fate }) => fate === "undecided");
  const left = view.fields.every(({ fate }) => fate === "left");
  const shown = view.fields.filter((field) => field.there !== null || (!left && isKnown(field)));
  return (
    <>
      {changes ? (
        <div className="origen-sides">
          <span />
          <Text as="h2" variant="headingMd">
            {t("address.account")}
          </Text>
          <Text as="h2" variant="headingMd">
            {t(nextHeading(view))}
          </Text>
        </div>
      ) : (
        <Text as="h2" variant="headingMd">
          {t("address.account")}
        </Text>
      )}
      <dl className={changes ? "origen-fields origen-fields-sides" : "origen-fields"}>
        {shown.map((field) => (
          <Line key={field.field} field={field.field}>
            <There view={field} />
            {changes && <Next view={field} shared={isShared(field, view)} />}
          </Line>
        ))}
      </dl>
      {!changes && !undecided && (
        <Text as="p" tone="subdued">
          {t(left ? "address.left" : "address.same")}
        </Text>
      )}
    </>
  );
}

/** When it is saved. */
function nextHeading({ paused, state, splitLapsed, fields }: OriginView) {
  if (paused) return "address.nextPaused";
  if (state !== "incomplete") return state === "to_review" ? "address.nextConfirm" : "address.next";
  const lacks = fields.some(({ problem, severity }) => severity === "error" && problem !== "unconfirmed");
  return splitLapsed && !lacks ? "address.nextConfirm" : "address.nextIncomplete";
}

function isKnown({ value, problem, serviceMessages }: FieldView): boolean {
  return value !== null || problem !== null || serviceMessages.length > 0;
}

/** The value is the shop's, while other locations may have their own. */
function isShared({ source }: FieldView, { form }: OriginView): boolean {
  return source === "shop" && !form.forShop;
}

function Line({ field, children }: { field: FieldView["field"]; children: ReactNode }) {
  const { t } = useTranslation("common");
  return (
    <div>
      <dt>{t(`fields.${field}`)}</dt>
      {children}
    </div>
  );
}

function There({ view: { field, there, fate, carrierWords } }: { view: FieldView }) {
  const { t } = useTranslation("origin");
  const text = useFieldText()(field, there);
  return (
    <dd>
      <InlineStack gap="200" blockAlign="center" wrap>
        <Text as="span" breakWord {...(text ? {} : { tone: "subdued" as const })}>
          {text ?? t("address.noValue")}
        </Text>
        {fate === "kept" && <Badge>{t("address.kept")}</Badge>}
        {fate === "undecided" && <Badge tone="warning">{t("address.undecided")}</Badge>}
        {carrierWords.map(({ carrier, words, refused }) => (
          <Text as="span" tone={refused ? "critical" : "caution"} key={carrier + words} breakWord>
            {t("form.carrierSaid", { carrier: carrierName(carrier), words })}
          </Text>
        ))}
      </InlineStack>
    </dd>
  );
}

/** What the app will do with a field. On a phone the heading does not stand above it, so its words stand for themselves. */
function Next({ view, shared }: { view: FieldView; shared: boolean }) {
  const { t } = useTranslation("origin");
  if (view.fate === "written")
    return (
      <dd>
        <div className="origen-written">
          <Text as="span" visuallyHidden>
            {t("address.changes")}
          </Text>
          <Ours view={view} shared={shared} strong />
        </div>
      </dd>
    );
  const undecided = view.fate === "undecided";
  return (
    <dd className={undecided ? undefined : "origen-unchanged"}>
      <Text as="span" tone="subdued">
        {t(undecided ? "address.whenChosen" : "address.unchanged")}
      </Text>
    </dd>
  );
}

/** The value that holds here, with what is unsure or wrong about it. */
function Ours({ view, shared, strong = false }: { view: FieldView; shared: boolean; strong?: boolean }) {
  const { t } = useTranslation(["origin", "problems"]);
  const serviceWords = useServiceWords();
  const { field, value, confidence, problem, severity, serviceMessages } = view;
  const text = useFieldText()(field, value);
  return (
    <InlineStack gap="200" blockAlign="center" wrap>
      {text ? (
        <Text as="span" breakWord {...(strong ? { fontWeight: "semibold" as const } : {})}>
          {text}
        </Text>
      ) : (
        !problem && (
          <Text as="span" tone="subdued">
            {t("address.noValue")}
          </Text>
        )
      )}
      {confidence === "unsure" && text && <Badge tone="attention">{t("address.pleaseCheck")}</Badge>}
      {shared && text && <Badge>{t("address.shopWide")}</Badge>}
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
  );
}

/** A country by its name, everything else as it is; null for no value. */
function useFieldText(): (field: FieldView["field"], value: string | null) => string | null {
  const format = useFormat();
  return (field, value) => (value && field === "country_code" ? format.country(value) : value);
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
