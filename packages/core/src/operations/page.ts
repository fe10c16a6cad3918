import { limits, type SortOrder } from '@calends/model';
import type { Listed } from '../ports/store/appointments.js';
import type { InputIssues } from '../domain/calls/input.js';

/** One page of a listing, with what was used to make it (spec: Paged envelope). */
export interface Page<Item, SortField extends string> {
  readonly items: readonly Item[];
  /** Entities that match, over all pages. */
  readonly total: number;
  /** 1-based. */
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly pageCount: number;
  readonly sortField: SortField;
  readonly sortOrder: SortOrder;
}

/** How a page was asked for, defaults filled in. */
export interface PageRequest<SortField extends string> {
  readonly sortField: SortField;
  readonly sortOrder: SortOrder;
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** Reads page and sorting (D30, D31); faults go to `issues`. */
export function readPage<SortField extends string>(
  asked: {
    readonly sortField?: SortField | undefined;
    readonly sortOrder?: SortOrder | undefined;
    readonly pageNumber?: number | undefined;
    readonly pageSize?: number | undefined;
  },
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
  if (!sortFields.includes(page.sortField)) {
    issues.add('/sortField', 'invalid_value', `Must be one of: ${sortFields.join(', ')}.`);
  }
  if (!['asc', 'desc'].includes(page.sortOrder)) {
    issues.add('/sortOrder', 'invalid_value', 'Must be asc or desc.');
  }
  if (!Number.isInteger(page.pageNumber) || page.pageNumber < 1 || page.pageNumber > limits.pageNumberMax) {
    issues.add('/pageNumber', 'out_of_range', 'Must be a page number, 1 for the first.');
  }
  if (!Number.isInteger(page.pageSize) || page.pageSize < 1 || page.pageSize > limits.pageSizeMax) {
    issues.add('/pageSize', 'out_of_range', `Must be from 1 to ${String(limits.pageSizeMax)}.`);
  }
  return page;
}

/** The page with its envelope (spec: Paged envelope). */
export function pageOf<Item, SortField extends string>(
  { items, total }: Listed<Item>,
  page: PageRequest<SortField>,
): Page<Item, SortField> {
  return { ...page, items, total, pageCount: Math.ceil(total / page.pageSize) };
}

/** Every item of a listing, page by page, or as many of the first as are wanted. */
export async function everyItem<Item>(
  read: (page: { readonly pageNumber: number; readonly pageSize: number }) => Promise<Listed<Item>>,
  max = Infinity,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const { items, total } = await read({ pageNumber, pageSize: limits.pageSizeMax });
    found.push(...items);
    if (items.length < limits.pageSizeMax || found.length >= Math.min(total, max)) return found.slice(0, max);
  }
}
