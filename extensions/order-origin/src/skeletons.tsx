import type { ComponentChildren } from "preact";
import { t } from "./host.ts";

/**
 * What stands where something is not known yet, or never came: as large as what mostly comes. An extension measures nothing, so skeletons
 * are made of what will take their place: text in the admin's own letters that wraps where an address does, the carriers' grid.
 */

/** Strong: it is awaited. Transparent: only its room is kept. */
export type Ground = "strong" | "transparent";

/** About as wide as a word or two, and never broken nor folded. */
const WORD = "\u00a0".repeat(24);

/** An address, which takes a second row where it is narrow. */
const LINE = Array(4).fill(WORD).join(" ");

/** Makes a skeleton as high as a button. */
export const BUTTON = "small-200";

interface SkeletonProps {
  text?: string;
  ground?: Ground;
  padding?: typeof BUTTON;
}

export function Skeleton({ text = WORD, ground = "transparent", padding }: SkeletonProps) {
  return (
    <s-box background={ground} borderRadius="base" padding={padding ?? "none"}>
      <s-text>{text}</s-text>
    </s-box>
  );
}

export function BadgeSkeleton() {
  return <s-badge>{WORD}</s-badge>;
}

/** Wide enough for most that is said of one thing: how many rows there are depends on how many things, not on their words. */
const COLUMNS = "repeat(auto-fill, minmax(220px, 1fr))";

/** Small things side by side: one a row where it is narrow. */
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

/** As many carriers as a shop begins with. */
const CARRIERS = 3;

interface FillProps {
  taken?: number;
  awaited?: boolean;
}

/** The room of the carriers, but for the cells that are taken. */
export function Fill({ taken = 0, awaited = false }: FillProps) {
  const cells = Array.from({ length: Math.max(0, CARRIERS - taken) });
  return <>{cells.map(() => (awaited ? <BadgeSkeleton /> : <Skeleton />))}</>;
}

/** Where the buttons will be. */
export function ButtonSkeleton() {
  return (
    <>
      <s-button disabled>{t("verify")}</s-button>
      <s-button disabled>{t("sync")}</s-button>
    </>
  );
}

/** What stands between an origin's name and its buttons. */
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

/** One origin of an order of which nothing is known. */
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
