/**
 * Mounts the HTTP services of Calends in an Express application.
 *
 * @packageDocumentation
 */
export { schedulingRouter, type SchedulingRouter, type SchedulingRouterOptions } from './scheduling-router.js';
