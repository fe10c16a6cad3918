import { html } from '../html.js';
import { layout } from './layout.js';
import type { PageFrame } from './page.js';

/**
 * Where a manage link leads. The code is in the address's fragment, which no server and no log ever gets; a script puts it
 * into the form and sends that. Without the script the customer enters the code.
 */
export function entryPage(frame: PageFrame): string {
  const { texts } = frame.language;
  const main = html`<h1>${texts.entryTitle}</h1>
    <p>${texts.entryLead}</p>
    <form method="post" action="${frame.base}/session" id="entry">
      <p>
        <label for="code">${texts.entryCode}</label>
        <input id="code" name="code" type="text" required autocomplete="off" autocapitalize="off" spellcheck="false" />
      </p>
      <input id="zone" name="zone" type="hidden" value="" />
      <ul class="actions">
        <li><button type="submit" class="primary">${texts.entryOpen}</button></li>
      </ul>
    </form>`;
  return layout(frame, texts.entryTitle, main, html`<script src="${frame.base}/assets/entry.js"></script>`);
}
