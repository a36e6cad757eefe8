import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Text } from "../../polaris/polaris.ts";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../hooks/use-action.ts";
import type { FaultKind } from "../../domain/errors.ts";
import type { RefreshOutcome } from "../../pages/refresh-connection.ts";
import type { HomeView } from "../../views/home.ts";
import type { ShellView } from "../../views/shell.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { PageTop } from "../shell/page-top.tsx";
import { useChange } from "../hooks/use-change.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useToast } from "../hooks/use-toast.ts";

/**
 * A connection that does not work, with the one button that mends it. Renders nothing when all is well, and before the first connection.
 */
export function ConnectionBanner({ connection }: { connection: ShellView["connection"] }) {
  const { health } = connection;
  const { t } = useTranslation("shell");
  const toast = useToast();
  const announce = useAnnounce();
  useChange(health, ({ from, to }) => {
    if (from !== "failing" || to !== "ready") return;
    toast(t("connection.mended"));
    announce(t("connection.mended"));
  });
  if (health === "failing") return <FailingBanner connection={connection} />;
  if (health === "invalid" || health === "unreadable" || health === "unconfirmed")
    return <SettingsBanner health={health} serviceMessage={connection.fault?.serviceMessage ?? null} />;
  return null;
}

interface SettingsBannerProps {
  health: "invalid" | "unreadable" | "unconfirmed";
  /** With which words the service refused the credentials. */
  serviceMessage: string | null;
}

function SettingsBanner({ health, serviceMessage }: SettingsBannerProps) {
  const { t } = useTranslation(["shell", "common"]);
  const isMendedHere = useIsMendedHere();
  // The page asks the question itself and shows the form.
  if (isMendedHere && health === "unconfirmed") return null;
  const action = { content: t(`connection.${health}.action`), url: "/app/settings#connection" };
  return (
    <PageTop>
      <Banner
        tone={health === "unconfirmed" ? "warning" : "critical"}
        title={t(`connection.${health}.title`)}
        {...(isMendedHere ? {} : { action })}
      >
        <BlockStack gap="100">
          <Text as="p">{t(`connection.${health}.text`)}</Text>
          {health === "invalid" && serviceMessage && (
            <Text as="p" breakWord>
              {t("common:serviceSaid", { words: serviceMessage })}
            </Text>
          )}
        </BlockStack>
      </Banner>
    </PageTop>
  );
}

/** Settings has the form of the connection, and Home has it while the first steps are open. */
function useIsMendedHere(): boolean {
  const { pathname } = useLocation();
  const home = useRouteLoaderData("routes/app._index") as { home?: HomeView } | undefined;
  return pathname === "/app/settings" || (pathname === "/app" && home?.home?.setup?.step === "connect");
}

const SILENT: readonly FaultKind[] = ["transport", "timeout"];

/** A service that says no, or that we cannot read, is not silent. */
function saidOfService(fault: ShellView["connection"]["fault"]) {
  if (fault === null || SILENT.includes(fault.kind)) return { what: "title", since: "since", still: "still" } as const;
  const what = fault.kind === "rate_limited" ? "busy" : "unable";
  return { what, since: "lastGood", still: "stillUnable" } as const;
}

function FailingBanner({ connection }: { connection: ShellView["connection"] }) {
  const { t } = useTranslation(["shell", "faults"]);
  const format = useFormat();
  const announce = useAnnounce();
  const fetcher = useAction<{ refreshed: RefreshOutcome }>();
  const trying = fetcher.state !== "idle";
  const outcome = trying ? null : (fetcher.data?.refreshed ?? null);
  const tried = outcome !== null && outcome !== "mended";
  const { lastSuccessAtMs, fault } = connection;
  const said = saidOfService(fault);
  const still = t(`connection.failing.${said.still}`);
  useEffect(() => {
    if (tried) announce(still);
  }, [announce, still, tried]);

  const action = {
    content: trying ? t("connection.failing.trying") : t("connection.failing.action"),
    loading: trying,
    onAction: () => fetcher.submit({ intent: "refresh_connection" }, { method: "post", action: "/app" }),
  };
  return (
    <PageTop>
      <Banner tone="warning" title={t(`connection.failing.${said.what}`)} action={action}>
        <BlockStack gap="100">
          {fault && <FailureNote failure={{ ...fault, code: fault.kind, sinceMs: null }} />}
          <Text as="p" tone="subdued">
            {lastSuccessAtMs === null
              ? t("connection.failing.never")
              : t(`connection.failing.${said.since}`, { age: format.age(lastSuccessAtMs) })}
          </Text>
          {tried && <Text as="p">{still}</Text>}
        </BlockStack>
      </Banner>
    </PageTop>
  );
}
