import { readFileSync } from "node:fs";
import type { Habits } from "../../fakes/shipping/habits.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import { behaviourFromReport, type SeenReport } from "../../sandbox/shipping/dialect/from-report.ts";

/** The service as `npm run conformance` saw it (docs/conformance.md), in place of habits that a seed draws. */
export interface ServiceAs {
  habits: Partial<Habits>;
  /** Null: drawn, because lists showed every write at once. */
  listsBehindMs: number | null;
}

/** @throws where the file is no report. */
export function readServiceAs(file: string): ServiceAs {
  const report = JSON.parse(readFileSync(file, "utf8")) as Partial<SeenReport>;
  if (!report.seen) throw new Error(`${file} is no report of npm run conformance`);
  return serviceAs({ seen: report.seen });
}

export function serviceAs(report: SeenReport): ServiceAs {
  const { partialAddress, trimText, order, textLimits, capitals, verification, listBehindMs } =
    behaviourFromReport(report);
  const alias = textLimits?.["alias_name"];
  const { knownCarriers, unsupportedCarriers, repeat } = verification ?? {};
  const unknown = knownCarriers ? PLAYED.filter((carrier) => !knownCarriers.includes(carrier)) : [];
  return {
    habits: {
      ...(partialAddress && { wipes: partialAddress === "replace" }),
      ...(trimText !== undefined && { tidies: trimText }),
      ...(unsupportedCarriers && { refuses: [...unsupportedCarriers, ...unknown] }),
      ...(order === "oldest" || order === "newest" ? { order } : {}),
      ...(alias?.over === "cut" && { aliasLength: alias.length }),
      ...(capitals !== undefined && { capitals }),
      ...(repeat && { repeatsItself: repeat === "keep" }),
    },
    listsBehindMs: listBehindMs || null,
  };
}

/** The carriers that stories ask. */
const PLAYED = ["fedex", "dhl"];

/** The habits of one story: drawn, but for those that were seen. */
export function drawHabits({
  habits: random,
  dialect,
  serviceAs: seen,
}: {
  habits: SeededRandom;
  dialect: SeededRandom;
  serviceAs?: ServiceAs | null | undefined;
}): Habits {
  return {
    wipes: random.chance(0.1),
    tidies: random.chance(0.3),
    refuses: random.chance(0.3) ? ["dhl"] : [],
    order: dialect.chance(0.3) ? "newest" : "oldest",
    ...(dialect.chance(0.05) ? { aliasLength: dialect.pick([30, 24]) } : {}),
    capitals: dialect.chance(0.04),
    repeatsItself: dialect.chance(0.3),
    textNumbers: dialect.chance(0.05),
    byteOrderMark: dialect.chance(0.05),
    ...seen?.habits,
  };
}
