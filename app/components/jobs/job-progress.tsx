import { BlockStack, Button, Card, InlineStack, Link, List, ProgressBar, Text } from "../../polaris/polaris.ts";
import type { ProgressBarProps } from "../../polaris/polaris.ts";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { JobView } from "../../views/job.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { useFormat } from "../hooks/use-format.ts";
import { FailureNote } from "../shell/failure-note.tsx";
import { useJob } from "./use-job.ts";

/** A bulk job: how much is done, how much failed, the time left, and a button that stops it. Renders nothing without a job. */
export function JobProgress({ initial }: { initial: JobView | null }) {
  const { job, cancel, cancelling } = useJob(initial);
  const { t } = useTranslation(["origins", "common"]);
  const format = useFormat();
  const words = useJobWords();
  useAnnounceEnd(job);
  if (!job) return null;
  const ended = job.total - job.waiting;
  const running = job.state === "running";
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingSm" id={`job-${job.id}`}>
            {words(job)}
          </Text>
          {running && (
            <Button onClick={cancel} loading={cancelling}>
              {t("job.cancel")}
            </Button>
          )}
        </InlineStack>
        <ProgressBar
          progress={job.total === 0 ? 100 : Math.round((ended / job.total) * 100)}
          size="small"
          tone={toneOf(job)}
          ariaLabelledBy={`job-${job.id}`}
        />
        <Text as="p" tone="subdued">
          {t("job.counts", {
            kind: job.kind,
            done: job.done,
            total: job.total,
            failed: job.failed,
            cancelled: job.cancelled,
            skipped: job.skipped,
          })}
          {running && job.leftMs !== null && ` ${t("job.left", { time: format.duration(job.leftMs) })}`}
        </Text>
        {job.failure && <FailureNote failure={job.failure} />}
        {job.skipped > 0 && <Skipped job={job} />}
        {job.state === "cancelled" && <Stopped job={job} />}
        {job.failures.length > 0 && <Failures job={job} />}
      </BlockStack>
    </Card>
  );
}

/** What waits for its owner is told in words. A bar that is all red would say that nothing was done. */
function toneOf({ state, total, failed }: JobView): ProgressBarProps["tone"] {
  if (failed > 0) return failed === total ? "critical" : "primary";
  return state === "running" ? "highlight" : "success";
}

/** The job in a line: of what was its to do. */
function useJobWords(): (job: JobView) => string {
  const { t } = useTranslation("origins");
  return useCallback(
    ({ kind, state, total, skipped, failed }) =>
      state === "done" && total === skipped
        ? t(`job.${kind}.nothing`)
        : t(`job.${kind}.${state}`, { total: total - skipped, failed }),
    [t],
  );
}

/** What the job passed over, and why. */
function Skipped({ job: { skipped, skips } }: { job: JobView }) {
  const { t } = useTranslation("origins");
  const format = useFormat();
  const reasons = skips.map(({ reason, count }) =>
    t("job.skips", { count, why: t(`skip.${reason}`, { count, defaultValue: t("skip.other") }) }),
  );
  return <Text as="p">{t("job.skipped", { count: skipped, reasons: format.list(reasons) })}</Text>;
}

/** The rest of a stopped job: what could not be stopped, and how to go on with what was. */
function Stopped({ job }: { job: JobView }) {
  const { t } = useTranslation("origins");
  const kept = job.cancelled - job.returned;
  return (
    <BlockStack gap="100">
      {job.waiting > 0 && <Text as="p">{t("job.tooLate", { count: job.waiting })}</Text>}
      {job.returned > 0 && <Text as="p">{t("job.returned", { count: job.returned })}</Text>}
      {kept > 0 && <Text as="p">{t(`job.${job.kind}.kept`, { count: kept })}</Text>}
    </BlockStack>
  );
}

function Failures({ job }: { job: JobView }) {
  const { t } = useTranslation("origins");
  return (
    <List>
      {job.failures.map(({ legacyId, name, reason }) => (
        <List.Item key={legacyId}>
          <Link url={`/app/origins/${legacyId}`}>{name}</Link>
          {`: ${t(`reason.${reason ?? "other"}`, { defaultValue: t("reason.other") })}`}
        </List.Item>
      ))}
      {job.failed > job.failures.length && (
        <List.Item>{t("job.moreFailures", { count: job.failed - job.failures.length })}</List.Item>
      )}
    </List>
  );
}

function useAnnounceEnd(job: JobView | null): void {
  const words = useJobWords();
  const announce = useAnnounce();
  const before = useRef(job?.state);
  useEffect(() => {
    if (job && before.current === "running" && job.state !== "running") announce(words(job));
    before.current = job?.state;
  }, [job, announce, words]);
}
