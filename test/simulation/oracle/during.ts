import type { Stage } from "../people/stage.ts";
import type { Pages } from "../story/pages.ts";
import { clockOf } from "../story/timeline.ts";
import { START_MS } from "../story/start.ts";
import { hiddenExtras } from "./extras.ts";
import { falseWordsOf } from "./false-words.ts";
import { standsStill } from "./still.ts";
import { starved } from "./unserved.ts";
import { untoldOf } from "./untold.ts";
import { verdictsShownFresh } from "./verdicts.ts";
import type { Watch } from "./watch.ts";

interface Onlooker {
  watch: Watch;
  calmSinceMs: number;
}

/** The oracle's checks while the calm lasts. */
export function checkDuring(stage: Stage, { watch, calmSinceMs }: Onlooker): void {
  for (const { workItem, sinceMs } of starved(stage, { unserved: watch.unserved, calmSinceMs, excused: new Set() })) {
    const { kind, key, shop, reason, generation } = workItem;
    const since = clockOf(sinceMs - START_MS);
    watch.object(
      "starved",
      `${kind} ${key} of ${shop} waits for its generation ${generation} since ${since} (${reason?.code})`,
    );
  }
}

/** Reads the pages as their owner might at any time: pages of everything that stands still, and pages that call something done. */
export async function checkPages(
  stage: Stage,
  { watch, calmSinceMs, pages }: Onlooker & { pages: Pages },
): Promise<void> {
  const { lastAnswered } = watch.service;
  const still = standsStill(stage, { ...watch, calmSinceMs });
  for (const words of await untoldOf(pages, { still, lastAnswered })) watch.object("untold", words);
  for (const words of await falseWordsOf(stage, { pages, service: watch.service })) watch.object("falseWords", words);
  const { service } = watch;
  for (const shop of [...stage.database.rows("shops")].map((row) => row.shop)) {
    const list = stage.known.away.has(shop) ? null : await pages.origins(shop);
    if (!list) continue;
    const { disputedAtMs } = watch;
    for (const words of verdictsShownFresh(stage, { shop, list, service, disputedAtMs }))
      watch.object("verdictsLost", words);
  }
}

/** Checks that are possible only at the story's end. */
export async function checkLastPages(stage: Stage, { watch, pages }: { watch: Watch; pages: Pages }): Promise<void> {
  for (const words of await hiddenExtras(stage, pages)) watch.object("untold", words);
}
