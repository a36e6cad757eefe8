import { InlineStack, Spinner, Text } from "../../polaris/polaris.ts";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { SetupView } from "../../views/setup.ts";
import type { ShopHealth } from "../../views/shell.ts";
import { NothingYet } from "../home/nothing-yet.tsx";
import { later } from "./later.tsx";
import { SetupStep } from "./setup-step.tsx";
// The styles of what comes later, so that it moves nothing when it comes.
import "../origin/adoption.css";
import "../review/review.css";

/** It knows the phones of every country, and Home mostly asks for none. */
const Confirm = later(async () => (await import("./confirm.tsx")).Confirm);

/** Has the part of the step that is shown before React takes the page over. */
export async function confirmStepOf(view: SetupView | null): Promise<void> {
  if (view?.step === "confirm") await Confirm.fetch();
}

/** What the address book has already, what is missing, and one confirmation of all of it. */
export function ConfirmStep({ view, health, alone }: { view: SetupView; health: ShopHealth; alone: boolean }) {
  const { t } = useTranslation("home");
  const { step, done, review, counts } = view;
  const title = t(alone ? "setup.confirm.titleOne" : "setup.confirm.title");
  useEffect(() => {
    if (!done.confirm) void Confirm.fetch();
  }, [done.confirm]);
  if (step === "read") {
    return (
      <SetupStep title={title} state="open">
        <Reading isGoingOn={health === "ready"} />
      </SetupStep>
    );
  }
  if (done.confirm) return <SetupStep title={t(alone ? "setup.confirm.doneOne" : "setup.confirm.done")} state="done" />;
  if (step !== "confirm" || review === null) return <SetupStep title={title} state="later" />;
  return (
    <SetupStep title={title} state="open">
      {counts.total === 0 ? (
        <NothingYet />
      ) : (
        <Confirm review={review} alone={alone} meanwhile={<Reading isGoingOn />} />
      )}
    </SetupStep>
  );
}

function Reading({ isGoingOn }: { isGoingOn: boolean }) {
  const { t } = useTranslation("home");
  return (
    <InlineStack gap="200" blockAlign="center" wrap={false}>
      {isGoingOn && <Spinner size="small" />}
      <Text as="p">{t("setup.read")}</Text>
    </InlineStack>
  );
}
