import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../configuration/configuration-error.js';

const fileName = 'calends.secret';
const length = 32;

/**
 * The secret that is kept in a folder, made when there is none; only its owner may read the file (mode 0600).
 *
 * Safe when several processes start at once: the file appears whole, and the first one stays.
 *
 * @throws ConfigurationError when the file cannot be read, written or understood
 */
export async function keptSecret(folder: string): Promise<Buffer> {
  const path = join(folder, fileName);
  try {
    return (await readSecret(path)) ?? (await makeSecret(folder, path));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError([
      `CALENDS_JWT_SECRET, CALENDS_SECRET: not set, and ${fileName} cannot be kept beside the database`,
    ]);
  }
}

async function readSecret(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.byteLength === length) return secret;
  throw new ConfigurationError([`${fileName} beside the database is damaged: remove it, and a new one is made`]);
}

async function makeSecret(folder: string, path: string): Promise<Buffer> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, `${randomBytes(length).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const secret = await readSecret(path);
  if (secret === undefined) throw new Error('The secret vanished.');
  return secret;
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
