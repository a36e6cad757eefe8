interface Metric {
  id: string;
  name: string;
  value: number;
}

type Callback = (report: { metrics: Metric[] }) => void | Promise<void>;

let reportTo: Callback | null = null;

/** Of what Shopify measures it tells two, once the document is loaded. */
export const webVitals = {
  async onReport(next: Callback | null): Promise<void> {
    reportTo = next;
    if (next === null) return;
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    const metrics = [
      { id: "v1-ttfb", name: "TTFB", value: navigation!.responseStart },
      { id: "v1-fcp", name: "FCP", value: paint?.startTime ?? 0 },
    ];
    queueMicrotask(() => void reportTo?.({ metrics }));
  },
};
