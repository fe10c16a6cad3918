import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorField } from '../../faults/error-fields.js';

/**
 * Makes the folder of a file, where it is missing, and those above it, for their owner only.
 *
 * Not with `recursive`: where a folder that is there takes none (a working folder that was removed, `/proc`), Node tries for ever.
 */
export function makeFolderOf(filename: string): void {
  makeFolder(dirname(filename));
}

function makeFolder(folder: string, { withAbove = true } = {}): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(folder);
    if (!withAbove || above === folder || errorField(error, 'code') !== 'ENOENT') throw error;
    makeFolder(above);
    makeFolder(folder, { withAbove: false });
  }
}

/**
 * Makes an empty file for its owner only, where there is none; SQLite gives the files beside it (`-wal`, `-shm`) the
 * same mode.
 *
 * A file that is there is not opened: closing it again would end the locks that this process holds on it (POSIX). Where
 * the name is a link to a file that is not there yet, it is made where the link leads.
 */
export function makePrivateFile(filename: string): void {
  try {
    closeSync(openSync(filename, 'wx', 0o600));
  } catch (error) {
    if (errorField(error, 'code') !== 'EEXIST') throw error;
    if (statSync(filename, { throwIfNoEntry: false }) === undefined) closeSync(openSync(filename, 'a', 0o600));
  }
}
