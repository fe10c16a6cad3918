import type { EngineWords } from '../../engine/engine-words.js';

export const mysqlEngine: EngineWords = {
  version: `select concat(version(), ' ', @@version_comment) as words`,
  probes: {
    begin: 'start transaction',
    take: 'select get_lock(?, 0) as taken',
    tryToTake: 'select get_lock(?, 0) as taken',
    giveBack: 'select release_lock(?) as given',
  },
};
