import { isWaitReason } from "../../../app/domain/reason-places.ts";
import { failureOf } from "../../../app/views/failure-of.ts";
import { readAddressBook } from "../../../app/pages/read-address-book.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { readJob } from "../../../app/jobs/read-job.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { readTemplate } from "../../../app/pages/read-template.ts";
import { readShell } from "../../../app/pages/read-shell.ts";
import type { BookView } from "../../../app/views/address-book.ts";
import type { FailureView } from "../../../app/views/failure.ts";
import type { HomeView } from "../../../app/views/home.ts";
import type { JobView } from "../../../app/views/job.ts";
import type { OriginView } from "../../../app/views/origin.ts";
import type { OriginsView } from "../../../app/views/origins.ts";
import type { ShellView } from "../../../app/views/shell.ts";
import type { Services } from "../../../app/ports.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";

/** The app's pages of one shop as its owner would see them now, built by the functions of the rooms that the routes call. */
export interface Pages {
  shell(shop: string): Promise<ShellView | null>;
  home(shop: string): Promise<HomeView | null>;
  origins(shop: string): Promise<OriginsView | null>;
  origin(shop: string, locationId: string): Promise<OriginView | null>;
  job(shop: string, jobId: string): Promise<JobView | null>;
  /** All rows of the address book, read page by page as a person does. */
  book(shop: string): Promise<BookView | null>;
  /** What a template's page tells of a change by hand. */
  change(shop: string, draftId: string): Promise<FailureView | null>;
}

const EVERY_ORIGIN = ALL_ORIGINS;

export function pagesOver(services: Services): Pages {
  return {
    shell: (shop) => readShell(services, { shop }),
    home: (shop) => readHome(services, { shop }),
    origins: (shop) => readOrigins(services, { shop, query: EVERY_ORIGIN }),
    origin: (shop, locationId) => readOrigin(services, { shop, locationId }),
    job: (shop, jobId) => readJob(services, { shop, jobId }),
    async change(shop, draftId) {
      const draft = await services.store.drafts.find({ shop, id: draftId });
      if (!draft?.templateId) return null;
      const page = await readTemplate(services, { shop, templateId: draft.templateId });
      if (page) return page.change;
      // The page is gone with its template. The open form still polls, and is told what the change waits for.
      const item = await services.store.workItems.find({ shop, kind: "template", key: draftId });
      return item && isWaitReason(item.reason?.code) ? failureOf(item) : null;
    },
    book: (shop) => readWholeBook(services, shop),
  };
}

async function readWholeBook(services: Services, shop: string): Promise<BookView | null> {
  const open = (page: number) => readAddressBook(services, { shop, query: { tab: "all", search: "", page } });
  const first = await open(1);
  if (!first) return null;
  const rows = [...first.rows];
  for (let page = 2; page <= first.pages; page += 1) rows.push(...((await open(page))?.rows ?? []));
  return { ...first, rows };
}
