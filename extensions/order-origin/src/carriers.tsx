import type { OrderCarrierView } from "../../../app/views/order-origins.ts";
import { Cells } from "./skeletons.tsx";
import { t } from "./host.ts";

const TONES = {
  accepted: "success",
  refused: "critical",
  pending: "info",
  wanted: "info",
  unknown: "caution",
  no_answer: "caution",
} as const;

interface CarriersProps {
  carriers: OrderCarrierView[];
}

/** Each carrier's answer about this address; a status that nobody knows decides nothing, and what the account says is told by its meaning. */
export function Carriers({ carriers }: CarriersProps) {
  if (carriers.length === 0) return <s-text color="subdued">{t("noCarriers")}</s-text>;
  return (
    <Cells>
      {carriers.map(({ carrier, name, outcome, stale, question, meaning }) => {
        const said =
          outcome === "seen" ? t("carrier.seen", { words: t(`carrier.${meaning}`) }) : t(`carrier.${outcome}`);
        const dated = stale ? t("carrier.stale", { words: said }) : said;
        const words = question && (stale || outcome === "seen") ? t("carrier.askedSince", { words: dated }) : dated;
        const tone = stale ? "caution" : TONES[outcome as keyof typeof TONES] || "neutral";
        return (
          <s-badge key={carrier} tone={tone}>
            {`${name}: ${words}`}
          </s-badge>
        );
      })}
    </Cells>
  );
}
