import type { TFunction } from "i18next";
import type { HomeView, OpenOrigins } from "../../views/home.ts";

/** What the card says below its count: what is open, or that nothing is, moves and other pending things of Home's included. */
export function readyLines(
  { origins, needs, moves }: Pick<HomeView, "origins" | "needs" | "moves">,
  t: TFunction<"home">,
): string[] {
  const { canShip, part, total, open, yours, underWay } = origins;
  if (total === 0) return [];
  const rest = total - canShip - part;
  const line = (
    key: "ofThose" | "part" | "rest" | "each",
    count: number,
    { yours: asked, underWay: moving }: OpenOrigins,
  ) => {
    // One kind alone is a sentence; of all of them it counts them once.
    const only = asked === 0 ? ("underWay" as const) : moving === 0 ? ("yours" as const) : null;
    const some = asked + moving;
    if (key !== "each" && only && some > 0 && some === count) return [t(`ready.${key}All.${only}`, { count })];
    if (key === "ofThose" && only && some > 0) return [t(`ready.ofThoseSome.${only}`, { count: some })];
    const words = [
      ...(asked > 0 ? [t("ready.yours", { count: asked })] : []),
      ...(moving > 0 ? [t("ready.underWay", { count: moving })] : []),
    ];
    if (words.length > 0) return [t(`ready.${key}`, { count, open: words.join(", ") })];
    return key === "part" && count > 0 ? [t("ready.partAlone", { count })] : [];
  };
  return [
    ...(yours + underWay + needs.length + moves.length === 0 ? [t("ready.allDone")] : []),
    ...line("ofThose", canShip, open.canShip),
    ...line("part", part, open.part),
    ...line(rest === total ? "each" : "rest", rest, open.rest),
  ];
}
