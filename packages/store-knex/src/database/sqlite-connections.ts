import { type Connections, type ConnectionSource, performOn, PlainConnections } from './connections.js';
import type { StoreError, StoreErrorReason } from '@calends/core/store';
import type { SqliteAccess } from '../connect/sqlite/access.js';
import { isBusy, untilFree } from '../connect/sqlite/file.js';
import { type Fault, knownFault, storeError } from '../faults/store-fault.js';
import type { Driver } from './driver.js';
import { done, drive, run, type Steps } from '../sql/steps.js';

const drop = 'drop table if exists calends_write_probe';

/**
 * Writes as much as a change may take, to a table of its own: only a commit tells whether the disk has room for it,
 * and what is rolled back never reaches the disk.
 */
function* writeFiller(): Steps<void> {
  yield* run(drop);
  yield* run('create table calends_write_probe (filler blob)');
  yield* run('insert into calends_write_probe (filler) values (zeroblob(65536))');
}

/** Gives the room back. */
function* dropFiller(): Steps<void> {
  yield* run(drop);
}

/** What the connections of a file are made of. */
export interface SqliteConnectionsParts {
  /** The one connection of the pool. */
  readonly writer: Connections;
  readonly source: ConnectionSource;
  readonly driver: Driver;
  readonly readFault: (error: unknown) => Fault;
  readonly access: SqliteAccess;
}

/** Faults that pass by themselves, or show without a write. */
const seenAtOnce: ReadonlySet<StoreErrorReason | undefined> = new Set(['fileLocked', 'fileReplaced']);

/**
 * The connections of a SQLite file: the one of the pool writes, others read beside it.
 *
 * A write that finds the file locked by another process is tried again by timer, and holds no connection meanwhile.
 * It counts as done only when the file was still in its place after the commit.
 */
export class SqliteConnections extends PlainConnections {
  readonly #parts: SqliteConnectionsParts;
  readonly #far: Pick<Driver, 'run'>;
  /** What SQLite told of the content of the file; only a restart forgets it. */
  #damage: StoreError | undefined;
  /**
   * Why a write failed. Only the probe forgets it: what else succeeds may have written nothing, or so little that a disk
   * without room for a booking takes it.
   */
  #trouble: StoreError | undefined;

  constructor(parts: SqliteConnectionsParts) {
    super();
    this.#parts = parts;
    const { readers } = parts.access;
    this.#far = { run: (_thread, statement) => readers.far(statement) };
  }

  override use<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.transact(work);
  }

  override async transact<Result>(work: () => Steps<Result>): Promise<Result> {
    const { writer, access } = this.#parts;
    try {
      const result = await this.#whenFree(() => {
        access.file.assertThere();
        return writer.transact(work);
      });
      access.file.assertInPlace('unknown');
      return result;
    } catch (error) {
      const fault = storeError(error, this.#parts.readFault);
      if (fault.code === 'unavailable' && !seenAtOnce.has(fault.reason)) this.#trouble = fault;
      throw error;
    }
  }

  override read<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#beside(this.#parts.driver, () => this.#parts.access.readers.near(), work);
  }

  override scan<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#beside(this.#far, () => this.#parts.access.readers, work);
  }

  override async assertWritable(): Promise<void> {
    this.#parts.access.file.assertInPlace();
    if (this.#damage !== undefined) throw this.#damage;
    if (this.#trouble === undefined) return;
    await this.transact(writeFiller);
    await this.transact(dropFiller);
    this.#trouble = undefined;
  }

  #beside<Result>(driver: Pick<Driver, 'run'>, connection: () => object, work: () => Steps<Result>): Promise<Result> {
    const { writer, source, access } = this.#parts;
    return this.#whenFree(async () => {
      // The writer opens the file first: it makes it, and knows which one it is.
      if (!access.file.isOpen) await writer.use(() => done(undefined));
      return drive(work(), performOn(source, driver, connection()));
    });
  }

  async #whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await untilFree(this.#parts.access.lockTimeout, work);
    } catch (error) {
      if (isBusy(error)) throw knownFault('fileLocked', 'none');
      const fault = storeError(error, this.#parts.readFault);
      if (fault.reason === 'fileDamaged') this.#damage = fault;
      throw error;
    }
  }
}
