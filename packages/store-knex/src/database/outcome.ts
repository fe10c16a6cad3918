/** A row as the driver answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** What a statement did. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** Rows inserted, updated or deleted. */
  readonly affected: number;
}
