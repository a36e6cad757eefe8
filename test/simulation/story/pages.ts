import { readAddressBook } from "../../../app/use-cases/read-address-book.ts";
import { readHome } from "../../../app/use-cases/read-home.ts";
import { readJob } from "../../../app/use-cases/read-job.ts";
import { readOrigin } from "../../../app/use-cases/read-origin.ts";
import { readOrigins } from "../../../app/use-cases/read-origins.ts";
import { readShell } from "../../../app/use-cases/read-shell.ts";
import type { BookView } from "../../../app/use-cases/views/address-book.ts";
import type { HomeView } from "../../../app/use-cases/views/home.ts";
import type { JobView } from "../../../app/use-cases/views/job.ts";
import type { OriginView } from "../../../app/use-cases/views/origin.ts";
import type { OriginsView } from "../../../app/use-cases/views/origins.ts";
import type { ShellView } from "../../../app/use-cases/views/shell.ts";
import type { Services } from "../../../app/ports.ts";

/** The app's pages of one shop as its owner would read them now, by the use cases that the routes call. */
export interface Pages {
  shell(shop: string): Promise<ShellView | null>;
  home(shop: string): Promise<HomeView | null>;
  origins(shop: string): Promise<OriginsView | null>;
  origin(shop: string, locationId: string): Promise<OriginView | null>;
  job(shop: string, jobId: string): Promise<JobView | null>;
  book(shop: string): Promise<BookView | null>;
}

const EVERY_ORIGIN = { tab: "all", state: null, search: "", sort: "name", descending: false, page: 1 } as const;
const WHOLE_BOOK = { tab: "all", search: "", page: 1 } as const;

export function pagesOver(services: Services): Pages {
  return {
    shell: (shop) => readShell(services, { shop }),
    home: (shop) => readHome(services, { shop, orderAccess: true }),
    origins: (shop) => readOrigins(services, { shop, query: EVERY_ORIGIN }),
    origin: (shop, locationId) => readOrigin(services, { shop, locationId }),
    job: (shop, jobId) => readJob(services, { shop, jobId }),
    book: (shop) => readAddressBook(services, { shop, query: WHOLE_BOOK }),
  };
}
