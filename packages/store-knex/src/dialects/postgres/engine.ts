import type { EngineWords, Topology } from '../../engine/engine-words.js';
import { integer, type Row, text } from '../../sql/rows.js';
import { runSingle, type Steps } from '../../sql/steps.js';

/** Parts the lock of the probe from those of actors and of migrations. */
const probeClass = 1_128_352_597;

const lossy = 'a change that was acknowledged may be lost';

/** Without a pooler openKnex sets them. */
const limitNames = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/** Of standbys everybody sees how many there are, and only some see more. */
const question = `select case when pg_is_in_recovery() then 1 else 0 end as is_standby, (select count(*) from pg_stat_replication) as standbys,
  current_setting('synchronous_standby_names') as synchronous, current_setting('synchronous_commit') as commits,
  ${limitNames.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`;

function commitWarnings(row: Row, isSynchronous: boolean): readonly string[] {
  const commits = text(row, 'commits');
  if (commits === 'off') return [`synchronous_commit is off: ${lossy} when the server fails.`];
  if (!isSynchronous) return [];
  if (commits === 'local') return [`synchronous_commit is local: ${lossy} when the standby takes over.`];
  if (integer(row, 'standbys') > 0 || integer(row, 'is_standby') === 1) return [];
  return ['No standby is connected: every commit waits for one (synchronous_standby_names).'];
}

/** A transaction of the store brings its limits along; a statement that stands alone has those of its role. */
function limitWarnings(row: Row): readonly string[] {
  const missing = limitNames.filter((name) => text(row, name) === '0');
  if (missing.length === 0) return [];
  return [`Behind the pooler the role has no ${missing.join(', ')}: set them with alter role … set (docs: Growing).`];
}

function* topology(isPooled: boolean): Steps<Topology> {
  const row = yield* runSingle(question, []);
  if (row === undefined) return { topology: 'unknown', warnings: [] };
  const isSynchronous = text(row, 'synchronous') !== '';
  const behind = isPooled ? ', behind a pooler in transaction mode' : '';
  const warnings = [...commitWarnings(row, isSynchronous), ...(isPooled ? limitWarnings(row) : [])];
  if (integer(row, 'is_standby') === 1) return { topology: `a standby${behind}`, warnings };
  if (isSynchronous) return { topology: `a primary with a synchronous standby${behind}`, warnings };
  const servers = integer(row, 'standbys') > 0 ? 'a primary whose standbys are not synchronous' : 'one server';
  return { topology: `${servers}${behind}`, warnings };
}

/** How PostgreSQL is asked what it is, through a pooler or not. */
export const postgresEngine = (isPooled: boolean): EngineWords => ({
  version: 'select version() as words',
  topology: () => topology(isPooled),
  probes: {
    begin: 'begin',
    take: `select pg_advisory_xact_lock(${probeClass}, hashtext(?))`,
    tryToTake: `select case when pg_try_advisory_xact_lock(${probeClass}, hashtext(?)) then 1 else 0 end as taken`,
  },
});
