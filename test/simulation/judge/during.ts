import type { Store } from "../../../app/ports.ts";
import type { Stage } from "../people/stage.ts";
import { clockOf } from "../story/timeline.ts";
import { START_MS } from "../story/start.ts";
import { starved } from "./unserved.ts";
import type { Watch } from "./watch.ts";

/** The judge looks on while the calm lasts. */
export async function judgeDuring(
  stage: Stage,
  { watch, calmSinceMs }: { store: Store; watch: Watch; calmSinceMs: number },
): Promise<void> {
  for (const { target, sinceMs } of starved(stage, { unserved: watch.unserved, calmSinceMs, excused: new Set() })) {
    const { kind, key, shop, reason, wanted } = target;
    const since = clockOf(sinceMs - START_MS);
    watch.object(
      "starved",
      `${kind} ${key} of ${shop} waits for its generation ${wanted} since ${since} (${reason?.code})`,
    );
  }
}
