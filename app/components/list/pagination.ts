import type { ChangeQuery } from "./use-list-query.ts";

/** The pages of a list, with the number in the URL; null when one page is enough. */
export function paginationOf(list: { page: number; pages: number; label: string; change: ChangeQuery }) {
  const { page, pages, label, change } = list;
  if (pages <= 1) return null;
  return {
    hasPrevious: page > 1,
    hasNext: page < pages,
    onPrevious: () => change({ page: String(page - 1) }),
    onNext: () => change({ page: String(page + 1) }),
    label,
  };
}
