import type { Appointment } from '@calends/core';
import { isChangeable } from '../changeable.js';
import { html, type Markup } from '../html.js';
import { durationInWords, shownInstant } from '../times.js';
import { layout, notice, titleWith } from './layout.js';
import type { PageFrame } from './page.js';
import { scheduleLines } from './schedule-lines.js';

/** What the page of an appointment shows. */
export interface AppointmentView {
  readonly appointment: Appointment;
  /** Zone of the customer's browser. */
  readonly zone: string | undefined;
  /** Where to join, once it is open. */
  readonly roomUrl: string | undefined;
  /** When it opens by itself. */
  readonly opensAt: number | undefined;
  /** Whether its time has passed. */
  readonly isPast: boolean;
  readonly done?: string | undefined;
}

/** The appointment, and what can be done with it. */
export function appointmentPage(frame: PageFrame, view: AppointmentView): string {
  const { texts } = frame.language;
  const { appointment, zone, roomUrl, isPast, done } = view;
  const isAhead = isChangeable(appointment) && !isPast;
  const title = titleOf(frame, appointment);
  const main = html`${done !== undefined && notice('done', done)}
    <h1>${title}</h1>
    ${scheduleLines(frame, appointment.schedule, zone)}
    <dl class="facts">
      <div>
        <dt>${texts.duration}</dt>
        <dd>${durationInWords(appointment.schedule, frame.language)}</dd>
      </div>
      <div>
        <dt>${texts.state}</dt>
        <dd>${stateText(frame, view)}</dd>
      </div>
      ${appointment.state === 'SCHEDULED' && isAhead && opening(frame, view)}
    </dl>
    <ul class="actions">
      ${
        roomUrl !== undefined &&
        html`<li class="first"><a class="button primary" href="${roomUrl}" rel="noreferrer">${texts.join}</a></li>`
      }
      <li class="first"><a class="button" href="${frame.base}/appointment.ics">${texts.addToCalendar}</a></li>
      ${isAhead && changes(frame)}
    </ul>
    ${leaveForm(frame)}`;
  return layout(frame, titleWith(texts, title, { done }), main);
}

/** The title of the appointment, or the word for one. */
export function titleOf({ language }: PageFrame, { title }: Pick<Appointment, 'title'>): string {
  return title.trim() === '' ? language.texts.appointment : title;
}

/** When one can join, while one cannot yet (D61). */
function opening({ language }: PageFrame, { appointment: { schedule }, opensAt }: AppointmentView): Markup {
  const { joinFrom, joinWhenOpened } = language.texts;
  const from = opensAt === undefined ? joinWhenOpened : shownInstant(opensAt, schedule.timezone, language);
  return html`<div>
    <dt>${joinFrom}</dt>
    <dd>${from}</dd>
  </div>`;
}

function changes({ language: { texts }, base }: PageFrame): Markup {
  return html`<li><a class="button" href="${base}/appointment/reschedule">${texts.reschedule}</a></li>
    <li><a class="button danger" href="${base}/appointment/cancel">${texts.cancel}</a></li>`;
}

function leaveForm({ language: { texts }, base }: PageFrame): Markup {
  return html`<form method="post" action="${base}/session/end" class="leave">
    <button type="submit" class="plain">${texts.leave}</button>
  </form>`;
}

function stateText({ language: { texts } }: PageFrame, { appointment, isPast }: AppointmentView): string {
  const isClosed = !isChangeable(appointment) && appointment.interaction.state !== 'IN_PROGRESS';
  if (isClosed || isPast) return texts.stateOver;
  return appointment.state === 'ACTIVATED' ? texts.stateActivated : texts.stateScheduled;
}
