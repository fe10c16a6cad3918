// Documents are called after their first heading, in the site as on GitHub, which would show front matter as a table.
import { Converter } from 'typedoc';

export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
    const { project } = document;
    document.name = headingOf(document);
    const path = project.files.getReflectionPath(document) ?? '';
    if (/\/docs\/adr\/\d/.test(path))
      moveBelow(
        document,
        project.documents.find(({ name }) => name === 'Decision records'),
      );
  });
}

/** The single records stand below their list, so that they do not fill the navigation. */
function moveBelow(document, list) {
  document.parent.removeChild(document);
  list.addChild(document);
  document.parent = list;
}

/** The text comes in parts, for code and links are parts of their own. */
function headingOf({ name, content }) {
  const text = content.map((part) => part.text).join('');
  const [, heading] = /^# (.+)\n/.exec(text) ?? [];
  if (heading === undefined) throw new Error(`${name} does not begin with a heading.`);
  return heading.replaceAll('`', '');
}
