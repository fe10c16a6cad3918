export interface OwnPooler {
  readonly port: number;
  urlOf(database: string): string;
  pointTo(serverPort: number): void;
  end(): Promise<void>;
}

export const postgresPrograms: string | undefined;
export const missingForPooler: readonly string[];
export function serverUser(): { readonly uid: number; readonly gid: number } | undefined;
export function folderForServer(name: string): string;
export function startPgBouncer(serverPort: number): Promise<OwnPooler>;
