import type { Knex } from 'knex';

/** Time-outs of one database, in milliseconds. */
export interface Limits {
  readonly statement: number;
  /** For the lock of a row or a table: less than a statement, so that the fault tells what it waited for. */
  readonly lock: number;
  /** For a transaction in which nothing happens: its process is gone, and its locks hold up others. */
  readonly idle: number;
}

/** Milliseconds. */
export const defaultTimeout = 5000;

export const limitsOf = (statementTimeout: number): Limits => ({
  statement: statementTimeout,
  lock: Math.ceil(statementTimeout * 0.8),
  idle: statementTimeout + 1000,
});

/** Pools that are known to lead through a pooler. */
const behindPooler = new WeakMap<object, Limits>();

/** Notes that a pool leads through a pooler, where each transaction has to bring its limits along. */
export function notePooler(knex: Knex, limits: Limits): Knex {
  behindPooler.set(knex.client as object, limits);
  return knex;
}

/** The limits that a transaction has to bring along; `undefined` where connections are sessions. */
export const transactionLimits = (knex: Knex, pooler: 'transaction' | undefined): Limits | undefined =>
  behindPooler.get(knex.client as object) ?? (pooler === undefined ? undefined : limitsOf(defaultTimeout));
