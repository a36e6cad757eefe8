/** What App Bridge measures of a page in a real admin. */
export const VITALS = ["LCP", "FCP", "TTFB", "INP", "FID", "CLS"] as const;
export type Vital = (typeof VITALS)[number];

/** The routes that are pages, of which vitals are kept. */
export const VITAL_PAGES = [
  "routes/app._index",
  "routes/app.activity",
  "routes/app.address-book.$templateId",
  "routes/app.address-book._index",
  "routes/app.address-book.new",
  "routes/app.help",
  "routes/app.origins.$locationId",
  "routes/app.origins.$locationId_.move",
  "routes/app.origins.$locationId_.report",
  "routes/app.origins._index",
  "routes/app.origins.import",
  "routes/app.review",
  "routes/app.settings",
] as const;
export type VitalPage = (typeof VITAL_PAGES)[number];

export interface MeasuredVital {
  page: VitalPage;
  name: Vital;
  /** Milliseconds; of CLS a number without a unit. */
  value: number;
}

/** No report of App Bridge holds more. */
export const MOST_VITALS = 20;
