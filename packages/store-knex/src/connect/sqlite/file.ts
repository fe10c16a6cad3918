import type { StoreErrorOutcome } from '@calends/core/store';
import { realpathSync, statSync } from 'node:fs';
import { knownFault } from '../../faults/store-fault.js';
import { makePrivateFile } from './private-files.js';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { sqliteCode } from '../../faults/sqlite-code.js';

/** Which file a name led to; one that is open keeps its inode for itself. */
interface Identity {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** Synchronous: it costs microseconds, and a commit waits for the disk anyway. */
function identify(path: string): Identity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : { path, device: found.dev, inode: found.ino };
}

function isStill({ path, device, inode }: Identity): boolean {
  const found = identify(path);
  return found?.inode === inode && found.device === device;
}

/**
 * The file of a database, with those beside it, as they were when it was opened.
 *
 * SQLite goes on with a file that has no name any more, and what it commits there is gone when the process ends. So
 * nothing counts as committed before the names were seen to lead to the files that are open.
 */
export class SqliteFile {
  readonly filename: string;
  readonly #create: boolean;
  #database: Identity | undefined;
  /** The `-wal` and `-shm` of the connections that are open now. */
  #beside: readonly Identity[] = [];

  constructor(filename: string, create: boolean) {
    this.filename = filename;
    this.#create = create;
  }

  get isOpen(): boolean {
    return this.#database !== undefined;
  }

  /**
   * Opens the connection that writes; the first time with a file that is made where there is none.
   *
   * @throws StoreError `unavailable` for a file that is missing and must not be made, or is not the one of before
   */
  async openWriter<Connection extends { close(): void }>(connect: () => Promise<Connection>): Promise<Connection> {
    if (this.#database === undefined) this.#prepare();
    const before = this.#database ?? identify(this.filename);
    if (before === undefined || !isStill(before)) throw knownFault('fileReplaced', 'none');
    // SQLite follows links: the other files lie beside the one to which they lead.
    const real = realpathSync(this.filename);
    const connection = await connect();
    if (!isStill(before)) {
      connection.close();
      throw knownFault('fileReplaced', 'none');
    }
    this.#database = before;
    this.#beside = ['-wal', '-shm'].flatMap((end) => identify(`${real}${end}`) ?? []);
    return connection;
  }

  /**
   * Makes sure that the names lead to the files that are open; `outcome` is what has become of the work otherwise.
   *
   * @throws StoreError `unavailable` when a file was removed or replaced; all is well again when that is undone
   */
  assertInPlace(outcome: StoreErrorOutcome = 'none'): void {
    if (this.#database === undefined) return;
    if (![this.#database, ...this.#beside].every(isStill)) throw knownFault('fileReplaced', outcome);
  }

  /**
   * A shorter look, before work begins: at the database file only.
   *
   * @throws StoreError `unavailable` when that was removed or replaced; nothing was written
   */
  assertThere(): void {
    if (this.#database !== undefined && !isStill(this.#database)) throw knownFault('fileReplaced', 'none');
  }

  /** Nothing is open any more: another file may be opened under the name. */
  forget(): void {
    this.#database = undefined;
    this.#beside = [];
  }

  #prepare(): void {
    if (this.#create) {
      makePrivateFile(this.filename);
      return;
    }
    // An empty file is a database to which nothing was ever written: also that is nobody's data.
    const size = statSync(this.filename, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) throw knownFault('fileMissing', 'none');
  }
}

/** Milliseconds of the longest pause between two attempts. */
const maxPause = 50;

/** Whether another connection holds the lock that a statement needs. */
export const isBusy = (error: unknown): boolean => sqliteCode(error)?.startsWith('SQLITE_BUSY') === true;

/**
 * Tries again, after pauses by timer, while another process holds the lock of the file; throws what SQLite said once
 * the time is over.
 *
 * SQLite's own waiting (`busy_timeout`) would keep the thread, and the whole process would stand still.
 */
export async function untilFree<Result>(milliseconds: number, work: () => Result | Promise<Result>): Promise<Result> {
  const until = performance.now() + milliseconds;
  for (let pause = 1; ; pause = Math.min(2 * pause, maxPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    await pauseFor(pause * (0.5 + Math.random() / 2));
  }
}
