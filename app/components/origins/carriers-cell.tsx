import { Text } from "../../polaris/polaris.ts";
import type { TextProps } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import type { CarrierStanding } from "../../domain/verification/carrier-standing.ts";
import { Why } from "../list/why.tsx";
import { useStandingWords } from "./carrier-badges.tsx";
import { carriersLine } from "./carriers-line.ts";

const TONES = { accepted: "success", refused: "critical", inconclusive: "caution", no_answer: "caution" } as const;
/** Further ones are only counted. */
const NAMED = 2;

/** What the carriers say of an origin, in a word; each one's answer behind it. */
export function CarriersCell({ standings }: { standings: CarrierStanding[] }) {
  const { t } = useTranslation("origins");
  const words = useStandingWords();
  const line = carriersLine(standings);
  const tone: TextProps["tone"] = line.kind in TONES ? TONES[line.kind as keyof typeof TONES] : "subdued";
  return (
    <Why lines={standings.map((one) => t("carrier.each", { carrier: carrierName(one.carrier), words: words(one) }))}>
      <Text as="span" tone={tone}>
        {"of" in line ? (
          t(`carrier.line.${line.kind}`, { accepted: line.accepted, of: line.of })
        ) : "carriers" in line ? (
          <>
            {line.carriers.slice(0, NAMED).map(carrierName).join(", ")}
            {line.carriers.length > NAMED && t("carrier.line.more", { count: line.carriers.length - NAMED })}{" "}
            <Mark kind={line.kind} />
          </>
        ) : (
          t(line.kind === "none" ? "carrier.none" : "carrier.not_asked")
        )}
        {line.kind === "accepted" && (
          <>
            {" "}
            <Mark kind="accepted" />
          </>
        )}
      </Text>
    </Why>
  );
}

const SIGNS = { accepted: "✓", refused: "✗", inconclusive: "?", no_answer: "?" } as const;

function Mark({ kind }: { kind: keyof typeof SIGNS }) {
  const { t } = useTranslation("origins");
  return (
    <>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <span className="origen-visually-hidden">{t(`carrier.${kind === "inconclusive" ? "unknown" : kind}`)}</span>
    </>
  );
}
