import { BlockStack } from "../../polaris/polaris.ts";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ExclusionReason } from "../../domain/origin-state.ts";
import type { OriginView } from "../../views/origin.ts";
import { StateBadge, useStateWords } from "../origins/state-badge.tsx";
import { useAnnounce } from "../shell/announcer.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { AddressCard } from "./address-card.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DetailsFormCard } from "./details-form.tsx";
import { DifferencesCard } from "./differences-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { OriginBanner } from "./origin-banner.tsx";
import { LabelCard } from "../label/label-card.tsx";
import { typedOrigin } from "../label/typed-origin.ts";
import { goesByAccount } from "../../domain/readiness.ts";
import { warningsOf } from "../../domain/label/warnings.ts";
import { MoveNote } from "../move/move-note.tsx";
import { UnlinkDialog } from "./unlink-dialog.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { ReadinessCard } from "./readiness-card.tsx";
import { useDetailsForm } from "./use-details-form.ts";
import { useOriginActions } from "./use-origin-actions.ts";
import { useClosedWords } from "../hooks/use-closed-words.ts";
import { VerificationCard } from "./verification-card.tsx";
import "../origins/origins.css";

const SHIPS_NO_MORE: readonly ExclusionReason[] = ["abroad", "deleted", "inactive"];

export interface OriginPageProps {
  view: OriginView;
  /** Made by the loader, so that a double press deletes once. */
  draftId: string;
  /** Whether this page is Home, as in a store with one origin; then no link leads back to a list. */
  home?: boolean;
}

/** All of one origin. Its commands go to `/app/origins/:legacyLocationId`, even when the page is Home. */
export function OriginPage({ view, draftId, home = false }: OriginPageProps) {
  const { t } = useTranslation(["origin", "origins"]);
  const actions = useOriginActions(view.legacyId, "origin");
  const form = useDetailsForm(view, actions);
  const closed = useClosedWords(view.connection);
  const [dialog, setDialog] = useState<"link" | "unlink" | "delete" | null>(null);
  useRefresh(view);
  useAnnounceState(view);

  const save = () => actions.send({ intent: "save", ...form.stated() });
  const { template, exclusion } = view;
  const active = exclusion === null && !view.paused;
  const used = exclusion === null || template !== null;
  const there = template !== null && view.missingSinceMs === null;
  const preview = !template && exclusion === null && <PreviewCard view={view} actions={actions} onConfirm={save} />;
  // No labels are created from it, so there is nothing to ask carriers.
  const notAsked = exclusion !== null && SHIPS_NO_MORE.includes(exclusion) ? t(`excluded.${exclusion}.title`) : null;
  const close = () => setDialog(null);
  // Nothing can be asked of the account, and the button says why.
  const unlessClosed = closed === null ? {} : { disabled: true, helpText: closed };
  const typed = typedOrigin(view, form.draft.values);
  const warnings = warningsOf(typed);
  return (
    <AppPage
      title={view.name}
      {...(home ? {} : { backAction: { content: t("origins:title"), url: "/app/origins" } })}
      titleMetadata={<StateBadge known={view} />}
      secondaryActions={[
        ...(active && view.confirmed
          ? [
              {
                content: t("sync"),
                ...unlessClosed,
                helpText: closed ?? t("final.sync"),
                onAction: () => actions.send({ intent: "sync" }),
                loading: actions.busy === "sync",
              },
              { content: t("pause"), onAction: () => actions.send({ intent: "pause" }) },
            ]
          : []),
        ...(template || (exclusion && !view.canInclude)
          ? []
          : [{ content: t("linkExisting"), ...unlessClosed, onAction: () => setDialog("link") }]),
        ...(there && active && view.move === null
          ? [{ content: t("move"), url: `/app/origins/${view.legacyId}/move` }]
          : []),
        ...(there ? [{ content: t("unlink"), onAction: () => setDialog("unlink") }] : []),
        ...(there
          ? [
              {
                content: t("delete.open"),
                destructive: true,
                ...unlessClosed,
                onAction: () => setDialog("delete"),
              },
            ]
          : []),
      ]}
    >
      <div className="origen-origin">
        {exclusion === null && (
          <ReadinessCard
            view={view}
            {...(closed === null && there && actions.busy === null
              ? { onAskAgain: (carrier: string) => actions.send({ intent: "verify", carriers: [carrier] }) }
              : {})}
          />
        )}
        <div className="origen-main">
          <BlockStack gap="400">
            {view.move && <MoveNote news={view.move} legacyId={view.legacyId} />}
            <OriginBanner view={view} actions={actions} onSave={save} />
            {view.differences.length > 0 && (
              <DifferencesCard differences={view.differences} actions={actions} onUnlink={() => setDialog("unlink")} />
            )}
            {view.proposals.length > 0 && preview}
            <AddressCard view={view} />
            {used && <DetailsFormCard view={view} form={form} warnings={warnings} actions={actions} onSave={save} />}
            {view.proposals.length === 0 && preview}
          </BlockStack>
        </div>
        <BlockStack gap="400">
          {used && (
            <VerificationCard
              standings={view.standings}
              timeline={view.timeline}
              failure={view.verificationFailure}
              otherCarriers={view.otherCarriers}
              disabledReason={closed ?? notAsked ?? (there ? null : t("verification.notYet"))}
              busy={actions.busy === "verify"}
              byAccount={goesByAccount(view.readiness)}
              onVerify={(carriers) => actions.send({ intent: "verify", carriers })}
            />
          )}
          {used && (
            <LabelCard
              address={typed}
              warnings={warnings}
              carriers={view.standings.map(({ carrier }) => carrier)}
              onShorten={form.fill}
            />
          )}
          <HistoryCard entries={view.history} legacyId={view.legacyId} />
        </BlockStack>
      </div>
      <LinkDialog open={dialog === "link"} onClose={close} legacyId={view.legacyId} actions={actions} />
      <UnlinkDialog
        open={dialog === "unlink"}
        onClose={close}
        locationName={view.name}
        alias={template?.aliasName ?? view.name}
        onUnlink={() => actions.send({ intent: "unlink" })}
      />
      <DeleteDialog
        open={dialog === "delete"}
        onClose={close}
        locationName={view.name}
        alias={template?.aliasName ?? view.name}
        onDelete={() => actions.send({ intent: "delete", draftId })}
      />
    </AppPage>
  );
}

/** The page shows the stored template at once, and has it read again in the background. */
function useRefresh({ legacyId, template }: OriginView): void {
  const { send } = useOriginActions(legacyId, "refresh");
  const asked = useRef<string | null>(null);
  const templateId = template?.templateId ?? null;
  useEffect(() => {
    if (templateId === null || asked.current === templateId) return;
    asked.current = templateId;
    send({ intent: "refresh" });
  }, [templateId, send]);
}

/** Announces to screen readers a change of state that no button on this page caused. */
function useAnnounceState({ state, standings }: OriginView): void {
  const words = useStateWords()({ state, standings });
  const announce = useAnnounce();
  const known = JSON.stringify([state, ...standings.map(({ carrier, outcome }) => [carrier, outcome])]);
  const before = useRef(known);
  useEffect(() => {
    if (before.current === known) return;
    before.current = known;
    announce(words);
  }, [known, words, announce]);
}
