import type { EngineWords } from '../../engine/engine-words.js';

/** Parts the lock of the probe from those of actors and of migrations. */
const probeClass = 1_128_352_597;

export const postgresEngine: EngineWords = {
  version: 'select version() as words',
  probes: {
    begin: 'begin',
    take: `select pg_advisory_xact_lock(${probeClass}, hashtext(?))`,
    tryToTake: `select case when pg_try_advisory_xact_lock(${probeClass}, hashtext(?)) then 1 else 0 end as taken`,
  },
};
