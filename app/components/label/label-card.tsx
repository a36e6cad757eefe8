import { BlockStack, Button, Card, InlineStack, List, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { ADDRESS_FIELDS } from "../../domain/address/address.ts";
import { carriersAt, WIDTHS, withoutLimits } from "../../domain/label/limits.ts";
import type { Cut, LabelLine, TypedAddress } from "../../domain/label/lines.ts";
import { cutAt, FIELDS_OF, LABEL_LINES, lengthOf, lineOf, losesNumber } from "../../domain/label/lines.ts";
import type { ShortenedField } from "../../domain/label/shorten.ts";
import { shorterFields } from "../../domain/label/shorten.ts";
import type { AddressWarning } from "../../domain/label/warnings.ts";
import { carrierName } from "../../domain/verification/carriers.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { PhoneFold } from "../shell/phone-fold.tsx";
import { useWarningWords } from "./use-warning-words.ts";

export interface LabelCardProps {
  /** As it is typed now. */
  address: TypedAddress;
  warnings: readonly AddressWarning[];
  /** The carriers that this address is for. */
  carriers: readonly string[];
  /** Puts a shorter form into the form; nothing is saved by it. */
  onShorten(values: Partial<Record<ShortenedField, string>>): void;
}

const [SHORTEST] = WIDTHS as [number];

/** What carriers' labels show of an address: its lines as known widths cut them, a shorter form, and what it is warned of. */
export function LabelCard({ address, warnings, carriers, onShorten }: LabelCardProps) {
  const { t } = useTranslation("label");
  const format = useFormat();
  const unknown = withoutLimits(carriers).map(carrierName);
  return (
    <Card>
      <PhoneFold heading={t("title")} gap="200">
        <BlockStack gap="400">
          <Text as="p" tone="subdued" variant="bodySm">
            {t("intro")} {unknown.length > 0 && t("unknown", { carriers: format.list(unknown) })}
          </Text>
          {LABEL_LINES.map((line) => (
            <Line key={line} line={line} address={address} />
          ))}
          <Shorter address={address} onShorten={onShorten} />
          {warnings.length > 0 && <Warnings warnings={warnings} />}
        </BlockStack>
      </PhoneFold>
    </Card>
  );
}

function Line({ line, address }: { line: LabelLine; address: TypedAddress }) {
  const { t } = useTranslation("label");
  const text = lineOf(line, address);
  const cuts = WIDTHS.map((width) => cutAt(text, width)).filter((cut) => cut !== null);
  return (
    <BlockStack gap="100">
      <Text as="h3" variant="headingSm">
        {t(`line.${line}`)}
      </Text>
      <Text as="p" breakWord {...(text === "" ? { tone: "subdued" as const } : {})}>
        {text === "" ? t("none") : text}
      </Text>
      {text !== "" && (
        <Text as="p" tone="subdued" variant="bodySm">
          {t("length", { count: lengthOf(text) })}
          {cuts.length === 0 && ` · ${t("fits", { width: SHORTEST })}`}
        </Text>
      )}
      {cuts.length > 0 && (
        <List>
          {cuts.map((cut) => (
            <List.Item key={cut.width}>
              <CutLine cut={cut} line={line} address={address} />
            </List.Item>
          ))}
        </List>
      )}
    </BlockStack>
  );
}

function CutLine({ cut, line, address }: { cut: Cut; line: LabelLine; address: TypedAddress }) {
  const { t } = useTranslation("label");
  const format = useFormat();
  const { width, kept, lost } = cut;
  const carriers = carriersAt(line, width).map(carrierName);
  const heading =
    carriers.length > 0 ? t("widthOf", { width, carriers: format.list(carriers) }) : t("width", { width });
  return (
    <>
      <Text as="p" variant="bodySm" breakWord>
        {heading} {t("kept", { text: kept.trim() })}; {t("lost", { text: lost.trim() })}
      </Text>
      {line === "street" && losesNumber(cut, address) && (
        <Text as="p" variant="bodySm" tone="caution">
          {t("losesNumber")}
        </Text>
      )}
    </>
  );
}

/** Offered where a line is longer than the shortest width, and has a shorter form. */
function Shorter({ address, onShorten }: Pick<LabelCardProps, "address" | "onShorten">) {
  const { t } = useTranslation("label");
  const announce = useAnnounce();
  const shorter = shorterFields(address);
  const long = LABEL_LINES.filter(
    (line) => lengthOf(lineOf(line, address)) > SHORTEST && FIELDS_OF[line].some((field) => field in shorter),
  );
  if (long.length === 0) return null;
  const fields = long.flatMap((line) => FIELDS_OF[line]).filter((field) => field in shorter) as ShortenedField[];
  const use = () => {
    onShorten(Object.fromEntries(fields.map((field) => [field, shorter[field]])));
    announce(t("usedShorter"));
  };
  return (
    <BlockStack gap="200">
      {long.map((line) => (
        <Text as="p" key={line} breakWord>
          {t("shorter", { text: lineOf(line, { ...address, ...shorter }) })}
        </Text>
      ))}
      <InlineStack>
        <Button onClick={use}>{t("useShorter")}</Button>
      </InlineStack>
    </BlockStack>
  );
}

function Warnings({ warnings }: Pick<LabelCardProps, "warnings">) {
  const { t } = useTranslation(["label", "common"]);
  const wordsOf = useWarningWords(warnings);
  return (
    <BlockStack gap="100">
      <Text as="h3" variant="headingSm">
        {t("toCheck")}
      </Text>
      <List>
        {ADDRESS_FIELDS.flatMap((field) =>
          wordsOf(field).map((words) => (
            <List.Item key={words}>{t("about", { field: t(`common:fields.${field}`), words })}</List.Item>
          )),
        )}
      </List>
    </BlockStack>
  );
}
