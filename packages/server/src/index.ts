/**
 * The server of Calends, for hosts that want its parts: the configuration from the environment, and the Express
 * application with its pages. `calends serve` is made of nothing else.
 *
 * @packageDocumentation
 */
export type { AdminPages } from './configuration/admin-pages.js';
export { ConfigurationError } from './configuration/configuration-error.js';
export type { DatabaseAddress } from './configuration/database-address.js';
export { type Environment, readEnvironment } from './configuration/environment.js';
export { type ApplicationParts, createApplication } from './http/application.js';
export { createLog, type Log } from './log/log.js';
export type { FirstToken } from './secrets/first-steps.js';
