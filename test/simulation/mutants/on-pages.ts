import type { HomeView } from "../../../app/views/home.ts";
import type { JobView } from "../../../app/views/job.ts";
import type { OriginsView } from "../../../app/views/origins.ts";
import type { Pages } from "../story/pages.ts";
import type { Mutant } from "./mutant.ts";

/** Pages that do not say what they should. */
export const ON_PAGES = {
  "Home does not say what fails": {
    pages: (pages) => ({ ...pages, home: onHome(pages, { needs: [], troubles: [] }) }),
  },
  "every origin that has a template is called ready": {
    pages: (pages) => ({ ...pages, origins: async (shop) => allReady(await pages.origins(shop)) }),
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

function calledDone(view: JobView | null): JobView | null {
  return view && { ...view, state: "done" };
}
