/** Direction of a sort. */
export type SortOrder = 'asc' | 'desc';

/** Default and greatest page size (D30). */
export const pageSizes = { default: 20, max: 100 } as const;

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
