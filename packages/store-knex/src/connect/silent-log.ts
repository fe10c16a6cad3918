/** Keeps Knex from writing on the host's terminal: every fault comes back as a StoreError, without values. */
export const silentLog = {
  debug: () => undefined,
  deprecate: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
