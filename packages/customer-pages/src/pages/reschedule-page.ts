import type { Appointment } from '@calends/core';
import { type TimeFields, timeFieldsOf } from '../form-fields.js';
import type { FreeTimes } from '../free-times.js';
import { html, type Markup } from '../html.js';
import { shownTime } from '../times.js';
import { titleOf } from './appointment-page.js';
import { freeTimesList } from './free-times-list.js';
import { formOf, hiddenFields } from './hidden-fields.js';
import { layout, markedIf, notice, titleWith } from './layout.js';
import type { PageFrame } from './page.js';
import { scheduleLines } from './schedule-lines.js';

/** What the form for another time shows. */
export interface RescheduleView {
  readonly appointment: Appointment;
  readonly zone: string | undefined;
  /** What it may be moved to; absent = any time can be asked for. */
  readonly free?: FreeTimes | undefined;
  /** What was entered, as the browser sends it. */
  readonly entered?: TimeFields | undefined;
  readonly problem?: string | undefined;
}

/** Chooses another time, in the zone of the appointment. */
export function reschedulePage(frame: PageFrame, view: RescheduleView): string {
  const { texts } = frame.language;
  const { appointment, zone, free, problem } = view;
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    <h1>${texts.rescheduleTitle}</h1>
    <p class="what">${titleOf(frame, appointment)}</p>
    <h2>${texts.presentTime}</h2>
    ${scheduleLines(frame, appointment.schedule, zone)}
    ${free === undefined ? timeForm(frame, view) : freeTimes(frame, view, free)}`;
  return layout(frame, titleWith(texts, texts.rescheduleTitle, { problem }), main);
}

function freeTimes(frame: PageFrame, { appointment, zone }: RescheduleView, free: FreeTimes) {
  const { texts } = frame.language;
  const { schedule } = appointment;
  const page = `${frame.base}/appointment/reschedule`;
  return html`<h2>${texts.timesTitle}</h2>
    ${freeTimesList(frame, {
      free,
      zone: zone ?? schedule.timezone,
      other: schedule.timezone,
      action: page,
      hidden: hiddenFields({ ...formOf(appointment), from: free.from }),
      href: (from) => `${page}?from=${from}`,
    })}
    <p class="leave"><a href="${frame.base}/appointment">${texts.back}</a></p>`;
}

function timeForm(frame: PageFrame, { appointment, entered, problem }: RescheduleView): Markup {
  const { texts } = frame.language;
  const { schedule } = appointment;
  const { date, time } = entered ?? timeFieldsOf(schedule);
  const mark = markedIf(problem, [texts.enterDateAndTime, texts.notPossibleThen, texts.slotTaken]);
  const described = problem === undefined ? 'zone-hint' : 'zone-hint problem';
  return html`<form method="post" action="${frame.base}/appointment/reschedule">
    <p id="zone-hint">
      ${texts.timeIn} <strong>${shownTime(schedule, schedule.timezone, frame.language).zone}</strong>.
      ${texts.rescheduleLead}
    </p>
    ${hiddenFields(formOf(appointment))}
    <div class="fields">
      <p>
        <label for="date">${texts.date}</label>
        <input id="date" name="date" type="date" required value="${date}" aria-describedby="${described}" ${mark} />
      </p>
      <p>
        <label for="time">${texts.time}</label>
        <input id="time" name="time" type="time" required value="${time}" aria-describedby="${described}" ${mark} />
      </p>
    </div>
    <ul class="actions">
      <li><button type="submit" class="primary">${texts.rescheduleSave}</button></li>
      <li><a class="button" href="${frame.base}/appointment">${texts.back}</a></li>
    </ul>
  </form>`;
}
