/** Where a database is: what the address of one says. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly filename: string }
  | { readonly kind: 'postgresql' | 'mysql'; readonly url: string };

const servers: Readonly<Record<string, 'postgresql' | 'mysql'>> = {
  postgres: 'postgresql',
  postgresql: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
};

/** Behind the host, which may be empty or encoded where it is the folder of a socket. */
const withName = /^\w+:\/\/[^/?#]*\/[^/?#]/;

/**
 * Reads `sqlite:<file>`, `sqlite::memory:`, `postgres://user:password@host:5432/name` or `mysql://…`, as {@link openKnex} takes them. The query
 * of one of PostgreSQL is read by `pg`; that of one of MySQL or MariaDB may be `ssl-mode=VERIFY_IDENTITY`, `VERIFY_CA`, `REQUIRED` or `DISABLED`.
 *
 * A server is not asked for the database that it takes where none is named, for that is the one with the name of the user.
 *
 * @throws TypeError that says what is wrong, without repeating the address: there may be a password in it
 */
export function readDatabaseAddress(address: string): DatabaseAddress {
  // A variable of the environment that is not set is no string; hosts in plain JavaScript also have a URL.
  const given: unknown = address;
  const text = typeof given === 'string' || given instanceof URL ? String(given) : '';
  const schema = text.slice(0, Math.max(0, text.indexOf(':')));
  if (schema === 'sqlite') return { kind: 'sqlite', filename: filenameIn(text) };
  const kind = Object.hasOwn(servers, schema) ? servers[schema] : undefined;
  if (kind === undefined) {
    throw new TypeError('The address of the database must begin with sqlite:, postgres:// or mysql://.');
  }
  // pg reads more than addresses by the standard: sockets without a host, for example.
  if (!withName.test(text) || !decodes(text, kind) || (kind === 'mysql' && !URL.canParse(text))) {
    throw new TypeError(
      `The address of the database must have its name: ${schema}://user:password@host/name, each part percent-encoded.`,
    );
  }
  if (kind === 'mysql') mysqlTls(text);
  return { kind, url: text };
}

/** Whether what is percent-encoded is text. `pg` takes a `%` before anything else for itself. */
function decodes(url: string, kind: 'postgresql' | 'mysql'): boolean {
  const encoded = kind === 'mysql' ? url : (url.match(/(?:%[\da-f]{2})+/gi) ?? []).join(' ');
  try {
    decodeURIComponent(encoded);
    return true;
  } catch {
    return false;
  }
}

/** How a connection to MySQL is encrypted, by the names of its own clients; none without a word. */
const tlsModes: Readonly<Record<string, object | undefined>> = {
  DISABLED: undefined,
  REQUIRED: { rejectUnauthorized: false },
  VERIFY_CA: {},
  VERIFY_IDENTITY: { verifyIdentity: true },
};

/**
 * What the query of an address of MySQL or MariaDB says of TLS, as `mysql2` takes it; `undefined` = no TLS.
 *
 * @throws TypeError for any other query: it would be dropped, and whoever asked for TLS would have none
 */
export function mysqlTls(url: string): object | undefined {
  const { searchParams } = new URL(url);
  for (const [name, value] of searchParams) {
    if (name !== 'ssl-mode' || !Object.hasOwn(tlsModes, value.toUpperCase())) throw new TypeError(mysqlQuery);
  }
  return tlsModes[searchParams.get('ssl-mode')?.toUpperCase() ?? 'DISABLED'];
}

const mysqlQuery = `The query of an address of MySQL or MariaDB must be ssl-mode=, one of ${Object.keys(tlsModes).join(', ')}.`;

function filenameIn(text: string): string {
  const filename = text.replace(/^sqlite:(\/\/)?/, '');
  if (filename !== '' && !filename.includes('?')) return filename;
  throw new TypeError('The address of the database must name a file after sqlite:, or :memory:, and have no query.');
}
