import { BlockStack, Card, InlineGrid, Link, Text } from "../../polaris/polaris.ts";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldView, OriginView } from "../../views/origin.ts";
import { Age } from "../shell/age.tsx";
import { locationInShopify } from "../shell/in-shopify.ts";
import { FoldButton } from "../shell/phone-fold.tsx";
import { accountNote, isChosenAbove, nextHeading } from "./address-words.ts";
import { isKnown, isShared, Line, Next, Ours, There } from "./address-fields.tsx";

/**
 * The one view of an origin's address: in Shopify, in the account as last read, and what the app will save there. Differences are marked.
 * The last column is there only while something is to be saved or chosen.
 */
export function AddressCard({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  return (
    <Card>
      <InlineGrid columns={{ xs: 1, xl: ["oneThird", "twoThirds"] }} gap="500">
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

/** The template in the account and, where something is to be saved there, that beside it. On a phone what differs comes first. */
function InAccount({ view }: { view: OriginView }) {
  const { t } = useTranslation("origin");
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const changes = view.fields.some(({ fate }) => fate === "written");
  const note = accountNote(view);
  const left = view.fields.every(({ fate }) => fate === "left" || fate === "deleted");
  const shown = view.fields.filter((field) => field.there !== null || (!left && isKnown(field)));
  const fold = { isShown: isWhole, onPress: () => setWhole(!isWhole), heading: t("address.account"), controls: id };
  return (
    <>
      <div className={changes ? "origen-sides" : "origen-fold-heading"}>
        <Text as="h2" variant="headingMd">
          {t("address.account")}
        </Text>
        {changes && (
          <Text as="h2" variant="headingMd">
            {t(`address.${nextHeading(view)}`)}
          </Text>
        )}
        <FoldButton {...fold} />
      </div>
      <dl
        id={id}
        className={changes ? "origen-fields origen-fields-sides origen-fold-part" : "origen-fields origen-fold-part"}
        data-folded={isWhole ? undefined : ""}
      >
        {shown.map((field) => (
          <Line key={field.field} field={field.field} seldom={!isOpen(field)}>
            <There view={field} chosenAbove={isChosenAbove(field, view)} />
            {changes && <Next view={field} shared={isShared(field, view)} chosenAbove={isChosenAbove(field, view)} />}
          </Line>
        ))}
      </dl>
      {note && (
        <Text as="p" tone="subdued">
          {t(`address.${note}`)}
        </Text>
      )}
    </>
  );
}

/** Something becomes of it, or somebody has said something of it. */
function isOpen({ fate, problem, serviceMessages, carrierWords }: FieldView): boolean {
  return (
    fate === "written" ||
    fate === "undecided" ||
    (problem !== null && problem !== "unconfirmed") ||
    serviceMessages.length + carrierWords.length > 0
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
