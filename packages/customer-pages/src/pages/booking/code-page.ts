import { addressesOf, type Entered } from '../../entered.js';
import { html } from '../../html.js';
import { hiddenFields } from '../hidden-fields.js';
import { layout, markedIf, notice, titleWith } from '../layout.js';
import type { PageFrame } from '../page.js';
import { type Booking, chosenTime } from './chosen-time.js';
import { againForm } from './details-page.js';

/** What the form for the code shows. */
export interface CodeView extends Booking {
  readonly entered: Entered;
  /** Where the code went. */
  readonly contact: 'email' | 'phone';
  readonly problem?: string | undefined;
  /** Whether the browser has kept the booking: only then the page before can be shown. */
  readonly isKept: boolean;
  /** What became of asking for another code. */
  readonly done?: string | undefined;
}

/** Asks for the one-time password, and books with it. */
export function codePage(frame: PageFrame, view: CodeView): string {
  const { texts } = frame.language;
  const { entered, contact, held, path, isKept, problem, done } = view;
  const carried = hiddenFields({ held, ...entered });
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    ${done !== undefined && notice('done', done)}
    <h1>${texts.codeTitle}</h1>
    ${chosenTime(frame, view)}
    <form method="post" action="${path}/code">
      ${carried}
      <p>${texts.codeSentTo} <strong dir="ltr">${addressesOf(entered)[contact]}</strong>.</p>
      <p>
        <label for="code">${texts.code}</label>
        <input
          id="code"
          name="code"
          type="text"
          inputmode="numeric"
          required
          maxlength="64"
          autocomplete="one-time-code"
          ${markedIf(problem, [texts.codeWrong])}
          aria-describedby="code-hint${problem !== undefined && ' problem'}"
        />
        <span class="hint" id="code-hint">${texts.codeHint}</span>
      </p>
      <ul class="actions">
        <li class="first"><button type="submit" class="primary">${texts.bookNow}</button></li>
      </ul>
    </form>
    <form method="post" action="${path}/details" class="leave">
      ${carried}
      <button type="submit" class="plain">${texts.sendCodeAgain}</button>
    </form>
    ${isKept && html`<p class="leave"><a class="button plain" href="${path}/details">${texts.changeDetails}</a></p>`}
    ${againForm(frame, view)}`;
  return layout(frame, titleWith(texts, texts.codeTitle, { problem, done }), main);
}
