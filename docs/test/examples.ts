import { codeBlocks, filesLike, markdownFiles, read } from './documents.js';

/** A piece of TypeScript that the documentation shows. */
export interface Example {
  /** File and line, as the test reports it. */
  readonly place: string;
  readonly code: string;
  /** From its block and the blocks that it goes on from. */
  readonly marks: readonly string[];
  /** Beside a `no-run`: why. */
  readonly reason: string | undefined;
}

/** What may stand behind the language of a block of TypeScript. */
export const marks = ['continued', 'no-run', 'test', 'on-postgres', 'on-mariadb'] as const;

/** One of {@link marks}. */
export type Mark = (typeof marks)[number];

export function hasMark(example: Example, mark: Mark): boolean {
  return example.marks.includes(mark);
}

/**
 * Every TypeScript example of the Markdown files and of the `@example` tags of the sources.
 *
 * A block marked `continued` goes on from the block before it; one marked `test` holds tests; `on-postgres` and `on-mariadb`
 * need such a server; one marked `no-run` is compiled only, and says why in a comment above it: `<!-- no-run: … -->`.
 */
export function examples(): readonly Example[] {
  const inDocuments = markdownFiles().flatMap(({ path, text }) => examplesIn(path, text, 0));
  const sources = filesLike(/^packages\/[^/]+\/src\/.*\.ts$/).filter((path) => !path.endsWith('.test.ts'));
  return [...inDocuments, ...sources.flatMap((path) => examplesOfComments(path, read(path)))];
}

/** Those of one document; lines are counted from `above`. */
export function examplesIn(path: string, text: string, above: number): readonly Example[] {
  const found: Example[] = [];
  const lines = text.split('\n');
  for (const { language, marks, code, line } of codeBlocks(text)) {
    if (language !== 'ts') continue;
    const before = marks.includes('continued') ? found.at(-1) : undefined;
    found.push({
      place: `${path}:${String(line + above)}`,
      code: before === undefined ? code : `${before.code}\n${code}`,
      marks: [...marks, ...(before?.marks ?? [])],
      reason: reasonAbove(lines, line),
    });
  }
  return found;
}

/** Code begins on the line after the fence; the comment stands above that, with an empty line between or without. */
function reasonAbove(lines: readonly string[], codeLine: number): string | undefined {
  const above = lines.slice(0, codeLine - 2).filter((line) => line.trim() !== '');
  return /^<!-- no-run: (?<reason>.+) -->$/.exec(above.at(-1)?.trim() ?? '')?.groups?.['reason'];
}

function examplesOfComments(path: string, source: string): readonly Example[] {
  return Array.from(source.matchAll(/\/\*\*[\s\S]*?\*\//g)).flatMap(({ 0: comment, index }) => {
    if (!comment.includes('@example')) return [];
    const above = source.slice(0, index).split('\n').length - 1;
    return examplesIn(path, comment.replaceAll(/^ *\* ?/gm, ''), above);
  });
}
