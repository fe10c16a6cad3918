import { limits, parseInstant, type SortOrder, sortOrders, type TimeRange } from '@calends/model';
import type { Listed, PageRequest } from '../ports/store/appointments.js';
import { type InputIssues, parsedText } from '../domain/calls/input.js';

/** One page of a listing, with what was used to make it (spec: Paged envelope); `total` is over all pages. */
export interface Page<Item, SortField extends string> extends Listed<Item>, PageRequest<SortField> {
  readonly pageCount: number;
}

/** How a page is asked for. Default: the first of 20 items (at most 100), in the order of the listing. */
export type AskedPage<SortField extends string> = {
  readonly [Part in keyof PageRequest<SortField>]?: PageRequest<SortField>[Part] | undefined;
};

/** Reads page and sorting (D30, D31); faults go to `issues`. */
export function readPage<SortField extends string>(
  asked: AskedPage<SortField>,
  sortFields: readonly SortField[],
  standard: { readonly field: SortField; readonly order: SortOrder },
  issues: InputIssues,
): PageRequest<SortField> {
  const page = {
    sortField: asked.sortField ?? standard.field,
    sortOrder: asked.sortOrder ?? standard.order,
    pageNumber: asked.pageNumber ?? 1,
    pageSize: asked.pageSize ?? limits.pageSize,
  };
  issues.word('/sortField', page.sortField, sortFields);
  issues.word('/sortOrder', page.sortOrder, sortOrders);
  issues.count('/pageNumber', page.pageNumber, limits.pageNumberMax);
  issues.count('/pageSize', page.pageSize, limits.pageSizeMax);
  return page;
}

/** The last page whose offset is exact. No listing has so many. */
const lastStoredPage = Math.floor(Number.MAX_SAFE_INTEGER / limits.pageSizeMax);

/** The page as a store is asked for it: all behind the last are as empty as that one. */
export const storedPage = <SortField extends string>(page: PageRequest<SortField>): PageRequest<SortField> => ({
  ...page,
  pageNumber: Math.min(page.pageNumber, lastStoredPage),
});

/** Reads a window of time, of which each side may be absent (D35); faults go to `issues`. */
export function readWindow(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  issues: InputIssues,
): Partial<TimeRange> {
  const [from, to] = (['from', 'to'] as const).map((name) => {
    const text = asked[name];
    const instant = text === undefined ? undefined : parseInstant(parsedText(text));
    if (text !== undefined && instant === undefined) {
      issues.add(`/${name}`, 'invalid_format', 'Must be an ISO 8601 timestamp with Z or an offset.');
    }
    return instant;
  });
  if (from !== undefined && to !== undefined && from >= to) issues.add('/to', 'invalid_value', 'Must lie after from.');
  return { from, to };
}

/** The page with its envelope (spec: Paged envelope). */
export function pageOf<Item, SortField extends string>(
  { items, total }: Listed<Item>,
  page: PageRequest<SortField>,
): Page<Item, SortField> {
  return { items, total, pageCount: Math.ceil(total / page.pageSize), ...page };
}

/** A listing, page by page. */
export async function* eachPage<Item>(
  read: (page: { readonly pageNumber: number; readonly pageSize: number }) => Promise<Listed<Item>>,
  pageSize: number = limits.pageSizeMax,
): AsyncGenerator<readonly Item[], void, undefined> {
  for (let pageNumber = 1; ; pageNumber += 1) {
    const { items, total } = await read({ pageNumber, pageSize });
    yield items;
    if (items.length < pageSize || pageNumber * pageSize >= total) return;
  }
}
