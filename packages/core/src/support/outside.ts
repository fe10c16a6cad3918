import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs work in no request's async context: what is done for many must not look like the doing of the one that came first,
 * in traces for example.
 */
export const outside: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();
