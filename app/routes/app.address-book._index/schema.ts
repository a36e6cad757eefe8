import * as z from "zod";
import type { BookQuery } from "../../views/address-book.ts";
import { BOOK_TABS } from "../../views/address-book.ts";

/** `force` is the button; without it the account is read only if the last reading is old. */
export const bookIntent = z.object({ force: z.boolean() });

export type BookIntent = z.infer<typeof bookIntent>;

/** `?tab=&q=&page=`; a value that cannot be read is ignored. */
export function bookQueryOf(params: URLSearchParams): BookQuery {
  return {
    tab: BOOK_TABS.find((tab) => tab === params.get("tab")) ?? "all",
    search: (params.get("q") ?? "").slice(0, 200),
    page: Math.max(1, Math.trunc(Number(params.get("page"))) || 1),
  };
}
