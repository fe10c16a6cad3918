import { limits } from '@calends/core/operations';
import { type Entered, faultOf } from '../../entered.js';
import { html, type Markup } from '../../html.js';
import { hiddenFields } from '../hidden-fields.js';
import { layout, notice, titleWith } from '../layout.js';
import type { PageFrame } from '../page.js';
import { type Booking, chosenTime } from './chosen-time.js';

/** What the form for the customer shows. */
export interface DetailsView extends Booking {
  /** Where the one-time password goes; the other one may be left out. */
  readonly contact: 'email' | 'phone';
  readonly entered: Entered;
  readonly problem?: string | undefined;
}

/** Asks who books, and where the code is to go. */
export function detailsPage(frame: PageFrame, view: DetailsView): string {
  const { texts } = frame.language;
  const { contact, entered, held, path, problem } = view;
  const optional = contact === 'email' ? 'phone' : 'email';
  const fault = problem === undefined ? undefined : faultOf(entered, contact);
  const isWrong = { name: fault === 'enterName', email: fault === 'enterEmail', phone: fault === 'enterPhone' };
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    <h1>${texts.detailsTitle}</h1>
    ${chosenTime(frame, view)}
    <form method="post" action="${path}/details">
      ${hiddenFields({ held })}
      <div class="fields">
        ${nameInput('firstName', texts.firstName, entered, 'given-name', isWrong.name)}
        ${nameInput('lastName', texts.lastName, entered, 'family-name', isWrong.name)}
      </div>
      <p class="hint" id="name-hint">${texts.nameHint}</p>
      ${contactInput(frame, contact, { value: entered[contact], required: true, isWrong: isWrong[contact] })}
      ${contactInput(frame, optional, { value: entered[optional], required: false, isWrong: isWrong[optional] })}
      <p class="hint">${contact === 'email' ? texts.codeByEmail : texts.codeByPhone}</p>
      <ul class="actions">
        <li class="first"><button type="submit" class="primary">${texts.sendCode}</button></li>
      </ul>
    </form>
    ${againForm(frame, view)}`;
  return layout(frame, titleWith(texts, texts.detailsTitle, { problem }), main);
}

/** Gives the time up for another one. */
export function againForm({ language: { texts } }: PageFrame, { held, path }: Pick<Booking, 'held' | 'path'>): Markup {
  return html`<form method="post" action="${path}/again" class="leave">
    ${hiddenFields({ held })}
    <button type="submit" class="plain">${texts.reschedule}</button>
  </form>`;
}

/** One of two names: that either of them is required no attribute can say. */
function nameInput(
  name: 'firstName' | 'lastName',
  label: string,
  entered: Entered,
  autocomplete: string,
  isWrong: boolean,
): Markup {
  const shown = {
    label,
    value: entered[name],
    maxLength: limits.name,
    autocomplete,
    describedBy: 'name-hint',
    isWrong,
  };
  return input(name, shown);
}

function contactInput(
  { language: { texts } }: PageFrame,
  kind: 'email' | 'phone',
  field: Required<Pick<Input, 'value' | 'required' | 'isWrong'>>,
): Markup {
  const label = `${texts[kind]} ${field.required ? texts.required : texts.optional}`;
  const shown = { ...field, label, maxLength: limits[kind] };
  if (kind === 'email') return input(kind, { ...shown, autocomplete: 'email', type: 'email' });
  return input(kind, { ...shown, autocomplete: 'tel', type: 'tel', hint: texts.phoneHint });
}

interface Input {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly autocomplete: string;
  readonly type?: string;
  readonly required?: boolean;
  /** Stands under the field. */
  readonly hint?: string;
  /** Id of a hint that stands elsewhere. */
  readonly describedBy?: string;
  /** Whether what was refused is this field: the notice over the page describes it too. */
  readonly isWrong: boolean;
}

function input(name: string, field: Input): Markup {
  const { label, value, maxLength, autocomplete, type = 'text', required = false, hint, isWrong } = field;
  const hintId = hint === undefined ? field.describedBy : `${name}-hint`;
  const describedBy = [hintId, isWrong ? 'problem' : undefined].filter((id) => id !== undefined).join(' ');
  return html`<p>
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      maxlength="${maxLength}"
      autocomplete="${autocomplete}"
      ${required && 'required'}
      ${isWrong && html`aria-invalid="true"`}
      ${describedBy !== '' && html`aria-describedby="${describedBy}"`}
    />
    ${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </p>`;
}
