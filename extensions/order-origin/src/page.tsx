import type { ComponentChildren } from "preact";
import { Skeleton, BUTTON, CardSkeleton, RestSkeleton } from "./skeletons.tsx";
import { t } from "./host.ts";
import type { Origins } from "./use-origins.ts";

/** What block and action show before, around and instead of the origins. */

const SETTINGS = "app:app/settings";

/** What is mended there, problems and states of the connection alike. */
const MENDED_THERE = ["scope", "none", "invalid", "unreadable", "unconfirmed"];

/** Repeating these would change nothing. */
const FINAL = ["scope", "protected", "tooOld", "noOrigin"];

export interface Notice {
  words: string;
  /** What Settings, which mends it, is called here. */
  link?: string;
  retry?: () => void;
}

/** The one thing to say of the whole: why nothing came, or what keeps what came from moving. */
export function noticeOf({ view, problem, retry }: Origins): Notice | null {
  const what = problem ?? view?.connection ?? "ready";
  if (what === "ready") return null;
  return {
    words: t(problem ? `problem.${problem}` : `connection.${what}`),
    link: MENDED_THERE.includes(what) ? t(what === "none" ? "link.connect" : "link.settings") : undefined,
    retry: problem && !FINAL.includes(problem) ? retry : undefined,
  };
}

/** What can be done about it. */
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

/** A notice that has no origin to stand in. */
function Line({ notice }: { notice: Notice }) {
  return (
    <s-stack gap="small-200">
      <s-box accessibilityRole="status">
        <s-text>{notice.words}</s-text>
      </s-box>
      {mends(notice) && (
        <s-stack direction="inline" gap="small">
          <Mend notice={notice} />
        </s-stack>
      )}
    </s-stack>
  );
}

/** Nothing that is drawn already moves for it. */
export function Page({ origins, children }: { origins: Origins; children: ComponentChildren }) {
  const notice = noticeOf(origins);
  if (!origins.places) return <CardSkeleton />;
  return (
    <s-stack gap="base">
      {children}
      {notice && <Line notice={notice} />}
    </s-stack>
  );
}

/** Why no origin can be shown; in the room that was kept for one, if it was. */
export function Nothing({ notice, waited }: { notice: Notice; waited: boolean }) {
  return (
    <s-stack gap="small-200">
      <Line notice={notice} />
      {waited && <RestSkeleton ground="transparent" />}
      {waited && !mends(notice) && <Skeleton padding={BUTTON} />}
    </s-stack>
  );
}
