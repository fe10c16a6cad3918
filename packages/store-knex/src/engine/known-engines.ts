/** What the library holds of an engine (D72). */
export type EngineStanding =
  /** The tests run on it. */
  | 'proven'
  /** It speaks the language, and its guards were not raced here: the host is warned. */
  | 'unproven'
  /** It is known to promise less: refused unless the host lets it in. */
  | 'refused';

/** A database engine by its own words. */
export interface Engine {
  readonly name: string;
  readonly version: string;
  readonly standing: EngineStanding;
}

/** Engines that speak a language of ours and lock otherwise; each names itself in what it answers for its version. */
const others: readonly (readonly [sign: RegExp, name: string])[] = [
  [/cockroach/i, 'CockroachDB'],
  [/yugabyte|-YB-/i, 'YugabyteDB'],
  [/redshift/i, 'Redshift'],
  [/tidb/i, 'TiDB'],
  [/vitess/i, 'Vitess'],
];

const proven: readonly (readonly [sign: RegExp, name: string])[] = [
  [/mariadb/i, 'MariaDB'],
  [/^postgresql/i, 'PostgreSQL'],
  [/^sqlite/i, 'SQLite'],
];

const versionIn = (words: string): string => /\d+(\.\d+)*/.exec(words)?.[0] ?? '';

/** Tells an engine by what it answers for its version. */
export function engineOf(words: string): Engine {
  const version = versionIn(words);
  const other = others.find(([sign]) => sign.test(words));
  if (other !== undefined) return { name: other[1], version, standing: 'refused' };
  const own = proven.find(([sign]) => sign.test(words));
  if (own !== undefined) return { name: own[1], version, standing: 'proven' };
  return { name: 'MySQL', version, standing: 'unproven' };
}
