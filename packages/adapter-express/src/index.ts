/**
 * Mounts the HTTP services of Calends in an Express application.
 *
 * @packageDocumentation
 */
export { schedulingRouter, type SchedulingRouter } from './scheduling-router.js';
