import type { AddressTemplate } from "../domain/records.ts";
import { createTemplateIndex } from "../domain/template-index.ts";
import type { TemplateIndex } from "../domain/template-index.ts";
import type { Clock } from "../ports.ts";

type Turning = Pick<Clock, "monotonicMs" | "turn">;

/** How long other shops' pages and the budget's timers may wait for a part of long work. */
const LONGEST_STRETCH_MS = 10;

/** `work` on each of a long list, in order; whatever else the process has to do has its turn in between. */
export async function mapInTurns<T, R>(
  clock: Turning,
  items: readonly T[],
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  let sinceMs = clock.monotonicMs();
  let taken = 0;
  for (const [index, item] of items.entries()) {
    if (clock.monotonicMs() - sinceMs >= LONGEST_STRETCH_MS) {
      await clock.turn(taken);
      taken += 1;
      sinceMs = clock.monotonicMs();
    }
    results.push(work(item, index));
  }
  return results;
}

/** Those of a long list that `holds` is true of. */
export async function filterInTurns<T>(clock: Turning, items: readonly T[], holds: (item: T) => boolean): Promise<T[]> {
  const held = await mapInTurns(clock, items, holds);
  return items.filter((_item, index) => held[index]);
}

/** Templates ready to be found by what a location has in common with them (`domain/template-index.ts`). */
export async function indexInTurns(clock: Turning, templates: readonly AddressTemplate[]): Promise<TemplateIndex> {
  const index = createTemplateIndex();
  await mapInTurns(clock, templates, (template) => index.add(template));
  return index;
}
