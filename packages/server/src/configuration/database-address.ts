import { dirname } from 'node:path';
import { type DatabaseAddress as KnexAddress, readDatabaseAddress } from '@calends/store-knex';

/** Where everything is kept, as `DATABASE_URL` says. */
export type DatabaseAddress = { readonly kind: 'memory' } | KnexAddress;

const inMemory = ':memory:';

/** Reads `DATABASE_URL`; `undefined` when it is none of the accepted forms. */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  if (text === 'memory:') return { kind: 'memory' };
  try {
    const address = readDatabaseAddress(text);
    return address.kind === 'sqlite' || hasHost(address.url) ? address : undefined;
  } catch {
    return undefined;
  }
}

const hasHost = (url: string): boolean => URL.canParse(url) && new URL(url).hostname !== '';

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
