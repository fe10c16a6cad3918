/** A cluster that a trial started. */
export interface Galera {
  readonly urls: readonly string[];
  kill(index: number): Promise<void>;
  start(index: number, options?: { readonly copied?: boolean }): Promise<void>;
  end(): Promise<void>;
}

export const missingForGalera: readonly string[];
export function startGalera(): Promise<Galera>;
