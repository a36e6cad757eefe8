import type { ComponentChildren } from "preact";
import { t } from "./host.ts";
import type { Origins } from "./use-origins.ts";

/** What block and action show before, around and instead of the origins. */

/** Where a problem is mended, if the app has a page for it. */
const MENDED_IN: Record<string, string> = {
  scope: "app:app/settings",
  none: "app:app/settings",
  invalid: "app:app/settings",
  unconfirmed: "app:app/settings",
};

/** Repeating these would change nothing. */
const FINAL = ["scope", "protected", "tooOld", "noOrigin"];

/** The connection's states that keep things from moving. */
const STANDSTILL = ["failing", "invalid", "unconfirmed"];

export function Page({ origins, children }: { origins: Origins; children: ComponentChildren }) {
  const { places, view, problem, retry } = origins;
  if (!places) return <Skeleton />;
  if (view?.connection === "none") return <Line words="connection.none" href={MENDED_IN.none} link="connect" />;
  const alone = problem && !view;
  const line = problem && (
    <Line
      words={`problem.${problem}`}
      href={MENDED_IN[problem]}
      link="settings"
      retry={FINAL.includes(problem) ? undefined : retry}
    />
  );
  if (alone) return line;
  const connection = view && STANDSTILL.includes(view.connection) ? view.connection : null;
  return (
    <s-stack gap="base">
      {line}
      {connection && <Line words={`connection.${connection}`} href={MENDED_IN[connection]} link="settings" />}
      {children}
    </s-stack>
  );
}

interface LineProps {
  words: string;
  href?: string;
  link: string;
  retry?: () => void;
}

function Line({ words, href, link, retry }: LineProps) {
  return (
    <s-stack direction="inline" gap="small" alignItems="center" accessibilityRole="status">
      <s-text>{t(words)}</s-text>
      {href && <s-link href={href}>{t(`link.${link}`)}</s-link>}
      {retry && <s-button onClick={retry}>{t("retry")}</s-button>}
    </s-stack>
  );
}

/** Name, address, carriers, when, buttons. */
const ROWS = [
  ["40%", "20px"],
  ["80%", "20px"],
  ["60%", "22px"],
  ["30%", "20px"],
  ["50%", "32px"],
] as const;

/** As tall as one origin, so that nothing jumps when it comes. */
function Skeleton() {
  return (
    <s-stack gap="small" accessibilityLabel={t("loading")}>
      {ROWS.map(([inlineSize, blockSize]) => (
        <s-box key={inlineSize} background="strong" borderRadius="base" blockSize={blockSize} inlineSize={inlineSize} />
      ))}
    </s-stack>
  );
}
