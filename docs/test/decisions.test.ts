import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesLike, read, root } from './documents.js';

const path = 'docs/decisions.md';
const entries = read(path)
  .split(/^#{2,3} /m)
  .filter((section) => /^D\d+\n/.test(section))
  .map((section) => ({ id: section.slice(0, section.indexOf('\n')), text: section }));
const ids = new Set(entries.map(({ id }) => id));

/** Files that may cite a decision: sources, tests, pages. */
const citing = filesLike(/^(?:packages|docs|bench|scripts)\/.*\.(?:[cm]?[jt]s|json|md|sql|html)$|^[^/]+\.md$/);

function citations(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?<![\w+/=-])D[1-9]\d{0,2}\b/g), ([id]) => id);
}

function isThere(place: string): boolean {
  return [join(root, place), join(root, 'packages', place)].some((candidate) => existsSync(candidate));
}

describe('a decision that is cited', () => {
  it('a decision that is cited stands on the page of decisions, wherever it is cited', () => {
    const cited = citing.flatMap((file) => citations(read(file)).map((id) => ({ file, id })));
    expect(cited.length).toBeGreaterThan(500);
    expect(cited.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it('a passage that is cited stands under its heading, on the page of decisions or in ARCHITECTURE.md', () => {
    const pages = { 'decisions, ': path, 'ARCHITECTURE.md: ': 'ARCHITECTURE.md' };
    const passages = Object.entries(pages).flatMap(([word, page]) => {
      const headings = new Set(Array.from(read(page).matchAll(/^#{2,3} (.+)$/gm), ([, title = '']) => title));
      const cites = new RegExp(`[(;] ?${word}([^,;)]+)`, 'g');
      return citing
        .filter((file) => /^packages\/[^/]+\/(?:src|test)\//.test(file))
        .flatMap((file) =>
          Array.from(read(file).matchAll(cites), ([, title = '']) => ({ file, word, title, headings })),
        );
    });
    expect(new Set(passages.map(({ word }) => word))).toEqual(new Set(Object.keys(pages)));
    expect(
      passages.filter(({ title, headings }) => !headings.has(title)).map(({ file, title }) => [file, title]),
    ).toEqual([]);
  });

  it('a decision that is cited stands there once, in order, without a gap', () => {
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => `D${String(index + 1)}`));
    expect(entries.length).toBeGreaterThanOrEqual(80);
  });
});

describe('the entry of a decision', () => {
  it.each(entries)('$id says the rule, the reason and the place', ({ text }) => {
    expect(text).toMatch(/\n\n\*\*[^*]+\*\*/);
    expect(text).toMatch(/\n\nWhy: .+\./s);
    expect(text.match(/\n\nWhere: .+/g)).toHaveLength(1);
  });

  it.each(entries)('$id names places that exist', ({ text }) => {
    const [, where = ''] = text.split('\n\nWhere: ');
    const places = Array.from(where.matchAll(/`([^`]+\/[^`]*)`/g), ([, place = '']) => place);
    expect(places.filter((place) => !isThere(place))).toEqual([]);
    expect(places).not.toEqual([]);
  });
});
