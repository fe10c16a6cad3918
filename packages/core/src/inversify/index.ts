/**
 * The library as an Inversify module.
 *
 * @packageDocumentation
 */
import 'reflect-metadata';

export { schedulingModule } from './scheduling-module.js';
export { configurationToken, portTokens, schedulingToken } from './tokens.js';
