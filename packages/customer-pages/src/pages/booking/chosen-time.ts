import type { OfferedService } from '@calends/core/operations';
import type { Held } from '../../held-time.js';
import { html, type Markup } from '../../html.js';
import { clockIn, durationInWords, nameOf } from '../../times.js';
import { notice } from '../layout.js';
import type { PageFrame } from '../page.js';
import { scheduleLines } from '../schedule-lines.js';
import { aboutService } from './about-service.js';

/** A time that somebody is about to book. */
export interface Booking {
  readonly service: OfferedService;
  readonly time: Held;
  /** The time as forms carry it. */
  readonly held: string;
  /** The address under which the pages of this booking are. */
  readonly path: string;
  /** Whether it is held, as far as the browser knows: another choice takes the place of the first. */
  readonly isHeld: boolean;
}

/** What is booked, when, and until when it is held. */
export function chosenTime(frame: PageFrame, { service, time, isHeld }: Booking): Markup {
  const { language } = frame;
  const { start, end, until, zone = service.timezone } = time;
  const schedule = { start, end, timezone: service.timezone };
  const heldUntil = html`<div class="notice held">
    ${language.texts.heldUntil} <strong>${clockIn(until, zone, language)}</strong> (${nameOf(zone, until)}).
  </div>`;
  return html`<p class="what"><bdi>${service.title}</bdi>, ${durationInWords(schedule, language)}</p>
    ${isHeld ? heldUntil : notice('problem', language.texts.heldNoMore)} ${aboutService(service)}
    ${scheduleLines(frame, schedule, zone)}`;
}
