import { useRevalidator } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Spinner, Text } from "../../polaris/polaris.ts";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import type { RefreshOutcome } from "../../pages/refresh-connection.ts";
import type { HomeView } from "../../views/home.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { useFormat } from "../hooks/use-format.ts";

const ASK_AGAIN_MS = 3_000;

/** When the last reconcile was, what is under way, and a button for a reconcile now. */
export function PulseCard({ view }: { view: HomeView }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const { reconciledAtMs, connection } = view;
  const connected = connection.health === "ready" || connection.health === "failing";
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("pulse.heading")}
        </Text>
        <Text as="p">
          {reconciledAtMs === null ? t("pulse.never") : t("pulse.reconciled", { age: format.age(reconciledAtMs) })}
        </Text>
        <Queue view={view} />
        {connected && <LookNow />}
      </BlockStack>
    </Card>
  );
}

function Queue({ view: { queue, connection, reading, needs, troubles } }: { view: HomeView }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  const { waiting, later, leftMs, pausedUntilMs } = queue;
  const moving = waiting > 0 && connection.health === "ready";
  // Work that keeps failing waits for its next attempt, and is shown above.
  const failing = troubles.length > 0 || needs.some(({ need }) => need === "parked");
  useAskAgain(moving || reading || (later > 0 && connection.health === "ready"));
  // The waiting changes need what the banner asks for, and are not in the queue.
  if (waiting === 0 && isHalted(connection)) return null;
  if (waiting === 0 || leftMs === null) {
    return (
      <Text as="p" tone="subdued">
        {failing ? t("pulse.idleElse") : later > 0 ? t("pulse.later", { count: later }) : t("pulse.idle")}
      </Text>
    );
  }
  return (
    <BlockStack gap="100">
      <InlineStack gap="200" blockAlign="center" wrap={false}>
        {moving && <Spinner size="small" />}
        <Text as="p">
          {moving
            ? t("pulse.queue", { count: waiting, time: format.duration(leftMs) })
            : t("pulse.queueHeld", { count: waiting })}
        </Text>
      </InlineStack>
      {pausedUntilMs !== null && moving && (
        <Text as="p" tone="subdued">
          {t("pulse.paused", { when: format.age(pausedUntilMs) })}
        </Text>
      )}
    </BlockStack>
  );
}

/** Nothing is sent, for a reason that a banner on every page gives. */
function isHalted({ health }: HomeView["connection"]): boolean {
  return health !== "ready" && health !== "failing";
}

const OUTCOMES = { mended: "done", under_way: "under_way", still_failing: "failed" } as const;

function LookNow() {
  const { t } = useTranslation("home");
  const announce = useAnnounce();
  const fetcher = useAction<{ refreshed: RefreshOutcome }>();
  const outcome = fetcher.state === "idle" ? fetcher.data?.refreshed : undefined;
  const words = outcome === undefined || outcome === "not_connected" ? null : t(`pulse.${OUTCOMES[outcome]}`);
  useEffect(() => {
    if (words) announce(words);
  }, [announce, words]);
  return (
    <InlineStack>
      <Button
        onClick={() => fetcher.submit({ intent: "refresh_connection" }, { method: "post", action: "/app" })}
        loading={fetcher.state !== "idle"}
      >
        {t("pulse.now")}
      </Button>
    </InlineStack>
  );
}

/** Polls while something is under way, so that the card shows its end. */
function useAskAgain(moving: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!moving || state !== "idle") return;
    const timer = setTimeout(revalidate, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [moving, revalidate, state]);
}
