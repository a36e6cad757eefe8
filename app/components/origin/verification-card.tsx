import { Banner, BlockStack, Button, Card, Collapsible, InlineStack, List, Text } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/verification/carriers.ts";
import { isFinished, isInconclusive, isVerdict, whyInconclusive } from "../../domain/verification/carrier-standing.ts";
import type { CarrierStanding } from "../../domain/verification/carrier-standing.ts";
import { toldOfSilenceAtMs } from "../../domain/verification/poll-result.ts";
import type { FailureView } from "../../views/failure.ts";
import type { TimelineEntry } from "../../views/timeline.ts";
import { CarrierBadge, useStandingWords } from "../origins/carrier-badges.tsx";
import { Age } from "../shell/age.tsx";
import { HelpTip } from "../help/help-tip.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { PhoneFold } from "../shell/phone-fold.tsx";
import { useShell } from "../shell/shell-context.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { VerifyDialog } from "./verify-dialog.tsx";
import type { VerifyDialogProps } from "./verify-dialog.tsx";

export interface VerificationCardProps {
  standings: CarrierStanding[];
  timeline: TimelineEntry[];
  otherCarriers: readonly string[];
  /** Why carriers cannot be asked now; null when they can. */
  disabledReason: string | null;
  busy: boolean;
  /** The account holds another address than the location is to have. */
  byAccount?: boolean;
  /** Set while asking the carriers keeps failing. */
  failure?: FailureView | null;
  onVerify(carriers: string[]): void;
}

/** Each carrier's answer, a button to ask again, and the history so far. */
export function VerificationCard({
  standings,
  timeline,
  otherCarriers,
  disabledReason,
  busy,
  byAccount = false,
  failure = null,
  onVerify,
}: VerificationCardProps) {
  const { t } = useTranslation("origin");
  const format = useFormat();
  const chosen = standings.filter((standing) => standing.chosen).map((standing) => standing.carrier);
  const isOpen = failure !== null || standings.some((standing) => standing.chosen && !isFinished(standing));
  return (
    <Card>
      <PhoneFold heading={t("verification.title")} beside={<HelpTip term="verification" />} open={isOpen}>
        <BlockStack gap="400">
          {failure && (
            <Banner tone="warning" title={t("verification.fails")}>
              <FailureNote failure={failure} />
            </Banner>
          )}
          {standings.length === 0 && <Text as="p">{t("verification.none")}</Text>}
          <ul className="origen-plain-list">
            {standings.map((standing) => (
              <li key={standing.carrier}>
                <Carrier
                  standing={standing}
                  {...(disabledReason === null && !busy ? { onAgain: () => onVerify([standing.carrier]) } : {})}
                />
              </li>
            ))}
          </ul>
          {disabledReason && (
            <Text as="p" tone="subdued">
              {disabledReason}
            </Text>
          )}
          <InlineStack gap="200">
            {chosen.length > 0 && (
              <Button disabled={disabledReason !== null} loading={busy} onClick={() => onVerify(chosen)}>
                {t("verification.ask", { carriers: format.list(chosen.map(carrierName)) })}
              </Button>
            )}
            <OtherChoice
              disabled={disabledReason !== null || busy}
              known={standings.map(({ carrier }) => carrier)}
              chosen={chosen}
              others={otherCarriers}
              byAccount={byAccount}
              onVerify={onVerify}
            />
          </InlineStack>
          {disabledReason === null && (
            <Text as="p" tone="subdued" variant="bodySm">
              {byAccount && `${t("verification.asThere")} `}
              {t("final.verify")}
            </Text>
          )}
          {timeline.length > 0 && <Timeline entries={timeline} />}
        </BlockStack>
      </PhoneFold>
    </Card>
  );
}

/** Holds the state of its dialog itself, so that opening it does not render the card again. */
function OtherChoice({ disabled, ...choice }: { disabled: boolean } & Omit<VerifyDialogProps, "open" | "onClose">) {
  const { t } = useTranslation("origin");
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <Button
        disabled={disabled}
        variant={choice.chosen.length > 0 ? "plain" : "secondary"}
        onClick={() => setChoosing(true)}
      >
        {t("verification.choose")}
      </Button>
      <VerifyDialog {...choice} open={choosing} onClose={() => setChoosing(false)} />
    </>
  );
}

interface CarrierProps {
  standing: CarrierStanding;
  /** Absent while no carrier can be asked. */
  onAgain?: () => void;
}

function Carrier({ standing, onAgain }: CarrierProps) {
  const { t } = useTranslation("origin");
  const { carrier, changedAtMs, checkedAtMs, outcome } = standing;
  // Alone: whoever has accepted the address would be asked as well by the button for all, and may answer otherwise.
  const isRefused = isVerdict(standing) && outcome === "refused" && standing.question === null;
  return (
    <BlockStack gap="050">
      <InlineStack align="space-between" gap="200" blockAlign="center">
        <Text as="span" fontWeight="medium">
          {carrierName(carrier)}
        </Text>
        <CarrierBadge standing={standing} named={false} />
      </InlineStack>
      {changedAtMs !== null && (
        <Text as="span" tone="subdued" variant="bodySm">
          {t("verification.changed")} <Age atMs={changedAtMs} />
          {checkedAtMs !== null && outcome === "pending" && (
            <>
              {" · "}
              {t("verification.checked")} <Age atMs={checkedAtMs} />
            </>
          )}
        </Text>
      )}
      <AskedAgain standing={standing} />
      {(isInconclusive(standing) || isRefused) && (
        <InlineStack gap="200" blockAlign="center">
          {!isRefused && (
            <Text as="span" tone="subdued" variant="bodySm">
              {t(`verification.${whyInconclusive(standing)}`)}
            </Text>
          )}
          {onAgain && (
            <Button
              variant="plain"
              onClick={onAgain}
              accessibilityLabel={t("verification.againNamed", { carrier: carrierName(carrier) })}
            >
              {t("verification.again")}
            </Button>
          )}
        </InlineStack>
      )}
    </BlockStack>
  );
}

/** Says, beside a carrier's earlier answer, that it was asked again, and whether its answer may still come or is late. */
function AskedAgain({ standing: { outcome, question, askedAtMs, isUnclear } }: { standing: CarrierStanding }) {
  const { t } = useTranslation("origin");
  const { nowMs } = useShell();
  if (question === null || !["accepted", "refused", "seen"].includes(outcome)) return null;
  return (
    <Text as="span" tone="subdued" variant="bodySm">
      {question === "wanted" || askedAtMs === null ? (
        t("verification.askingAgain")
      ) : isUnclear ? (
        t("verification.unclear")
      ) : (
        <>
          {t("verification.askedAgain")} <Age atMs={askedAtMs} /> ·{" "}
          {t(nowMs < toldOfSilenceAtMs(askedAtMs) ? "verification.awaited" : "verification.noNews")}
        </>
      )}
    </Text>
  );
}

/** In the history a word of the service's that says neither yes nor no is quoted, for whoever asks its support. */
function timelineWords(words: string, entry: TimelineEntry): string {
  return isInconclusive(entry) && entry.status ? `${words} («${entry.status}»)` : words;
}

function Timeline({ entries }: { entries: TimelineEntry[] }) {
  const { t } = useTranslation("origin");
  const words = useStandingWords();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Button
        variant="plain"
        disclosure={open ? "up" : "down"}
        ariaExpanded={open}
        ariaControls="verification-timeline"
        onClick={() => setOpen(!open)}
      >
        {t("verification.timeline")}
      </Button>
      <Collapsible id="verification-timeline" open={open}>
        <List>
          {entries.map((entry) => (
            <List.Item key={`${entry.carrier}-${entry.atMs}-${entry.outcome}`}>
              {t("verification.entry", {
                when: format.dateTime(entry.atMs),
                carrier: carrierName(entry.carrier),
                words: timelineWords(words({ ...entry, stale: false }), entry),
              })}
            </List.Item>
          ))}
        </List>
      </Collapsible>
    </BlockStack>
  );
}
