import { DIALOGS } from "../dialogs.ts";
import { NO_SUCH_PAGE } from "../pages-stage.ts";

/** What of a store a page's address is made of. */
export interface PlacedStore {
  locations(): { id: number; name: string }[];
  /** By name. */
  location(name: string): { id: number; name: string };
  templateId(name: string): string | undefined;
}

interface Placed {
  about?: string;
}

/** Every page of the app as each state shows it; null where the state has none. */

export const STATE_PAGES = {
  home: () => "/app",
  origins: () => "/app/origins",
  import: () => "/app/origins/import",
  origin: (store, state) => withLocation(store, state, ({ id }) => `/app/origins/${id}`),
  report: (store, state) => withLocation(store, state, ({ id }) => `/app/origins/${id}/report`),
  review: () => "/app/review",
  "address-book": () => "/app/address-book",
  "address-new": () => "/app/address-book/new",
  address: (store, state) =>
    withLocation(store, state, ({ name }) => {
      const templateId = store.templateId(name);
      return templateId === undefined ? null : `/app/address-book/${templateId}`;
    }),
  activity: () => "/app/activity",
  settings: () => "/app/settings",
  help: () => "/app/help",
  "not-found": () => NO_SUCH_PAGE,
} satisfies Record<string, (store: PlacedStore, state: Placed) => string | null>;

export type StatePage = keyof typeof STATE_PAGES;

/** The dialogs of a page. Two of an origin's stand in the table of dialogs under the store in which `pages.test.ts` opens them. */
export function dialogsOf(page: StatePage): string[] {
  return Object.keys(DIALOGS).filter((name) => {
    const of = DIALOGS[name]!.page;
    return of === page || (page === "origin" && of.startsWith("origin-"));
  });
}

function withLocation(
  store: PlacedStore,
  { about }: Placed,
  path: (location: { id: number; name: string }) => string | null,
): string | null {
  const location = about === undefined ? store.locations()[0] : store.location(about);
  return location ? path(location) : null;
}
