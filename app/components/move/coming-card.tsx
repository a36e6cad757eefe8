import { BlockStack, Button, Card, InlineStack, Link, Text } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MoveView } from "../../views/origin.ts";
import { CarrierBadges } from "../origins/carrier-badges.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { DayFields } from "./day-fields.tsx";
import type { MoveActions } from "./use-move.ts";

type Coming = NonNullable<MoveView["coming"]>;

/** The coming address, what carriers say of it, and what its owner can do until the day. */
export function ComingCard({ coming, actions }: { coming: Coming; actions: MoveActions }) {
  const { t } = useTranslation("move");
  const { send, busy } = actions;
  const [dialog, setDialog] = useState<"press" | "cancel" | null>(null);
  const close = () => setDialog(null);
  // Its owner may have corrected it since.
  const isRefused = coming.standings.some(({ outcome, stale }) => outcome === "refused" && !stale);
  const anyway = coming.asks === "refused" && isRefused;
  const { templateId, refusal, canPass, isPressed } = coming;
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {t("coming.heading")}
        </Text>
        <Lines lines={coming.lines} />
        {refusal && <Text as="p">{t(refusal.code === "incomplete" ? "coming.incomplete" : "coming.refused")}</Text>}
        {refusal?.message && (
          <Text as="p" breakWord>
            {refusal.message}
          </Text>
        )}
        {isPressed && <Text as="p">{t("coming.pressed")}</Text>}
        {!canPass && <Text as="p">{t("coming.notHere")}</Text>}
        {templateId && <CarrierBadges standings={coming.standings} />}
        {templateId && canPass && (
          <Link url={`/app/address-book/${encodeURIComponent(templateId)}`}>{t("coming.correct")}</Link>
        )}
        <InlineStack gap="200">
          {templateId && canPass && (
            <Button variant="primary" loading={busy === "press"} onClick={() => setDialog("press")}>
              {t(anyway ? "coming.anyway" : "coming.press")}
            </Button>
          )}
          {!templateId && canPass && (
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
        action={{
          label: t("coming.cancel"),
          onAction: () => {
            send({ intent: "cancel" });
            close();
          },
        }}
      >
        <Text as="p">{t("cancel.text")}</Text>
      </Dialog>
    </Card>
  );
}

/** Another day, or none. */
export function DayCard({ coming, actions }: { coming: Coming; actions: MoveActions }) {
  const { t } = useTranslation("move");
  const { send, busy, answer } = actions;
  const [day, setDay] = useState({ hour: coming.hour ?? "", keepFormer: coming.keepFormer });
  const isPast = answer?.intent === "day" && answer.kind === "hour";
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          {t("day.heading")}
        </Text>
        <DayFields day={day} onDay={setDay} error={isPast ? t("answer.hour") : undefined} />
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
