import { useNavigate } from "@remix-run/react";
import { Banner, BlockStack, Layout, Text } from "../../polaris/polaris.ts";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isWaitReason } from "../../domain/reason-places.ts";
import type { TemplateView } from "../../views/address-book.ts";
import type { FailureView } from "../../views/failure.ts";
import { DeleteDialog } from "../origin/delete-dialog.tsx";
import { useAction } from "../hooks/use-action.ts";
import { useFormat } from "../hooks/use-format.ts";
import { useTellOnce } from "../hooks/use-tell-once.ts";
import { useClosedWords } from "../hooks/use-closed-words.ts";
import { VerificationCard } from "../origin/verification-card.tsx";
import { Age } from "../shell/age.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { FailureNote } from "../shell/failure-note.tsx";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { LinkedCard } from "./linked-card.tsx";
import { KindBadges } from "./ownership.tsx";
import { SaveTrouble } from "./save-trouble.tsx";
import { TemplateFormCard } from "./template-form.tsx";
import { UnreadableWhy } from "./unreadable-banner.tsx";
import type { TemplateAnswer, TemplateIntent } from "./template-intent.ts";
import { useTemplateForm } from "./use-template-form.ts";
import "../origins/origins.css";

const WAITING: readonly string[] = ["under_way", "waits"];

/** The page of one template: change it, verify it, delete it. */
export function TemplatePage({ view, draftId }: { view: TemplateView; draftId: string }) {
  const { t } = useTranslation("addressBook");
  const action = `/app/address-book/${encodeURIComponent(view.templateId)}`;
  const form = useTemplateForm({ action, base: view.base, alias: view.alias, draftId });
  const closed = useClosedWords(view.connection);
  const [deleting, setDeleting] = useState(false);
  const { verify, verifying } = useTemplateCommands(action);
  useLeaveWhenGone(
    form.answer?.intent === "delete" && (form.answer.outcome.kind === "done" || form.answer.outcome.kind === "gone"),
  );
  // The answer to the button and the page's data tell of the same change, so only one of them shows it.
  const answered = form.answer?.intent === "save" && WAITING.includes(form.answer.outcome.kind);
  return (
    <AppPage
      title={view.alias || view.templateId}
      backAction={{ content: t("title"), url: "/app/address-book" }}
      titleMetadata={<KindBadges addressType={view.base.address_type} isDefault={view.base.default === true} />}
      // Nothing can be asked of the account, and the button says why: a deletion that waits unseen could surprise whoever connects again.
      secondaryActions={[
        {
          content: t("delete"),
          destructive: true,
          ...(closed === null ? {} : { disabled: true, helpText: closed }),
          onAction: () => setDeleting(true),
        },
      ]}
    >
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            <div className="origen-ranked">
              <NotTakenNote why={form.notTaken} />
              {!(answered && view.change) && <SaveTrouble answer={form.answer} />}
              {view.change && <ChangeBanner change={view.change} />}
              {view.underWay && !view.change && !answered && <Banner tone="info">{t("trouble.underWay")}</Banner>}
              {view.unreadable && (
                <Banner tone="warning" title={t("unreadable.one.title")}>
                  <BlockStack gap="100">
                    <Text as="p">{t("unreadable.one.text")}</Text>
                    <UnreadableWhy row={view.unreadable} />
                  </BlockStack>
                </Banner>
              )}
              {view.emptied.length > 0 && !view.underWay && (
                <Banner tone="warning" title={t("emptied.title")}>
                  {t(view.location ? "emptied.byItself" : "emptied.withNext", {
                    fields: view.emptied.map((field) => t(`common:fields.${field}`)).join(", "),
                  })}
                </Banner>
              )}
              {view.ownership === "elsewhere" && (
                <Banner tone="warning" title={t("elsewhere.title")}>
                  {t("elsewhere.text")}
                </Banner>
              )}
              {view.ownership === "orphan" && (
                <Banner tone="info" title={t("orphan.title")}>
                  {t("orphan.text")}
                </Banner>
              )}
            </div>
            {view.location ? (
              <LinkedCard view={view} location={view.location} />
            ) : (
              <TemplateFormCard form={form} carriers={view.standings.map(({ carrier }) => carrier)} />
            )}
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <VerificationCard
              standings={view.standings}
              timeline={view.timeline}
              otherCarriers={view.otherCarriers}
              disabledReason={closed}
              busy={verifying}
              onVerify={verify}
            />
            <div className="origen-edge">
              <Text as="p" tone="subdued">
                {t("readAt")} <Age atMs={view.readAtMs} />
              </Text>
            </div>
          </BlockStack>
        </Layout.Section>
      </Layout>
      <DeleteDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        locationName={view.location?.name ?? null}
        alias={view.alias}
        onDelete={form.remove}
      />
    </AppPage>
  );
}

/** Why the change under way fails, or what it waits for. */
function ChangeBanner({ change }: { change: FailureView }) {
  const { t } = useTranslation("addressBook");
  const { code } = change;
  if (isWaitReason(code) && code !== "held")
    return (
      <Banner tone="info">
        <BlockStack gap="100">
          <Text as="p">{t(`trouble.because.${code}`)}</Text>
          <FailureNote failure={change} />
        </BlockStack>
      </Banner>
    );
  const kind = code === "held" ? "held" : "fails";
  return (
    <Banner tone="warning" title={t(`change.${kind}`)}>
      <BlockStack gap="100">
        <Text as="p">{t(`change.${kind}Text`)}</Text>
        <FailureNote failure={change} />
      </BlockStack>
    </Banner>
  );
}

function useTemplateCommands(action: string): { verify(carriers: string[]): void; verifying: boolean } {
  const verifying = useAction<TemplateAnswer>();
  useTellAskedLately(verifying.data);
  const refreshing = useAction({ told: "nowhere" });
  const asked = useRef(false);
  const { submit } = refreshing;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    submit({ intent: "refresh" }, { method: "post", action, encType: "application/json" });
  }, [submit, action]);
  return {
    verify: (carriers) => {
      const intent: TemplateIntent = { intent: "verify", carriers };
      verifying.submit(intent, { method: "post", action, encType: "application/json" });
    },
    verifying: verifying.state !== "idle",
  };
}

/** Everything else that comes of a question is seen on the card. */
function useTellAskedLately(answer: TemplateAnswer | undefined): void {
  const { t } = useTranslation("origin");
  const format = useFormat();
  useTellOnce(answer, ({ outcome }) =>
    outcome.kind === "asked_lately"
      ? { words: t("answer.asked_lately", { when: format.dateTime(outcome.againAtMs) }) }
      : null,
  );
}

function useLeaveWhenGone(gone: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (gone) navigate("/app/address-book", { replace: true });
  }, [gone, navigate]);
}
