import type { ComponentChildren } from "preact";
import { t } from "./host.ts";

/**
 * Placeholders for what is not known yet, or never came, with the usual size of the real content. An extension cannot measure, so skeletons
 * are made of the same elements as the content: text in the admin's font that wraps where an address does, and the carriers' grid.
 */

/** Strong: the content is still awaited. Transparent: only its room is kept. */
export type Ground = "strong" | "transparent";

/** About as wide as a word or two. It never breaks, and its spaces never collapse. */
const WORD = "\u00a0".repeat(24);

/** As long as an address, so that it takes a second row on a narrow page. */
const LINE = `${WORD} `.repeat(4);

/** Makes a skeleton as high as a button. */
export const BUTTON = "small-200";

interface SkeletonProps {
  text?: string;
  ground?: Ground;
  padding?: typeof BUTTON | "none";
}

export function Skeleton({ text = WORD, ground = "transparent", padding = "none" }: SkeletonProps) {
  return (
    <s-box background={ground} borderRadius="base" padding={padding}>
      <s-text>{text}</s-text>
    </s-box>
  );
}

export function BadgeSkeleton() {
  return <s-badge>{WORD}</s-badge>;
}

/** Columns wide enough for most texts, so that the number of rows depends on the number of texts and not on their length. */
const COLUMNS = "repeat(auto-fill, minmax(220px, 1fr))";

/** Small items side by side; one in each row on a narrow page. */
export function Cells({ awaited = false, children }: { awaited?: boolean; children: ComponentChildren }) {
  return (
    <s-grid
      gridTemplateColumns={COLUMNS}
      gap="small-200"
      alignItems="center"
      justifyItems="start"
      accessibilityLabel={awaited ? t("loading") : ""}
    >
      {children}
    </s-grid>
  );
}

/** As many carriers as a new shop has. */
const CARRIERS = 3;

interface FillProps {
  taken?: number;
  awaited?: boolean;
}

/** Room for the carriers, without the cells that are filled already. */
export function Fill({ taken = 0, awaited = false }: FillProps) {
  const cells = Array.from({ length: Math.max(0, CARRIERS - taken) });
  return <>{cells.map(() => (awaited ? <BadgeSkeleton /> : <Skeleton />))}</>;
}

/** A placeholder for the buttons. */
export function ButtonSkeleton() {
  return (
    <>
      <s-button disabled>{t("verify")}</s-button>
      <s-button disabled>{t("sync")}</s-button>
    </>
  );
}

/** A placeholder for what stands between an origin's name and its buttons. */
export function RestSkeleton({ ground }: { ground: Ground }) {
  const awaited = ground === "strong";
  return (
    <>
      <Skeleton text={LINE} ground={ground} />
      <Cells awaited={awaited}>
        <Fill awaited={awaited} />
      </Cells>
      <Cells>
        <Skeleton ground={ground} />
      </Cells>
    </>
  );
}

/** A placeholder for one origin of an order of which nothing is known. */
export function CardSkeleton() {
  return (
    <s-stack gap="small-200">
      <Cells>
        <Skeleton ground="strong" />
        <Skeleton />
      </Cells>
      <RestSkeleton ground="strong" />
      <Cells>
        <Skeleton ground="strong" padding={BUTTON} />
      </Cells>
    </s-stack>
  );
}
