import { codeBlocks, filesLike, markdownFiles, read } from './documents.js';

/** A piece of TypeScript that the documentation shows. */
export interface Example {
  /** File and line, as the test reports it. */
  readonly place: string;
  readonly code: string;
  /** Compiled only: it needs a service that no test can start. */
  readonly compileOnly: boolean;
}

/**
 * Every TypeScript example of the Markdown files and of the `@example` tags of the sources.
 *
 * A block marked `continued` goes on from the block before it; one marked `no-run` is compiled only.
 */
export function examples(): readonly Example[] {
  const inDocuments = markdownFiles().flatMap(({ path, text }) => examplesIn(path, text, 0));
  const sources = filesLike(/^packages\/[^/]+\/src\/.*\.ts$/).filter((path) => !path.endsWith('.test.ts'));
  return [...inDocuments, ...sources.flatMap((path) => examplesOfComments(path, read(path)))];
}

function examplesIn(path: string, text: string, above: number): readonly Example[] {
  const found: Example[] = [];
  for (const { language, marks, code, line } of codeBlocks(text)) {
    if (language !== 'ts') continue;
    const before = marks.includes('continued') ? found.at(-1) : undefined;
    found.push({
      place: `${path}:${String(line + above)}`,
      code: before === undefined ? code : `${before.code}\n${code}`,
      compileOnly: marks.includes('no-run') || before?.compileOnly === true,
    });
  }
  return found;
}

function examplesOfComments(path: string, source: string): readonly Example[] {
  return Array.from(source.matchAll(/\/\*\*[\s\S]*?\*\//g)).flatMap(({ 0: comment, index }) => {
    if (!comment.includes('@example')) return [];
    const above = source.slice(0, index).split('\n').length - 1;
    return examplesIn(path, comment.replaceAll(/^ *\* ?/gm, ''), above);
  });
}
