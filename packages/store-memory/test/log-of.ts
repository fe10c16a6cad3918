import type { CommandLog } from '../src/index.js';

/** A log as several processes see it: what is read and put takes its time. */
export function logOf(entries: string[]): CommandLog {
  return {
    read: async (from) => {
      await Promise.resolve();
      return entries.slice(from);
    },
    put: async (place, entry) => {
      await Promise.resolve();
      if (place !== entries.length) return false;
      entries.push(entry);
      return true;
    },
  };
}
