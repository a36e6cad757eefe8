import type { Browser, Frame, Page } from "playwright-core";
import { visit } from "../../e2e/browser.ts";

/** What a browser says of one page of the app, in its frame: the three vitals, and what its scripts weigh on the way. */

export interface Vitals {
  lcpMs: number;
  cls: number;
  /** The slowest of the interactions. */
  inpMs: number;
  /** Compressed, as they came; App Bridge, which is Shopify's, left out. */
  scriptBytes: number;
}

export interface PageUnderTest {
  url: string;
  /** Presses and types as an owner would; null: nothing on this page answers by itself. */
  use(app: Frame, page: Page): Promise<void>;
}

const SETTLED_WITHIN_MS = 3_000;

interface Seen {
  lcpMs: number;
  cls: number;
  inpMs: number;
}

/** As the observers fill it in. */
interface Watched extends Omit<Seen, "cls"> {
  shifts: { atMs: number; value: number }[];
}

/** Loads the page `times` times, the first with an empty cache, and uses it the last time. The worst of what was seen counts. */
export async function measureVitals(
  browser: Browser,
  { page: tested, times }: { page: PageUnderTest; times: number },
): Promise<Vitals> {
  const tab = await visit(browser);
  try {
    await tab.context.addInitScript(observe);
    const loads: Seen[] = [];
    let scriptBytes = 0;
    for (let load = 0; load < times; load += 1) {
      await tab.page.goto(tested.url);
      const app = await tab.app();
      await app.locator("h1").first().waitFor();
      // What a page asks for behind itself, such as a whole address book, may take far longer.
      await tab.page.waitForLoadState("networkidle", { timeout: SETTLED_WITHIN_MS }).catch(() => undefined);
      if (load === 0) scriptBytes = await weighScripts(app);
      if (load === times - 1) await tested.use(app, tab.page);
      loads.push(await seen(app));
    }
    return {
      lcpMs: percentile75(loads.map(({ lcpMs }) => lcpMs)),
      cls: Math.max(...loads.map(({ cls }) => cls)),
      inpMs: loads.at(-1)!.inpMs,
      scriptBytes,
    };
  } finally {
    await tab.close();
  }
}

/** The vitals' own percentile. */
function percentile75(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1]!;
}

/** Runs in the page before anything else. */
function observe(): void {
  const seen: Watched = { lcpMs: 0, shifts: [], inpMs: 0 };
  Object.assign(window, { vitals: seen });
  const watch = (type: string, take: (entry: PerformanceEntry) => void, more = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch("largest-contentful-paint", (entry) => (seen.lcpMs = entry.startTime));
  watch("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.shifts.push({ atMs: entry.startTime, value });
  });
  watch(
    "event",
    (entry) => {
      const { interactionId } = entry as PerformanceEntry & { interactionId: number };
      if (interactionId) seen.inpMs = Math.max(seen.inpMs, entry.duration);
    },
    { durationThreshold: 16 },
  );
}

/** Observers are told a frame later than things happen. What moves before anything was painted nobody sees. */
async function seen(app: Frame): Promise<Seen> {
  await app.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200))));
  return app.evaluate(() => {
    const { lcpMs, inpMs, shifts } = (window as unknown as { vitals: Watched }).vitals;
    const paintedAtMs = performance.getEntriesByName("first-paint")[0]?.startTime ?? 0;
    const cls = shifts.filter(({ atMs }) => atMs > paintedAtMs).reduce((sum, { value }) => sum + value, 0);
    return { lcpMs, inpMs, cls };
  });
}

/** App Bridge is Shopify's and comes from elsewhere. */
async function weighScripts(app: Frame): Promise<number> {
  return app.evaluate(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const own = entries.filter(
      ({ name }) => name.startsWith(location.origin) && new URL(name).pathname.endsWith(".js"),
    );
    return [...new Map(own.map((entry) => [entry.name, entry.encodedBodySize])).values()].reduce((a, b) => a + b, 0);
  });
}
