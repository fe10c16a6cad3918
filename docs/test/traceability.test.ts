import { operations } from '@calends/http-contract';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, root } from './documents.js';

const page = read('docs/traceability.md');
const lines = page.split('\n');
const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| -'));

function isThere(path: string): boolean {
  return [join(root, path), join(root, 'packages', path)].some((candidate) => existsSync(candidate));
}

/** Files named in a line, or the one that `HTTP` stands for under the present heading. */
function quotations(): readonly { readonly file: string; readonly sentence: string }[] {
  let overHttp = '';
  let last = '';
  return lines.flatMap((line) => {
    overHttp = /Tests over HTTP[^`]*$/.test(line) ? '' : overHttp;
    const found: { file: string; sentence: string }[] = [];
    for (const [, path, quoted] of line.matchAll(/`([\w/.-]+\.ts)`|"([^"]+)"|\bHTTP\b(?= ")/g)) {
      if (path !== undefined) {
        last = path;
        if (line.startsWith(`\`${path}`) || line.includes('Tests over HTTP')) overHttp = path;
      } else if (quoted === undefined) last = overHttp;
      else if (quoted !== 'Later') found.push({ file: last, sentence: quoted });
    }
    return found;
  });
}

describe('the traceability page', () => {
  it('the traceability page names files that exist', () => {
    const paths = Array.from(page.matchAll(/`([\w.-]+\/[\w/.-]+)`/g), ([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(quotations())('the traceability page quotes a test of $file: $sentence', ({ file, sentence }) => {
    const path = existsSync(join(root, file)) ? file : `packages/${file}`;
    expect(read(path).includes(sentence)).toBe(true);
  });

  it.each(operations)('the traceability page has a row for $id', ({ id }) => {
    expect(rows.filter((row) => row.includes(`\`${id}\``))).toHaveLength(1);
  });

  it.each(Array.from({ length: 60 }, (_, index) => `D${String(index + 1)}`))(
    'the traceability page has a row for %s',
    (decision) => {
      expect(rows.filter((row) => row.startsWith(`| ${decision} `))).toHaveLength(1);
    },
  );

  it.each(Array.from({ length: 24 }, (_, index) => `D${String(index + 61)}`))(
    'the traceability page has a paragraph for %s',
    (decision) => {
      expect(lines.filter((line) => line.startsWith(`**${decision}** `))).toHaveLength(1);
    },
  );

  it('the traceability page says of every decision where it is, or that it comes later', () => {
    const first = rows.filter((row) => /^\| D\d/.test(row));
    const later = page.split('\n\n').filter((paragraph) => /^\*\*D\d/.test(paragraph));
    expect([...first, ...later].filter((row) => !/`[\w/.-]+\.ts`|later/.test(row))).toEqual([]);
  });
});
