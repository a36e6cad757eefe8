import { BlockStack, Button, Card, Icon, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { AlertCircleIcon, CheckCircleIcon, ClockIcon } from "../../polaris/icons.ts";
import { useTranslation } from "react-i18next";
import { FORM_FIELDS } from "../../domain/address/form-fields.ts";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { ReadinessItem, Shipping, Turn } from "../../domain/readiness.ts";
import { countSteps, goesByAccount, turnOf } from "../../domain/readiness.ts";
import { isInconclusive } from "../../domain/verification/carrier-standing.ts";
import type { OriginView } from "../../views/origin.ts";
import { locationInShopify } from "../shell/in-shopify.ts";
import { useFormat } from "../hooks/use-format.ts";
import { PhoneFold } from "../shell/phone-fold.tsx";
import { useStandingWords } from "../origins/carrier-badges.tsx";

type Readiness = Pick<OriginView, "readiness" | "outlook" | "connection" | "paused" | "legacyId">;

export interface ReadinessCardProps {
  view: Readiness;
  /** Asks one carrier again; absent while no carrier can be asked. */
  onAskAgain?: (carrier: string) => void;
}

const SHIPS: readonly Shipping[] = ["yes", "some"];
const TURNS: readonly Turn[] = ["yours", "itself", "later", "met"];

/** Three separate things: whether labels can be made from here, what is the owner's to do, and what happens by itself. */
export function ReadinessCard({ view, onAskAgain }: ReadinessCardProps) {
  const { t } = useTranslation("origin");
  const { readiness: items, outlook } = view;
  // A number that is not the lines' would look wrong: one form may complete several.
  const steps = countSteps(items);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t(`readiness.ships.${outlook.ships}`)}
        </Text>
        {SHIPS.includes(outlook.ships) && goesByAccount(items) && (
          <Text as="p" tone="subdued">
            {t("readiness.asThere")}
          </Text>
        )}
        {TURNS.map((turn) => {
          const found = inLines(items.filter((item) => turnOf(item) === turn));
          if (found.length === 0) return null;
          const lines = (
            <ul className="origen-plain-list">
              {found.map((line) => (
                <li key={keyOf(line[0])}>
                  <Line line={line} view={view} {...(onAskAgain ? { onAskAgain } : {})} />
                </li>
              ))}
            </ul>
          );
          if (turn === "met")
            return (
              <PhoneFold key={turn} heading={t("readiness.turn.met")} as="h3" gap="100">
                {lines}
              </PhoneFold>
            );
          return (
            <BlockStack key={turn} gap="100">
              <Text as="h3" variant="headingSm">
                {turn === "yours" && steps === found.length
                  ? t("readiness.turn.counted", { count: steps })
                  : t(`readiness.turn.${turn}`)}
              </Text>
              {lines}
            </BlockStack>
          );
        })}
      </BlockStack>
    </Card>
  );
}

const LOOKS = {
  met: { source: CheckCircleIcon, tone: "success" },
  yours: { source: AlertCircleIcon, tone: "caution" },
  itself: { source: ClockIcon, tone: "subdued" },
  later: { source: ClockIcon, tone: "subdued" },
} as const;

/** What a form asks for is one line, however many fields it is. */
type ItemsOfLine = [ReadinessItem, ...ReadinessItem[]];

const ASKED = ["missing", "unconfirmed"];

function inLines(items: readonly ReadinessItem[]): ItemsOfLine[] {
  const together = (item: ReadinessItem) =>
    item.code === "field" && ASKED.includes(item.problem) && !isMendedInShopify(item) ? item.problem : keyOf(item);
  return [...Map.groupBy(items, together).values()] as ItemsOfLine[];
}

function Line({ line, view, onAskAgain }: { line: ItemsOfLine } & ReadinessCardProps) {
  const { t } = useTranslation("origin");
  const words = useLineWords(view)(line);
  const [item] = line;
  const turn = turnOf(item);
  const asks = item.code === "carrier" && turn === "yours" && isInconclusive(item) && onAskAgain;
  return (
    <InlineStack gap="200" wrap={false} blockAlign="start">
      <span>
        <Icon {...LOOKS[turn]} accessibilityLabel={t(`readiness.${turn === "yours" ? "open" : turn}`)} />
      </span>
      <Text as="span" tone={item.met ? "subdued" : "base"}>
        {words}
      </Text>
      {asks && (
        <Button
          variant="plain"
          onClick={() => asks(item.carrier)}
          accessibilityLabel={t("verification.againNamed", { carrier: carrierName(item.carrier) })}
        >
          {t("verification.again")}
        </Button>
      )}
      {isMendedInShopify(item) && <Link {...locationInShopify(view.legacyId)}>{t("address.editInShopify")}</Link>}
    </InlineStack>
  );
}

/** A field that no form of ours has. */
export function isMendedInShopify(item: ReadinessItem): boolean {
  return item.code === "field" && !FORM_FIELDS.some((field) => field === item.field);
}

function useLineWords({ connection, paused }: Readiness): (line: ItemsOfLine) => string {
  const { t } = useTranslation(["origin", "common", "problems"]);
  const format = useFormat();
  const standingWords = useStandingWords();
  return (line) => {
    const [item] = line;
    if (item.code === "field" && ASKED.includes(item.problem)) {
      const names = line.flatMap((each) => (each.code === "field" ? [t(`common:fields.${each.field}`)] : []));
      const key = item.problem === "missing" ? "readiness.fieldMissing" : "readiness.fieldGuess";
      return t(key, { field: format.list(names), count: names.length });
    }
    if (item.code === "field")
      return t("readiness.field", { field: t(`common:fields.${item.field}`), problem: t(`problems:${item.problem}`) });
    if (item.code === "carrier" && turnOf(item) === "itself" && !item.question) {
      const carrier = carrierName(item.carrier);
      if (item.stale) return t("readiness.askedAgain", { carrier });
      if (item.outcome === "not_asked") return t("readiness.asked", { carrier });
    }
    if (item.code === "carrier") {
      return t("readiness.carrier", {
        carrier: carrierName(item.carrier),
        words: standingWords(item),
      });
    }
    if (item.code === "connection" && !item.met && connection?.closed && connection.closed !== "not_connected")
      return t(`readiness.connection.${connection.closed}`);
    if (item.code === "included" && !item.met) return t(`readiness.included.${paused ? "paused" : "open"}`);
    if (item.code === "saved_there" && "gone" in item) return t("readiness.saved_there.gone");
    if (item.code === "saved_there" && "fails" in item) return t("readiness.saved_there.fails");
    if (item.code === "saved_there" && turnOf(item) === "yours") return t("readiness.saved_there.stuck");
    if (item.code === "saved_there" && "again" in item) return t("readiness.saved_there.again");
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
