import { BlockStack, Button, Card, InlineStack, ProgressBar, Text } from "../../polaris/polaris.ts";
import { XIcon } from "../../polaris/icons.ts";
import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import type { Action } from "../hooks/use-action.ts";
import { useChange } from "../hooks/use-change.ts";
import { useOrderAccess } from "../hooks/use-order-access.ts";
import { useToast } from "../hooks/use-toast.ts";
import type { HomeView } from "../../views/home.ts";
import type { SetupView } from "../../views/setup.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { OrderAccessChoice } from "../settings/order-access.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import { ConnectStep } from "./connect-step.tsx";
import { SaveStep } from "./save-step.tsx";
import "../origins/origins.css";
import "./setup.css";

export interface Setup {
  view: SetupView;
  /** Nothing was confirmed so far: the page is the steps. */
  isNew: boolean;
  box: RefObject<HTMLDivElement>;
  hide(): void;
}

/**
 * The first steps as Home shows them; null where they were put away. They leave when they are finished: whoever saw them open sees their
 * end, and a page that opens after it puts them away for good.
 */
export function useSetup({ setup }: HomeView): Setup | null {
  const putAway = useAction({ told: "nowhere" });
  const hiding = useAction();
  const [wasOpen] = useState(setup !== null && setup.step !== "finished");
  const isOver = setup !== null && setup.step === "finished" && !wasOpen;
  const asked = useRef(false);
  const { submit } = putAway;
  useEffect(() => {
    if (!isOver || asked.current) return;
    asked.current = true;
    dismiss(submit);
  }, [isOver, submit]);
  const box = useRef<HTMLDivElement>(null);
  useTellStep(setup?.step ?? null, box);
  if (setup === null || isOver || hiding.state !== "idle") return null;
  return { view: setup, isNew: setup.counts.confirmed === 0, box, hide: () => dismiss(hiding.submit) };
}

/** Told by the page, because the card of a store with one location moves to another page when it is confirmed. */
function useTellStep(step: SetupView["step"] | null, box: RefObject<HTMLDivElement>): void {
  const { t } = useTranslation("home");
  const toast = useToast();
  const announce = useAnnounce();
  useChange(step, ({ from, to }) => {
    if (to === null) return;
    if (from === "connect") toast(t("setup.connect.done"));
    announce(t(`setup.now.${to}`));
    // The form that had the focus is gone.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  });
}

function dismiss(submit: Action<unknown>["submit"]): void {
  submit({ intent: "dismiss_guide" }, { method: "post", action: "/app?index" });
}

export interface SetupCardProps {
  setup: Setup;
  health: HomeView["connection"]["health"];
  /** The store has one location. */
  alone: boolean;
}

/** All a new store has to do, in one card: each step is done where it stands. */
export function SetupCard({ setup: { view, box, hide }, health, alone }: SetupCardProps) {
  const { t } = useTranslation("home");
  const steps = Object.values(view.done);
  const done = steps.filter(Boolean).length;
  const isEnd = view.step === "finished" || view.step === "verify";
  return (
    <div ref={box} tabIndex={-1} className="setup-card">
      <Card>
        <BlockStack gap="400">
          <BlockStack gap="200">
            <InlineStack align="space-between" blockAlign="center" wrap={false} gap="200">
              <Text as="h2" variant="headingMd">
                {t(isEnd && view.counts.saved > 0 ? `setup.end.${alone ? "one" : "many"}` : "setup.heading", {
                  count: view.counts.saved,
                })}
              </Text>
              <Button variant="tertiary" icon={XIcon} accessibilityLabel={t("setup.dismiss")} onClick={hide} />
            </InlineStack>
            <Text as="p" tone="subdued" id="setup-progress">
              {t("setup.progress", { done, total: steps.length })}
            </Text>
            <ProgressBar
              progress={Math.round((100 * done) / steps.length)}
              size="small"
              tone={done === steps.length ? "success" : "primary"}
              ariaLabelledBy="setup-progress"
            />
          </BlockStack>
          <ol className="origen-list">
            <ConnectStep view={view} health={health} />
            <ConfirmStep view={view} health={health} alone={alone} />
            <SaveStep view={view} alone={alone} />
          </ol>
          {isEnd && <Orders />}
        </BlockStack>
      </Card>
    </div>
  );
}

/** Offered once the work is done, and never before. */
function Orders() {
  const { t } = useTranslation("home");
  const { access } = useOrderAccess();
  if (access === "granted" || access === "unknown") return null;
  return (
    <div className="setup-after">
      <BlockStack gap="200">
        <Text as="h3" variant="headingSm">
          {t("setup.orders")}
        </Text>
        <OrderAccessChoice />
      </BlockStack>
    </div>
  );
}
