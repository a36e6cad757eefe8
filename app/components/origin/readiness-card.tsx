import { BlockStack, Card, Icon, InlineStack, Text } from "@shopify/polaris";
import { AlertCircleIcon, CheckCircleIcon, ClockIcon } from "@shopify/polaris-icons";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { ReadinessItem } from "../../domain/origin-state.ts";
import type { OriginView } from "../../views/origin.ts";
import { useStandingWords } from "../origins/carrier-badges.tsx";

type Readiness = Pick<OriginView, "readiness" | "connection" | "paused">;

/** What is missing before a label can leave from here, with what is done below it. */
export function ReadinessCard({ view }: { view: Readiness }) {
  const { t } = useTranslation("origin");
  const items = view.readiness;
  const yours = items.filter((item) => !item.met && !isLater(item));
  const later = items.filter(isLater);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {headingOf({ yours, later }, t)}
        </Text>
        <ul className="origen-plain-list">
          {[...yours, ...later, ...items.filter(({ met }) => met)].map((item) => (
            <li key={keyOf(item)}>
              <Line item={item} view={view} />
            </li>
          ))}
        </ul>
      </BlockStack>
    </Card>
  );
}

type Open = Record<"yours" | "later", ReadinessItem[]>;

function headingOf({ yours, later }: Open, t: TFunction<"origin">): string {
  if (yours.length > 0 && yours.every((item) => "fails" in item)) return t("readiness.failing");
  if (yours.length > 0) return t("readiness.left", { count: yours.length });
  return t(later.length > 0 ? "readiness.underWay" : "readiness.done");
}

/** What the app and the carriers do after the owner has done the rest. */
function isLater(item: ReadinessItem): boolean {
  return !item.met && "follows" in item;
}

function Line({ item, view }: { item: ReadinessItem; view: Readiness }) {
  const { t } = useTranslation("origin");
  const words = useItemWords(view)(item);
  const later = isLater(item);
  return (
    <InlineStack gap="200" wrap={false} blockAlign="start">
      <span>
        <Icon
          source={item.met ? CheckCircleIcon : later ? ClockIcon : AlertCircleIcon}
          tone={item.met ? "success" : later ? "subdued" : "caution"}
          accessibilityLabel={t(item.met ? "readiness.met" : later ? "readiness.later" : "readiness.open")}
        />
      </span>
      <Text as="span" tone={item.met ? "subdued" : "base"}>
        {words}
      </Text>
    </InlineStack>
  );
}

function useItemWords({ connection, paused }: Readiness): (item: ReadinessItem) => string {
  const { t } = useTranslation(["origin", "common", "problems"]);
  const standingWords = useStandingWords();
  return (item) => {
    if (item.code === "field" && item.problem === "missing")
      return t("readiness.fieldMissing", { field: t(`common:fields.${item.field}`) });
    if (item.code === "field" && item.problem === "unconfirmed")
      return t("readiness.fieldGuess", { field: t(`common:fields.${item.field}`) });
    if (item.code === "field")
      return t("readiness.field", { field: t(`common:fields.${item.field}`), problem: t(`problems:${item.problem}`) });
    if (item.code === "carrier") {
      return t("readiness.carrier", {
        carrier: carrierName(item.carrier),
        words: standingWords(item),
      });
    }
    if (item.code === "connection" && (connection?.state === "unconfirmed" || connection?.state === "invalid"))
      return t(`readiness.connection.${connection.state}`);
    if (item.code === "included" && !item.met) return t(`readiness.included.${paused ? "paused" : "open"}`);
    if (item.code === "saved_there" && "gone" in item) return t("readiness.saved_there.gone");
    if (item.code === "saved_there" && "fails" in item) return t("readiness.saved_there.fails");
    if (item.code === "saved_there" && !item.met && !isLater(item)) return t("readiness.saved_there.stuck");
    return t(`readiness.${item.code}.${item.met ? "met" : "open"}`);
  };
}

function keyOf(item: ReadinessItem): string {
  return item.code === "field"
    ? `field-${item.field}-${item.problem}`
    : item.code === "carrier"
      ? `carrier-${item.carrier}`
      : item.code;
}
