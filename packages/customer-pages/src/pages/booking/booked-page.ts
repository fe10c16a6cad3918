import type { Appointment } from '@calends/core';
import type { OfferedService } from '@calends/core/operations';
import { html } from '../../html.js';
import { durationInWords } from '../../times.js';
import { titleOf } from '../appointment-page.js';
import { layout } from '../layout.js';
import type { PageFrame } from '../page.js';
import { scheduleLines } from '../schedule-lines.js';
import { aboutService } from './about-service.js';

/** What was booked. */
export interface BookedView {
  readonly appointment: Appointment;
  readonly service: OfferedService | undefined;
  readonly zone: string | undefined;
}

/** Says that it is booked. */
export function bookedPage(frame: PageFrame, { appointment, service, zone }: BookedView): string {
  const { texts } = frame.language;
  const { schedule } = appointment;
  const main = html`<h1>${texts.bookedTitle}</h1>
    <p class="what">${titleOf(frame, appointment)}, ${durationInWords(schedule, frame.language)}</p>
    ${scheduleLines(frame, schedule, zone ?? schedule.timezone)} ${service !== undefined && aboutService(service)}
    ${appointment.notificationsActive && html`<p>${texts.bookedLead}</p>`}`;
  return layout(frame, texts.bookedTitle, main);
}
