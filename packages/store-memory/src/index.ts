/**
 * The reference store of Calends, in memory.
 *
 * @packageDocumentation
 */
export { memoryStore } from './memory-store.js';
