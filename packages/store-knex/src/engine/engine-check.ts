import { randomUUID } from 'node:crypto';
import { StoreError } from '@calends/core/store';
import type { Knex } from 'knex';
import type { Connections } from '../database/connections.js';
import { drive, type Steps } from '../sql/steps.js';
import type { Driver } from '../database/driver.js';
import { type Fault, isUnconnected, noteUnconnected } from '../faults/store-fault.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { askVersion, type EngineProbes, type EngineWords, probeSteps, type Topology } from './engine-words.js';
import { type Engine, engineOf } from './known-engines.js';

/** The part of a Knex client that opens connections beside its pool; its own types say `any`. */
interface RawConnections {
  acquireRawConnection(): Promise<object>;
  destroyRawConnection(connection: object): Promise<void> | void;
}

/** How an engine is spoken to. */
export interface EngineDialect {
  readonly driver: Driver;
  readonly engine: EngineWords;
  readonly readFault: (error: unknown) => Fault;
  readonly sql: SqlDialect;
}

/** What the check of an engine is made of. */
export interface EngineCheckParts {
  readonly knex: Knex;
  readonly dialect: EngineDialect;
  readonly connections: Connections;
  /** True: what is not proven is let in, and told. */
  readonly letsIn: boolean;
}

/** Milliseconds for all of it. */
const patience = 5000;

const isRefusal = (error: unknown): boolean => error instanceof StoreError && error.code === 'engine';
const refused = (name: string, why: string): StoreError =>
  new StoreError('engine', `${name} ${why}: let it in with engine 'unproven', or use a proven one.`);

/**
 * Finds out once what engine a store writes into (D72): by its name, and by what it does with two connections.
 *
 * These are opened beside the pool and closed at once: a pool of one connection, or one that the host has used up, makes
 * nobody wait. An engine within this process (SQLite, PGlite) has no second connection, and is known by its driver.
 */
export class EngineCheck {
  readonly #parts: EngineCheckParts;
  /** Absent within this process. PGlite is PostgreSQL with one connection, which ends the database when it ends. */
  readonly #probes: EngineProbes | undefined;
  #engine: Promise<Engine> | undefined;

  constructor(parts: EngineCheckParts) {
    this.#parts = parts;
    const isPglite = Reflect.get(parts.knex.client as object, 'pglite') !== undefined;
    this.#probes = isPglite ? undefined : parts.dialect.engine.probes;
  }

  /**
   * What the engine is; asked once, and again after a fault.
   *
   * @throws StoreError `engine` when it is refused
   */
  engine(): Promise<Engine> {
    this.#engine ??= this.#find().catch((error: unknown) => {
      if (!isRefusal(error)) this.#engine = undefined;
      throw error;
    });
    return this.#engine;
  }

  /** Of which servers it is made now; asked each time, since one may take over from another. `undefined` within this process. */
  topology(): Promise<Topology> | undefined {
    const { connections, dialect } = this.#parts;
    const ask = this.#probes === undefined ? undefined : dialect.engine.topology;
    return ask && connections.read(ask);
  }

  /** Lets nobody write into an engine that is refused; a database that does not answer says nothing of its kind. */
  async admit(): Promise<void> {
    if (this.#probes === undefined) return;
    try {
      await this.engine();
    } catch (error) {
      if (isRefusal(error)) throw error;
    }
  }

  async #find(): Promise<Engine> {
    const { knex, connections, dialect } = this.#parts;
    const probes = this.#probes;
    if (probes === undefined) return engineOf(await connections.read(() => askVersion(dialect.engine)));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new StoreError('unavailable', 'The database does not answer what it is.'));
      }, patience);
    });
    try {
      return await Promise.race([this.#findOnServer(knex.client as RawConnections, probes), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #findOnServer(source: RawConnections, probes: EngineProbes): Promise<Engine> {
    const { dialect, letsIn } = this.#parts;
    const opened: object[] = [];
    const open = async (): Promise<object> => {
      const connection = await source.acquireRawConnection().catch((error: unknown) => {
        noteUnconnected(error);
        throw error;
      });
      opened.push(connection);
      await dialect.driver.adopt(connection);
      return connection;
    };
    try {
      const one = await open();
      const found = engineOf(await this.#on(one, askVersion(dialect.engine)));
      if (found.standing === 'refused' && !letsIn)
        throw refused(found.name, 'is not an engine that Calends is proven on');
      if (!letsIn && !(await this.#keepsPromises(probes, one, await open()))) {
        throw refused(found.name, 'does not keep locks of one connection from another');
      }
      return found;
    } catch (error) {
      if (error instanceof StoreError || isUnconnected(error) || dialect.readFault(error).code !== 'unexpected')
        throw error;
      throw refused('The database', 'does not know the statements of the engine it passes for');
    } finally {
      await Promise.allSettled(opened.map(async (connection) => source.destroyRawConnection(connection)));
    }
  }

  async #keepsPromises(probes: EngineProbes, one: object, other: object): Promise<boolean> {
    const steps = probeSteps(probes, randomUUID(), this.#parts.dialect.sql.clock());
    await this.#on(one, steps.write());
    const sees = await this.#on(other, steps.sees());
    await this.#on(one, steps.holds());
    const keptOut = await this.#on(other, steps.isKeptOut());
    await this.#on(one, steps.end());
    return sees && keptOut;
  }

  #on<Result>(connection: object, steps: Steps<Result>): Promise<Result> {
    return drive(steps, (statement) => this.#parts.dialect.driver.run(connection, statement));
  }
}
