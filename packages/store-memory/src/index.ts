/**
 * The reference store of Calends, in memory, and stores over a log that are made of it.
 *
 * @packageDocumentation
 */
export { type CommandLog, loggedStore } from './logged-store.js';
export { memoryStore } from './memory-store.js';
