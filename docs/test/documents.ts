import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A Markdown file of the repository. */
export interface MarkdownFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A fenced code block. */
export interface CodeBlock {
  readonly language: string;
  /** The words after the language, for example `no-run`. */
  readonly marks: readonly string[];
  readonly code: string;
  /** Line of its first line of code, 1-based. */
  readonly line: number;
}

/** A link or an image. */
export interface Link {
  readonly target: string;
  readonly line: number;
}

const passedOver = new Set(['node_modules', 'dist', 'coverage', 'reports', 'docs-site', 'data', '.git']);

function allFiles(folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !passedOver.has(entry.name) ? allFiles(path) : [];
  });
}

/** Every file of the project whose path from the root matches, in a stable order. */
export function filesLike(pattern: RegExp): readonly string[] {
  return allFiles()
    .filter((path) => pattern.test(path))
    .sort();
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** All Markdown that the project publishes. */
export function markdownFiles(): readonly MarkdownFile[] {
  return filesLike(/\.md$/).map((path) => ({ path, text: read(path) }));
}

const fence = /^(?<indent> *)(?<ticks>`{3,})(?<info>[^`]*)$/;

export function codeBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { ticks: string; indent: string; info: string; line: number; code: string[] } | undefined;
  text.split('\n').forEach((line, index) => {
    const found = fence.exec(line)?.groups;
    if (open === undefined) {
      if (found === undefined) return;
      const { ticks = '', indent = '', info = '' } = found;
      open = { ticks, indent, info, line: index + 2, code: [] };
    } else if (found?.['info'] === '' && (found['ticks'] ?? '').length >= open.ticks.length) {
      const [language = '', ...marks] = open.info.trim().split(/\s+/);
      blocks.push({ language, marks, code: open.code.join('\n'), line: open.line });
      open = undefined;
    } else {
      open.code.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    }
  });
  return blocks;
}

/** The text with code blanked out, line by line, so that places stay where they are. */
function prose(text: string): string {
  let inside: string | undefined;
  const lines = text.split('\n').map((line) => {
    const ticks = fence.exec(line)?.groups?.['ticks'];
    if (inside === undefined && ticks !== undefined) inside = ticks;
    else if (inside !== undefined) {
      if (ticks !== undefined && ticks.length >= inside.length) inside = undefined;
    } else return line.replaceAll(/`[^`]*`/g, '');
    return '';
  });
  return lines.join('\n');
}

export function links(text: string): readonly Link[] {
  return prose(text)
    .split('\n')
    .flatMap((line, index) =>
      Array.from(line.matchAll(/\]\((?<target>[^()\s]+)\)|^\[[^\]]+\]: (?<reference>\S+)/g), ({ groups }) => ({
        target: groups?.['target'] ?? groups?.['reference'] ?? '',
        line: index + 1,
      })),
    );
}

/** The anchors that GitHub makes of a document's headings. */
export function anchors(text: string): ReadonlySet<string> {
  const headings = text.split('\n').filter((line) => /^#{1,6} /.test(line));
  return new Set(
    headings.map((line) =>
      line
        .replace(/^#+ /, '')
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}
