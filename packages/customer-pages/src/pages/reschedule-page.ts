import type { Appointment } from '@calends/core';
import { wallClockAt } from '@calends/core/operations';
import { html } from '../html.js';
import { shownTime } from '../times.js';
import { titleOf } from './appointment-page.js';
import { layout, notice, titleWith } from './layout.js';
import type { PageFrame } from './page.js';
import { scheduleLines } from './schedule-lines.js';

/** What the form for another time shows. */
export interface RescheduleView {
  readonly appointment: Appointment;
  readonly zone: string | undefined;
  /** What was entered, as the browser sends it. */
  readonly entered?: { readonly date: string; readonly time: string } | undefined;
  readonly problem?: string | undefined;
}

/** Chooses another time, in the zone of the appointment. */
export function reschedulePage(frame: PageFrame, view: RescheduleView): string {
  const { texts } = frame.language;
  const { appointment, zone, entered, problem } = view;
  const { schedule, version } = appointment;
  const { date, time } = entered ?? fieldsOf(schedule.start, schedule.timezone);
  const described = problem === undefined ? 'zone-hint' : 'zone-hint problem';
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    <h1>${texts.rescheduleTitle}</h1>
    <p class="what">${titleOf(frame, appointment)}</p>
    <h2>${texts.presentTime}</h2>
    ${scheduleLines(frame, schedule, zone)}
    <form method="post" action="${frame.base}/appointment/reschedule">
      <p id="zone-hint">
        ${texts.timeIn} <strong>${shownTime(schedule, schedule.timezone, frame.language).zone}</strong>.
        ${texts.rescheduleLead}
      </p>
      <input type="hidden" name="version" value="${version}" />
      <div class="fields">
        <p>
          <label for="date">${texts.date}</label>
          <input id="date" name="date" type="date" required value="${date}" aria-describedby="${described}" />
        </p>
        <p>
          <label for="time">${texts.time}</label>
          <input id="time" name="time" type="time" required value="${time}" aria-describedby="${described}" />
        </p>
      </div>
      <ul class="actions">
        <li><button type="submit" class="primary">${texts.rescheduleSave}</button></li>
        <li><a class="button" href="${frame.base}/appointment">${texts.back}</a></li>
      </ul>
    </form>`;
  return layout(frame, titleWith(texts, texts.rescheduleTitle, problem), main);
}

function fieldsOf(instant: number, zone: string): { readonly date: string; readonly time: string } {
  const { year, month, day, hour, minute } = wallClockAt(instant, zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return { date: `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` };
}
