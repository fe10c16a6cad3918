import type { Appointment } from '@calends/core';
import { limits } from '@calends/core/operations';
import { html } from '../html.js';
import { titleOf } from './appointment-page.js';
import { formOf, hiddenFields } from './hidden-fields.js';
import { layout, markedIf, notice, titleWith } from './layout.js';
import type { PageFrame } from './page.js';
import { scheduleLines } from './schedule-lines.js';

/** What the question shows. */
export interface CancelView {
  readonly appointment: Appointment;
  readonly zone: string | undefined;
  readonly reason?: string | undefined;
  readonly problem?: string | undefined;
}

/** Asks whether to cancel, and why. */
export function cancelPage(frame: PageFrame, { appointment, zone, reason = '', problem }: CancelView): string {
  const { texts } = frame.language;
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    <h1>${texts.cancelTitle}</h1>
    <p class="what">${titleOf(frame, appointment)}</p>
    ${scheduleLines(frame, appointment.schedule, zone)}
    <p>${texts.cancelLead}</p>
    <form method="post" action="${frame.base}/appointment/cancel">
      ${hiddenFields(formOf(appointment))}
      <p>
        <label for="reason">${texts.cancelReason}</label>
        <textarea
          id="reason"
          name="reason"
          rows="4"
          maxlength="${limits.cancelReason}"
          ${markedIf(problem, [texts.reasonTooLong, texts.reasonUnreadable])}
          aria-describedby="reason-hint${problem !== undefined && ' problem'}"
        >
${reason}</textarea>
        <span id="reason-hint" class="hint">${texts.cancelReasonHint}</span>
      </p>
      <ul class="actions">
        <li><button type="submit" class="danger">${texts.cancelConfirm}</button></li>
        <li><a class="button" href="${frame.base}/appointment">${texts.cancelKeep}</a></li>
      </ul>
    </form>`;
  return layout(frame, titleWith(texts, texts.cancelTitle, { problem }), main);
}
