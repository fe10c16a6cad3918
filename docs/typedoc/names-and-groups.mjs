// Documents are called after their first heading, and stand in the groups of guides that the README has: as on GitHub, which
// would show front matter as a table.
import { readFileSync } from 'node:fs';
import { Comment, CommentTag, Converter } from 'typedoc';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, afterHeading = ''] = readme.split('\n## Guides\n');
const [guides = ''] = afterHeading.split(/^## /m);

export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const { project } = document;
    document.name = headingOf(document);
    const path = project.files.getReflectionPath(document) ?? '';
    if (/\/docs\/adr\/\d/.test(path)) {
      moveBelow(
        document,
        project.documents.find(({ name }) => name === 'Decision records'),
      );
    } else {
      document.comment ??= new Comment();
      document.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: groupOf(path) }]));
    }
  });
}

/** The single records stand below their list, so that they do not fill the navigation. */
function moveBelow(document, list) {
  document.parent.removeChild(document);
  list.addChild(document);
  document.parent = list;
}

/** The heading in the README under which a guide is linked; what is no guide is about the project. */
function groupOf(path) {
  const [, guide] = /\/(docs\/guides\/[\w-]+\.md)$/.exec(path) ?? [];
  if (guide === undefined) return 'Project';
  const section = guides.split(/^### /m).find((each) => each.includes(`(${guide})`));
  if (section === undefined) throw new Error(`The README does not list ${guide}.`);
  return section.slice(0, section.indexOf('\n'));
}

/** The text comes in parts, for code and links are parts of their own. */
function headingOf({ name, content }) {
  const text = content.map((part) => part.text).join('');
  const [, heading] = /^# (.+)\n/.exec(text) ?? [];
  if (heading === undefined) throw new Error(`${name} does not begin with a heading.`);
  return heading.replaceAll('`', '');
}
