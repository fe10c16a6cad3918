import { dirname } from 'node:path';

/** Where everything is kept, as `DATABASE_URL` says. */
export type DatabaseAddress =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly filename: string }
  | { readonly kind: 'postgresql' | 'mysql'; readonly url: string };

const servers: ReadonlyMap<string, 'postgresql' | 'mysql'> = new Map([
  ['postgres:', 'postgresql'],
  ['postgresql:', 'postgresql'],
  ['mysql:', 'mysql'],
  ['mariadb:', 'mysql'],
]);

const inMemory = ':memory:';

/** Reads `DATABASE_URL`; `undefined` when it is none of the accepted forms. */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  if (text === 'memory:') return { kind: 'memory' };
  if (text.startsWith('sqlite:')) {
    const filename = text.slice('sqlite:'.length).replace(/^\/\//, '');
    return filename === '' ? undefined : { kind: 'sqlite', filename };
  }
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, pathname } = new URL(text);
  const kind = servers.get(protocol);
  return kind === undefined || hostname === '' || pathname.length < 2 ? undefined : { kind, url: text };
}

/** Reads `CALENDS_READERS`: addresses of PostgreSQL, separated by commas; `undefined` when one of them is none. */
export function parseReaders(text: string): readonly string[] | undefined {
  const read = text.split(',').map((one) => parseDatabaseAddress(one.trim()));
  const urls = read.flatMap((address) => (address?.kind === 'postgresql' ? [address.url] : []));
  return urls.length === read.length ? urls : undefined;
}

/** The folder where what belongs to a database can be kept beside it; `undefined` when it ends with the process. */
export function folderBeside(address: DatabaseAddress): string | undefined {
  switch (address.kind) {
    case 'memory':
      return undefined;
    case 'sqlite':
      return address.filename === inMemory ? undefined : dirname(address.filename);
    case 'postgresql':
    case 'mysql':
      // A database server has no folder of ours: the one of the default database serves.
      return 'data';
  }
}
