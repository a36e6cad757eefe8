import { BlockStack, Button, Card, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MoveView } from "../../views/origin.ts";
import { CarrierBadges } from "../origins/carrier-badges.tsx";
import { placeWords } from "../../domain/verification/field-words.ts";
import { fieldName, saidByService, serviceWords } from "../../i18n/entry-words.ts";
import { wordsBeyondFields } from "../../views/refusal-words.ts";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";
import { useWords } from "../hooks/use-words.ts";
import { Dialog } from "../shell/dialog.tsx";
import { cancelWords, isUnmade } from "./cancel-words.ts";
import { DayFields } from "./day-fields.tsx";
import type { MoveActions } from "./use-move.ts";

type Coming = NonNullable<MoveView["coming"]>;

/** The coming address, what carriers say of it, and what its owner can do until the day. */
export function ComingCard({
  coming,
  isServed,
  held,
  actions,
}: {
  coming: Coming;
  /** Whether the location is an origin that is saved and not paused. Another one does not move. */
  isServed: boolean;
  held: MoveView["held"];
  actions: MoveActions;
}) {
  const { t } = useTranslation("move");
  const { send, busy } = actions;
  const [dialog, setDialog] = useState<"press" | "cancel" | null>(null);
  const close = () => setDialog(null);
  // Its owner may have corrected it since.
  const isRefused = coming.standings.some(({ outcome, stale }) => outcome === "refused" && !stale);
  const anyway = coming.asks === "refused" && isRefused;
  const { templateId, refusal, canPass, isPressed, asks } = coming;
  const isOffered = templateId !== null && canPass && !isPressed;
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {t("coming.heading")}
        </Text>
        <Lines lines={coming.lines} />
        {refusal && <Text as="p">{t(refusal.code === "incomplete" ? "coming.incomplete" : "coming.refused")}</Text>}
        {refusal && <Refused refusal={refusal} />}
        {isPressed && <Text as="p">{t("coming.pressed")}</Text>}
        {templateId && <CarrierBadges standings={coming.standings} />}
        {templateId && canPass && asks !== "taken" && (
          <Link url={`/app/address-book/${encodeURIComponent(templateId)}`}>{t("coming.correct")}</Link>
        )}
        {isOffered && !isServed && <Text as="p">{t("coming.notServed")}</Text>}
        <InlineStack gap="200">
          {isOffered && (
            <Button
              variant={isServed ? "primary" : "secondary"}
              disabled={!isServed}
              loading={busy === "press"}
              onClick={() => setDialog("press")}
            >
              {t(anyway ? "coming.anyway" : "coming.press")}
            </Button>
          )}
          {isUnmade(coming) && canPass && (
            <Button loading={busy === "again"} onClick={() => send({ intent: "again" })}>
              {t("coming.again")}
            </Button>
          )}
          <Button loading={busy === "cancel"} onClick={() => setDialog("cancel")}>
            {t("coming.cancel")}
          </Button>
        </InlineStack>
      </BlockStack>
      <Dialog
        open={dialog === "press"}
        onClose={close}
        title={t("press.title")}
        small
        action={{
          label: t(anyway ? "coming.anyway" : "coming.press"),
          onAction: () => {
            send({ intent: "press", anyway });
            close();
          },
        }}
      >
        <BlockStack gap="300">
          <Text as="p">{t("press.text")}</Text>
          <Text as="p">{t("day.id")}</Text>
        </BlockStack>
      </Dialog>
      <Dialog
        open={dialog === "cancel"}
        onClose={close}
        title={t("cancel.title")}
        small
        closeLabel={t("cancel.keep")}
        action={{
          label: t("coming.cancel"),
          onAction: () => {
            send({ intent: "cancel" });
            close();
          },
        }}
      >
        <BlockStack gap="300">
          {cancelWords(coming, held).map((words) => (
            <Text as="p" key={words}>
              {t(words)}
            </Text>
          ))}
        </BlockStack>
      </Dialog>
    </Card>
  );
}

/** What the service said, by the owner's names of the fields. */
function Refused({ refusal: { message, fields } }: { refusal: NonNullable<Coming["refusal"]> }) {
  const t = useWords();
  const placed = placeWords({ fields: fields ?? {}, message });
  const told = Object.entries(placed.fields);
  const beyond = wordsBeyondFields(placed.message, { fields: placed.fields, shown: told.map(([field]) => field) });
  const rest = beyond === null ? null : saidByService(t, beyond);
  const lines = told.map(
    ([field, messages]) => `${fieldName(t, field)}: ${messages.map((one) => serviceWords(t, one)).join("; ")}`,
  );
  return <Lines lines={rest === null ? lines : [...lines, rest]} />;
}

/** Another day, or none. */
export function DayCard({ coming, actions }: { coming: Coming; actions: MoveActions }) {
  const { t } = useTranslation("move");
  const { send, busy, answer } = actions;
  const [day, setDay] = useState({ hour: coming.hour ?? "", keepFormer: coming.keepFormer });
  const isPast = answer?.intent === "day" && answer.kind === "hour";
  const fields = useRef<HTMLDivElement>(null);
  useFocusFirstError(fields, isPast ? answer : null);
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {t("day.heading")}
        </Text>
        <div ref={fields}>
          <DayFields day={day} onDay={setDay} error={isPast ? t("answer.hour") : undefined} />
        </div>
        <div>
          <Button
            loading={busy === "day"}
            onClick={() => send({ intent: "day", hour: day.hour || null, keepFormer: day.keepFormer })}
          >
            {t("day.save")}
          </Button>
        </div>
      </BlockStack>
    </Card>
  );
}

export function Lines({ lines }: { lines: string[] }) {
  return (
    <BlockStack>
      {lines.map((line) => (
        <Text as="p" key={line} breakWord>
          {line}
        </Text>
      ))}
    </BlockStack>
  );
}
