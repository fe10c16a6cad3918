import type { Schedule } from '@calends/core';
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
  readonly title: string;
  readonly schedule: Schedule;
  /** Whether messages tell of it. */
  readonly notified: boolean;
  /** Absent where it is offered no more. */
  readonly service: OfferedService | undefined;
  readonly zone: string | undefined;
}

/** Says that it is booked. */
export function bookedPage(frame: PageFrame, view: BookedView): string {
  const { texts } = frame.language;
  const { schedule, notified, service, zone } = view;
  const main = html`<h1>${texts.bookedTitle}</h1>
    <p class="what"><bdi>${titleOf(frame, view)}</bdi>, ${durationInWords(schedule, frame.language)}</p>
    ${scheduleLines(frame, schedule, zone ?? schedule.timezone)} ${service !== undefined && aboutService(service)}
    ${notified && html`<p>${texts.bookedLead}</p>`}`;
  return layout(frame, texts.bookedTitle, main);
}
