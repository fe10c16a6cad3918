import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { keptSecret } from './kept-secret.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'calends-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the secret kept beside the database', () => {
  it('the secret kept beside the database is made once, with its folder, and readable for its owner only', async () => {
    const deep = join(folder, 'new', 'data');
    const made = await keptSecret(deep);
    expect(made).toHaveLength(32);
    expect(await keptSecret(deep)).toEqual(made);
    expect(statSync(join(deep, 'calends.secret')).mode & 0o777).toBe(0o600);
    expect([deep, join(folder, 'new')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('the secret kept beside the database is the same for processes that start at once, and leaves no drafts', async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => keptSecret(folder)));
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['calends.secret']);
  });

  it.each(['', 'too short', 'x'.repeat(200)])(
    'the secret kept beside the database is not replaced when the file holds %j: the server says so',
    async (text) => {
      const path = join(folder, 'calends.secret');
      writeFileSync(path, text);
      await expect(keptSecret(folder)).rejects.toThrow(/calends\.secret beside the database is damaged/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('the secret kept beside the database is a fault of the configuration when it cannot be kept', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    await expect(keptSecret(join(file, 'data'))).rejects.toThrow(ConfigurationError);
  });
});
