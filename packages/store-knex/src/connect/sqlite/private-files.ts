import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorField } from '../../faults/error-fields.js';

/** Makes the folder of a file, where it is missing, and those above it, for their owner only. */
export function makeFolderOf(filename: string): void {
  mkdirSync(dirname(filename), { recursive: true, mode: 0o700 });
}

/**
 * Makes an empty file for its owner only, where there is none; SQLite gives the files beside it (`-wal`, `-shm`) the
 * same mode.
 *
 * A file that is there is not opened: closing it again would end the locks that this process holds on it (POSIX).
 */
export function makePrivateFile(filename: string): void {
  try {
    closeSync(openSync(filename, 'wx', 0o600));
  } catch (error) {
    if (errorField(error, 'code') !== 'EEXIST') throw error;
  }
}
