import type { Page } from "playwright-core";

interface Watched {
  shifts: number[];
}

/** From now on every document of the page counts what moves without anybody's doing. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { shifts: [] };
    Object.assign(window, { watched });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) watched.shifts.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** What moved since the last call, as the sum that "cumulative layout shift" is. Observers are told a frame later than things happen. */
export async function shiftSinceLast(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
    await new Promise((told) => setTimeout(told, 100));
    const { watched } = window as unknown as { watched: Watched };
    return watched.shifts.splice(0).reduce((sum, value) => sum + value, 0);
  });
}
