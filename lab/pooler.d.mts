/** A PgBouncer that a trial started. */
export interface Pooler {
  /** The address of the database `name` through it. */
  url(name: string): string;
  /** From here on it asks the server at this port. */
  turnTo(port: number): Promise<void>;
  end(): Promise<void>;
}

/** Its settings in the place of those of the lab. */
export type PoolerSettings = Readonly<Record<string, string | number>>;

export const missingForPooler: readonly string[];
export function startPooler(port: number, settings?: PoolerSettings): Promise<Pooler>;
