import { isPending } from "../../../app/domain/origin-state.ts";
import type { Store } from "../../../app/ports.ts";
import type { HomeView } from "../../../app/views/home.ts";
import type { JobView } from "../../../app/views/job.ts";
import type { OriginsView } from "../../../app/views/origins.ts";
import type { Pages } from "../story/pages.ts";
import type { Mutant } from "./mutant.ts";

/** Faults of pages, which do not show what they should. */
export const ON_PAGES = {
  "Home does not say what fails": {
    pages: (pages) => ({ ...pages, home: onHome(pages, { needs: [], troubles: [] }) }),
  },
  "every origin that has a template is called ready": {
    pages: (pages) => ({ ...pages, origins: async (shop) => allReady(await pages.origins(shop)) }),
  },
  "a page does not look ahead of the last run": {
    pages: (pages, store) => ({ ...pages, origins: (shop) => withoutLookAhead(pages, { store, shop }) }),
  },
  "a job is called done when it begins": {
    pages: (pages) => ({ ...pages, job: async (shop, jobId) => calledDone(await pages.job(shop, jobId)) }),
  },
} satisfies Record<string, Mutant>;

function onHome({ home }: Pages, other: Partial<HomeView>): Pages["home"] {
  return async (shop) => {
    const view = await home(shop);
    return view && { ...view, ...other };
  };
}

function allReady(view: OriginsView | null): OriginsView | null {
  const rows = view?.rows.map((row) => (row.syncedAtMs === null ? row : { ...row, state: "ready" as const }));
  return view && { ...view, rows: rows! };
}

/** Shows as ready an origin for which a run would send or find something, as long as no run is requested. */
async function withoutLookAhead(
  pages: Pages,
  { store, shop }: { store: Store; shop: string },
): Promise<OriginsView | null> {
  const view = await pages.origins(shop);
  const items = await store.workItems.list({ shop, kind: "location" });
  const asIfDone = items.filter((item) => !isPending(item) && item.state === "active").map(({ key }) => key);
  const rows = view?.rows.map((row) =>
    row.state === "changing" && asIfDone.includes(row.locationId) ? { ...row, state: "ready" as const } : row,
  );
  return view && { ...view, rows: rows! };
}

function calledDone(view: JobView | null): JobView | null {
  return view && { ...view, state: "done" };
}
