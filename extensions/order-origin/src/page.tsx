import type { ComponentChildren } from "preact";
import { Skeleton, BUTTON, CardSkeleton, RestSkeleton } from "./skeletons.tsx";
import { t } from "./host.ts";
import type { Failure } from "./app.ts";
import type { Origins } from "./use-origins.ts";

/** What block and action show around the origins, or in place of them. */

const SETTINGS = "app:app/settings";

/** Problems and states of the connection that are mended in Settings. */
const MENDED_THERE = ["scope", "none", "invalid", "unreadable", "unconfirmed", "test", "test_only"];

/** Problems for which trying again would change nothing. */
const FINAL = ["scope", "protected", "tooOld", "noOrigin"];

export interface Notice {
  words: string;
  /** What the link to Settings is called here. */
  link?: string;
  retry?: () => void;
}

/** The one message for the whole page: why nothing can be shown, or what holds up the origins that are shown. */
export function noticeOf({ view, problem, retry }: Origins): Notice | null {
  const what = problem ?? view?.connection ?? "ready";
  if (what === "ready") return null;
  return {
    words: t(problem ? `problem.${problem}` : `connection.${what}`),
    link: MENDED_THERE.includes(what) ? t(what === "none" ? "link.connect" : "link.settings") : undefined,
    retry: problem && !FINAL.includes(problem) ? retry : undefined,
  };
}

/** Whether the connection holds up every origin: then nothing of one may be said to go on by itself, and no press helps. */
export function isHeldUp({ view, problem }: Origins): boolean {
  return !problem && !!view && view.connection !== "ready";
}

/** The button that mends the problem. */
export function Mend({ notice: { link, retry } }: { notice: Notice }) {
  return (
    <>
      {link && <s-button href={SETTINGS}>{link}</s-button>}
      {retry && <s-button onClick={retry}>{t("retry")}</s-button>}
    </>
  );
}

function mends({ link, retry }: Notice): boolean {
  return Boolean(link ?? retry);
}

interface LineProps {
  notice: Notice;
  /** Whether an origin says it already. */
  told?: boolean;
}

/** A message, and the button that mends it. */
function Line({ notice, told }: LineProps) {
  return (
    <s-stack gap="small-200">
      {!told && (
        <s-box accessibilityRole="status">
          <s-text>{notice.words}</s-text>
        </s-box>
      )}
      {mends(notice) && (
        <s-stack direction="inline" gap="small">
          <Mend notice={notice} />
        </s-stack>
      )}
    </s-stack>
  );
}

interface PageProps {
  origins: Origins;
  /** What holds up every origin stands above them: the origins do not say it themselves. */
  heldUpAbove?: boolean;
  /** What the last press ended with, which stands there in words. */
  said?: Failure | null;
  children: ComponentChildren;
}

/** Shows the message without moving anything that is drawn already. */
export function Page({ origins, heldUpAbove, said, children }: PageProps) {
  const notice = noticeOf(origins);
  if (!origins.places) return <CardSkeleton />;
  const heldUp = isHeldUp(origins);
  const above = heldUpAbove && heldUp;
  const isSaid = said != null && said === origins.problem;
  const line = notice && <Line notice={notice} told={isSaid || (Boolean(children) && heldUp && !above)} />;
  return (
    <s-stack gap="base">
      {above && line}
      {children}
      {!above && line}
    </s-stack>
  );
}

/** Why no origin can be shown, in the room that was kept for an origin, if it was kept. */
export function Nothing({ notice, waited }: { notice: Notice; waited: boolean }) {
  return (
    <s-stack gap="small-200">
      <Line notice={notice} />
      {waited && <RestSkeleton ground="transparent" />}
      {waited && !mends(notice) && <Skeleton padding={BUTTON} />}
    </s-stack>
  );
}
