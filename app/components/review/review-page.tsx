import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ContactField } from "../../domain/address/form-fields.ts";
import { SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import type { FieldProblem } from "../../domain/address/address.ts";
import type { ReviewView } from "../../views/review.ts";
import { JobProgress } from "../jobs/job-progress.tsx";
import { AsOf } from "../list/as-of.tsx";
import { useAnnounce } from "../shell/announcer.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { NothingHere } from "../shell/nothing-here.tsx";
import { SaveBar } from "../shell/save-bar.tsx";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";
import { useRowsInTurn } from "../hooks/use-rows-in-turn.ts";
import { useToast } from "../hooks/use-toast.ts";
import { ContactCard } from "./contact-card.tsx";
import type { ReviewAnswer, ReviewIntent } from "./review-intent.ts";
import { ReviewRow } from "./review-row.tsx";
import type { ReviewEdits, RowEdits, SentReview } from "./review-state.ts";
import {
  NO_EDITS,
  editsOf,
  contactOf,
  isDirty,
  missingContact,
  readyRows,
  templateChoiceOf,
  templateVersionOf,
  valueOf,
} from "./review-state.ts";
import "./review.css";
import "../origins/origins.css";

/** A constant, because a new array would render the contact again. */
const NO_PROBLEMS: FieldProblem[] = [];

/** Every location that waits for the owner's confirmation, in one table: sixty are finished here without opening one. */
export function ReviewPage({ view }: { view: ReviewView }) {
  const { t } = useTranslation(["review", "origins"]);
  const [edits, setEdits] = useState(NO_EDITS);
  const { answer, send, busy } = useReviewActions(setEdits);
  const root = useRef<HTMLDivElement>(null);
  const contact = useMemo(() => contactOf(view.contact, edits.contact), [view.contact, edits.contact]);
  const ready = readyRows(view, edits);
  const selected = view.rows.filter((row) => !edits.rows[row.locationId]?.leftOut);
  const problems = answer?.kind === "contact_invalid" ? answer.problems : NO_PROBLEMS;
  useFocusFirstError(root, answer?.kind === "contact_invalid" ? answer.problems : null);

  const editRow = useCallback(
    (locationId: string, own: RowEdits) =>
      setEdits((before) => ({ ...before, rows: { ...before.rows, [locationId]: own } })),
    [],
  );
  const { contactRevision } = view;
  const editContact = useCallback(
    (field: ContactField, value: string) =>
      setEdits((before) => ({
        ...before,
        contact: { ...before.contact, [field]: value },
        contactRevision: before.contactRevision ?? contactRevision,
      })),
    [contactRevision],
  );
  const exclude = useCallback((locationId: string) => send({ intent: "exclude", locationId }), [send]);

  function confirm() {
    if (ready.length === 0) return root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    send({
      intent: "confirm",
      contact,
      contactRevision: edits.contactRevision ?? view.contactRevision,
      rows: ready.map((row) => rowOf(row, edits)),
    });
  }

  const open = selected.length - ready.length;
  const missing = [
    ...new Set(view.rows.flatMap((row) => missingContact(row, edits.rows[row.locationId], contact))),
  ].join();
  const needed = useMemo(() => missing.split(",").filter(Boolean), [missing]);
  const shown = useRowsInTurn(view.rows);
  const confirmButton = (
    <div className="origen-edge">
      <InlineStack gap="300" blockAlign="center">
        <Button variant="primary" loading={busy} onClick={confirm}>
          {t("confirm", { count: ready.length })}
        </Button>
        {open > 0 && <Text as="p">{needed.length > 0 ? t("noContact") : t("stillOpen", { count: open })}</Text>}
      </InlineStack>
    </div>
  );
  return (
    <AppPage
      title={t("title")}
      subtitle={view.rows.length > 0 ? t("subtitle") : undefined}
      fullWidth
      backAction={{ content: t("origins:title"), url: "/app/origins" }}
    >
      <div ref={root}>
        <BlockStack gap="400">
          <JobProgress initial={view.job} />
          {answer?.kind === "contact_stale" && <Banner tone="warning">{t("contactStale")}</Banner>}
          {view.rows.length === 0 ? (
            <Card>
              <NothingHere
                heading={t("empty.heading")}
                text={t("empty.text", { count: view.confirmed })}
                action={{ content: t("empty.action"), url: "/app/origins" }}
              />
            </Card>
          ) : (
            <>
              <SaveBar
                dirty={isDirty(edits)}
                saving={busy}
                onSave={confirm}
                onDiscard={() => setEdits(NO_EDITS)}
                id="review-save-bar"
              />
              <ContactCard values={contact} problems={problems} needed={needed} onChange={editContact} />
              {confirmButton}
              <Card padding="0">
                <Table>
                  {shown.map((row) => (
                    <ReviewRow
                      key={row.locationId}
                      row={row}
                      edits={edits.rows[row.locationId]}
                      reference={contact.reference}
                      refusal={refusalOf(answer, row.locationId)}
                      onEdit={editRow}
                      onExclude={exclude}
                    />
                  ))}
                </Table>
              </Card>
              {view.more > 0 && <Text as="p">{t("more", { count: view.more })}</Text>}
              {confirmButton}
            </>
          )}
          <AsOf atMs={view.reconciledAtMs} words={t("origins:asOf")} never={t("origins:never")} />
        </BlockStack>
      </div>
    </AppPage>
  );
}

function Table({ children }: { children: React.ReactNode }) {
  const { t } = useTranslation(["review", "common"]);
  return (
    <div className="review-scroll">
      <table className="review-table">
        <caption className="origen-visually-hidden">{t("caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("location")}</th>
            {SPLIT_FIELDS.map((field) => (
              <th scope="col" key={field}>
                {t(`common:fields.${field}`)}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

function rowOf(row: ReviewView["rows"][number], edits: ReviewEdits) {
  const own = edits.rows[row.locationId];
  const { revision, readFrom } = own?.basis ?? row;
  const { locationId } = row;
  const values = Object.fromEntries(SPLIT_FIELDS.map((field) => [field, valueOf(row, own, field)])) as Record<
    (typeof SPLIT_FIELDS)[number],
    string
  >;
  const template = { templateId: templateChoiceOf(row, own), templateVersion: templateVersionOf(row, own) };
  return { locationId, revision, readFrom, values, ...template };
}

function refusalOf(answer: ReviewAnswer | undefined, locationId: string): string | null {
  if (answer?.kind !== "confirmed") return null;
  return answer.refused.find((one) => one.locationId === locationId)?.refusal.kind ?? null;
}

function useReviewActions(setEdits: (change: (before: ReviewEdits) => ReviewEdits) => void) {
  const { t } = useTranslation("review");
  const fetcher = useFetcher<ReviewAnswer>();
  const toast = useToast();
  const announce = useAnnounce();
  const { data, state } = fetcher;
  const told = useRef(data);
  const sent = useRef<SentReview | null>(null);
  useEffect(() => {
    // Wait until the page has read which rows are left: until then the confirmed ones would appear once more.
    if (!data || told.current === data || state !== "idle") return;
    told.current = data;
    const refused = data.kind === "confirmed" ? data.refused.map((one) => one.locationId) : [];
    const confirming = sent.current;
    if (data.kind === "confirmed" && confirming) setEdits((before) => editsOf({ sent: confirming, refused }, before));
    if (data.kind === "contact_stale") setEdits(({ contactRevision: _, ...before }) => before);
    const words = t(`answer.${data.kind}`, {
      count: data.kind === "confirmed" ? data.count : 0,
      refused: refused.length,
    });
    toast(words);
    announce(words);
  }, [data, state, setEdits, t, toast, announce]);
  const { submit } = fetcher;
  const send = useCallback(
    (intent: ReviewIntent) => {
      if (intent.intent === "confirm") sent.current = intent;
      submit(JSON.stringify(intent), { method: "post", action: "/app/review", encType: "application/json" });
    },
    [submit],
  );
  return { answer: data, busy: state !== "idle", send };
}
