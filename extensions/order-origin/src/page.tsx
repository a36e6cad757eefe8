import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
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
const STANDSTILL = ["none", "failing", "invalid", "unconfirmed"];

export function Page({ origins, children }: { origins: Origins; children: ComponentChildren }) {
  const { places, view, problem, retry } = origins;
  const waited = useRef(false);
  if (!places) {
    waited.current = true;
    return <Rows of={ROWS} background="strong" />;
  }
  const halt = view && STANDSTILL.includes(view.connection) ? view.connection : null;
  const nothingToAsk = places.every(({ locationId }) => locationId === null);
  // Below: what is drawn already stays where it is.
  return (
    <s-stack gap="base">
      {children}
      {problem && (
        <Line
          words={`problem.${problem}`}
          href={MENDED_IN[problem]}
          link="settings"
          retry={FINAL.includes(problem) ? undefined : retry}
        />
      )}
      {halt && (
        <Line words={`connection.${halt}`} href={MENDED_IN[halt]} link={halt === "none" ? "connect" : "settings"} />
      )}
      {waited.current && nothingToAsk && <Rows of={ROWS.slice(2 + 2 * places.length)} background="transparent" />}
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

/** Name, address in two lines, carriers, when, buttons: as tall as one origin, whatever the admin's letters. */
const ROWS = ["40%", "80%", "60%", "70%", "30%", "50%"] as const;

interface RowsProps {
  of: readonly (typeof ROWS)[number][];
  /** Transparent: the room stays that was kept for an origin, so that nothing moves for a line that came late. */
  background: "strong" | "transparent";
}

function Rows({ of, background }: RowsProps) {
  return (
    <s-stack gap="small" accessibilityLabel={background === "strong" ? t("loading") : ""}>
      {of.map((inlineSize) => (
        <s-box key={inlineSize} background={background} borderRadius="base" inlineSize={inlineSize}>
          <s-text>{"\u00a0"}</s-text>
        </s-box>
      ))}
    </s-stack>
  );
}
