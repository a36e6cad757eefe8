import { Badge, InlineStack, Text } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { FieldView, OriginView } from "../../views/origin.ts";
import { useServiceWords } from "../hooks/use-service-words.ts";
import { useFormat } from "../hooks/use-format.ts";

/** The fields of an origin's address as `AddressCard` lists them. */

export function isKnown({ value, problem, serviceMessages }: FieldView): boolean {
  return value !== null || problem !== null || serviceMessages.length > 0;
}

/** The value is the shop's, while other locations may have their own. */
export function isShared({ source }: FieldView, { form }: OriginView): boolean {
  return source === "shop" && !form.forShop;
}

interface LineProps {
  field: FieldView["field"];
  /** Not shown on a phone before somebody asks for all. */
  seldom?: boolean;
  children: ReactNode;
}

export function Line({ field, seldom = false, children }: LineProps) {
  const { t } = useTranslation("common");
  return (
    <div className={seldom ? "origen-seldom" : undefined}>
      <dt>{t(`fields.${field}`)}</dt>
      {children}
    </div>
  );
}

interface SideProps {
  view: FieldView;
  /** Both versions stand above, with a choice. */
  chosenAbove: boolean;
}

export function There({ view: { field, there, fate, carrierWords }, chosenAbove }: SideProps) {
  const { t } = useTranslation("origin");
  const text = useFieldText()(field, there);
  return (
    <dd>
      <InlineStack gap="200" blockAlign="center" wrap>
        <Text as="span" breakWord {...(text ? {} : { tone: "subdued" as const })}>
          {text ? breakable(field, text) : t("address.noValue")}
        </Text>
        {fate === "kept" && <Badge>{t("address.kept")}</Badge>}
        {fate === "undecided" && (
          <Badge tone="warning">{t(chosenAbove ? "address.undecided" : "address.differs")}</Badge>
        )}
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
export function Next({ view, shared, chosenAbove }: SideProps & { shared: boolean }) {
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
        {t(undecided ? (chosenAbove ? "address.whenChosen" : "address.chosenLater") : "address.unchanged")}
      </Text>
    </dd>
  );
}

/** The value that holds here, with what is unsure or wrong about it. */
export function Ours({ view, shared, strong = false }: { view: FieldView; shared: boolean; strong?: boolean }) {
  const { t } = useTranslation(["origin", "problems"]);
  const serviceWords = useServiceWords();
  const { field, value, confidence, problem, severity, serviceMessages } = view;
  const text = useFieldText()(field, value);
  return (
    <InlineStack gap="200" blockAlign="center" wrap>
      {text ? (
        <Text as="span" breakWord {...(strong ? { fontWeight: "semibold" as const } : {})}>
          {breakable(field, text)}
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
        // What is only missing is no error of anybody's.
        <Text as="span" tone={severity === "error" && problem !== "missing" ? "critical" : "caution"}>
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

/** An email address goes to the next line at its sign, before it does within a word. */
function breakable(field: FieldView["field"], text: string): ReactNode {
  const at = field === "email" ? text.lastIndexOf("@") : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}

/** A country by its name, everything else as it is; null for no value. */
function useFieldText(): (field: FieldView["field"], value: string | null) => string | null {
  const format = useFormat();
  return (field, value) => (value && field === "country_code" ? format.country(value) : value);
}
