import type { Schedule } from '@calends/core';
import { html, type Markup } from '../html.js';
import { showTheSame, type ShownTime, shownTime } from '../times.js';
import type { PageFrame } from './page.js';

/**
 * When the appointment is: in its own zone, and in the zone of the customer where that shows another time; in UTC where
 * the browser has not named its zone.
 */
export function scheduleLines({ language }: PageFrame, schedule: Schedule, zone: string | undefined): Markup {
  const { texts } = language;
  const other = zone ?? 'UTC';
  return html`<dl class="times">
    <div>
      <dt>${texts.when}</dt>
      <dd>${line(shownTime(schedule, schedule.timezone, language))}</dd>
    </div>
    ${
      !showTheSame(schedule, schedule.timezone, other) &&
      html`<div class="other-zone">
        <dt>${zone === undefined ? texts.inUtc : texts.yourTime}</dt>
        <dd>${line(shownTime(schedule, other, language))}</dd>
      </div>`
    }
  </dl>`;
}

function line({ day, clock, zone }: ShownTime): Markup {
  return html`<span class="day">${day}</span> <span class="clock">${clock}</span> <span class="zone">${zone}</span>`;
}
