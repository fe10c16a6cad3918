import type { Page } from '@calends/core/operations';

/** The paged envelope (spec: Paged envelope; D30, D31). */
export function presentPage<Item, Shown>(page: Page<Item, string>, present: (item: Item) => Shown) {
  return {
    content: page.items.map((item) => present(item)),
    pageCount: page.pageCount,
    pageNumber: page.pageNumber,
    pageSize: page.pageSize,
    sortField: page.sortField,
    sortOrder: page.sortOrder,
    total: page.total,
  };
}
