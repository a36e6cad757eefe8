import { Banner, BlockStack, Card } from "../../polaris/polaris.ts";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { isDisconnected } from "../../domain/closed-reason.ts";
import type { ReviewView } from "../../views/review.ts";
import { JobProgress } from "../jobs/job-progress.tsx";
import { AsOf } from "../list/as-of.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { Notice } from "../shell/notice.tsx";
import { NothingHere } from "../shell/nothing-here.tsx";
import { SaveBar } from "../shell/save-bar.tsx";
import { ContactCard } from "./contact-card.tsx";
import { ReviewBar } from "./review-bar.tsx";
import { ReviewList } from "./review-list.tsx";
import { CONTACT } from "./review-order.ts";
import type { Standing } from "./review-order.ts";
import { useReviewForm } from "./use-review-form.ts";
import { useReviewList } from "./use-review-list.ts";
import "./review.css";
import "../origins/origins.css";

/** Every location that waits for the owner's confirmation, in one list: sixty are finished here without leaving it. */
export function ReviewPage({ view }: { view: ReviewView }) {
  const { t } = useTranslation(["review", "origins", "addressBook"]);
  const root = useRef<HTMLDivElement>(null);
  const form = useReviewForm(view, root);
  const { rows, edits, facts, needed, busy, answer } = form;
  const standings = rows.map(({ locationId }): Standing => ({
    locationId,
    facts: facts.get(locationId)!,
    isRefused: form.refusalOf(locationId) !== null && !edits.rows[locationId]?.leftOut,
  }));
  const list = useReviewList(standings, { root, answer: busy ? undefined : (answer ?? null) });
  const connected = !isDisconnected(view.connection);
  const contactLacks = needed.length > 0;

  function confirm() {
    // What is open may be in a row that is closed or not in sight.
    if (!form.confirm()) list.goToOpen(contactLacks, "start");
  }

  return (
    <AppPage
      title={t("title")}
      subtitle={rows.length > 0 ? t(subtitleOf(view), { count: rows.length }) : undefined}
      fullWidth
      backAction={{ content: t("origins:title"), url: "/app/origins" }}
    >
      <div ref={root}>
        <BlockStack gap="400">
          <JobProgress initial={view.job} />
          {answer?.kind === "contact_stale" && <Banner tone="warning">{t("contactStale")}</Banner>}
          {rows.length === 0 ? (
            <Card>
              <NothingHere
                heading={t("empty.heading")}
                text={t("empty.text", { count: view.confirmed })}
                action={{ content: t("empty.action"), url: "/app/origins" }}
              />
            </Card>
          ) : (
            <>
              {!connected && (
                <Notice
                  tone="info"
                  action={{ content: t("addressBook:empty.connect"), url: "/app/settings#connection" }}
                >
                  {t("unconnected")}
                </Notice>
              )}
              <SaveBar
                dirty={form.dirty}
                saving={busy}
                onSave={confirm}
                onDiscard={form.discard}
                id="review-save-bar"
              />
              <div data-place={CONTACT}>
                <ContactCard
                  isAsked={form.isAsked}
                  values={form.contact}
                  problems={form.problems}
                  needed={needed}
                  alike={form.alike}
                  onChange={form.editContact}
                  onFill={form.fillContact}
                />
              </div>
              <ReviewList {...{ form, standings, list }} more={view.more} />
            </>
          )}
          {connected && <AsOf atMs={view.reconciledAtMs} words={t("origins:asOf")} never={t("origins:never")} />}
          {rows.length > 0 && (
            <ReviewBar
              form={form}
              connected={connected}
              onConfirm={confirm}
              onNext={() => list.goToOpen(contactLacks)}
            />
          )}
        </BlockStack>
      </div>
    </AppPage>
  );
}

/** What holds until the rows are confirmed: not all of them are new to the account. */
function subtitleOf({ rows, connection }: ReviewView) {
  if (isDisconnected(connection)) return "subtitleUnconnected";
  if (rows.every(({ inAccount }) => inAccount !== null)) return "subtitleAgain";
  return rows.some(({ inAccount }) => inAccount !== null) ? "subtitleSome" : "subtitle";
}
