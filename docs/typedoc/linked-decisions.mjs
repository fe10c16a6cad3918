// What the text of a page cites as (D24) leads to the entry of docs/decisions.md.
import { MarkdownEvent } from 'typedoc';

const untouched = /(<pre[^]*?<\/pre>|<code[^]*?<\/code>|<a [^]*?<\/a>)/;

export function load(app) {
  // After the text became HTML.
  app.renderer.on(MarkdownEvent.PARSE, (event) => void link(app.renderer.router, event), -1000);
}

function link(router, event) {
  const { model, project } = event.page;
  const decisions = project.documents.find(({ name }) => name === 'Decisions');
  if (decisions === undefined) throw new Error('There is no document with the heading "Decisions".');
  if (model === decisions) return;
  const address = router.relativeUrl(model, decisions);
  event.parsedText = event.parsedText
    .split(untouched)
    .map((part, index) => (index % 2 === 1 ? part : withLinks(part, address)))
    .join('');
}

function withLinks(html, address) {
  return html.replaceAll(/\bD\d+\b/g, (number) => `<a href="${address}#${number.toLowerCase()}">${number}</a>`);
}
