import { formatInstant } from '@calends/core/operations';
import { type FreeTime, type FreeTimes } from '../free-times.js';
import { html, type Markup } from '../html.js';
import { clockIn, dayInWords, nameOf, offsetName, placeOf, showTheSame } from '../times.js';
import type { PageFrame } from './page.js';

/** What the list is written with. */
export interface FreeTimesList {
  readonly free: FreeTimes;
  /** Whose clocks show the times. */
  readonly zone: string;
  /** The zone of the appointment, shown small where its clocks differ. */
  readonly other: string;
  /** Where the chosen time is sent. */
  readonly action: string;
  readonly hidden: Markup;
  /** The address of the page with other days. */
  readonly href: (from: string) => string;
}

/** Free times by day, each a button; days open and close without script. */
export function freeTimesList(frame: PageFrame, list: FreeTimesList): Markup {
  const { free, action, hidden } = list;
  const { texts } = frame.language;
  return html`${zoneLine(frame, list)}
    <form method="post" action="${action}" class="free-times">
      ${hidden} ${free.days.map(({ date, times }, index) => dayMarkup(frame, list, date, times, index === 0))}
    </form>
    ${free.days.length === 0 && nothing(frame, list)}
    <nav class="days" aria-label="${texts.otherDays}">
      <ul class="actions">
        ${free.earlier !== undefined && dayLink(list, free.earlier, texts.earlierDays)}
        ${free.later !== undefined && dayLink(list, free.later, texts.laterDays)}
      </ul>
    </nav>`;
}

function zoneLine({ language }: PageFrame, { free, zone, other }: FreeTimesList): Markup {
  const { texts } = language;
  const first = free.days[0]?.times[0]?.start ?? Date.parse(free.from);
  const last = free.days.at(-1)?.times.at(-1)?.start ?? first;
  // Where the clocks change meanwhile, one offset would be untrue of some of them.
  const named = (of: string): string => (offsetName(first, of) === offsetName(last, of) ? nameOf(of, first) : of);
  const lead = zone === other ? texts.timeIn : texts.timesYours;
  const times = free.days.flatMap((day) => day.times);
  const isSmall = times.some((time) => !showTheSame(time, zone, other));
  return html`<p class="zones">
    ${lead} <strong>${named(zone)}</strong>. ${isSmall && html`${texts.timesOther} <strong>${named(other)}</strong>.`}
  </p>`;
}

function nothing({ language }: PageFrame, { free, href }: FreeTimesList): Markup {
  const { texts } = language;
  return html`<p>${texts.nothingFree}</p>
    ${
      free.next === undefined
        ? html`<p>${texts.nothingAhead}</p>`
        : html`<p>
            <a class="button primary" href="${href(free.next)}">${texts.nextFree} ${dayInWords(free.next, language)}</a>
          </p>`
    }`;
}

function dayLink({ href }: FreeTimesList, from: string, text: string): Markup {
  return html`<li><a class="button" href="${href(from)}">${text}</a></li>`;
}

function dayMarkup(
  frame: PageFrame,
  list: FreeTimesList,
  date: string,
  times: readonly FreeTime[],
  isOpen: boolean,
): Markup {
  const { language } = frame;
  const clocks = times.map(({ start }) => clockIn(start, list.zone, language));
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const clock of clocks) (seen.has(clock) ? twice : seen).add(clock);
  return html`<details ${isOpen && 'open'}>
    <summary>
      <h2>${dayInWords(date, language)}</h2>
      <span class="hint">${language.texts.freeTimes} ${times.length}</span>
    </summary>
    <ul class="clocks" aria-label="${dayInWords(date, language)}">
      ${times.map((time, index) => {
        // An hour that the zone repeats is there twice: the offset tells them apart.
        const clock = clocks[index] ?? '';
        const own = twice.has(clock) ? `${clock} ${offsetName(time.start, list.zone)}` : clock;
        return html`<li>
          <button type="submit" name="start" value="${formatInstant(time.start)}">
            <span class="own">${own}</span> ${otherClock(frame, list, time, date)}
          </button>
        </li>`;
      })}
    </ul>
  </details>`;
}

/** The same time where the appointment is, with the day where that is another one. */
function otherClock({ language }: PageFrame, { zone, other }: FreeTimesList, time: FreeTime, date: string) {
  if (showTheSame(time, zone, other)) return undefined;
  return html`<span class="zone">${clockIn(time.start, other, language, date)} ${placeOf(other)}</span>`;
}
