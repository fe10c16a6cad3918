import type { OfferedService } from '@calends/core/operations';
import { parseDuration } from '@calends/core/operations';
import type { FreeTimes } from '../../free-times.js';
import { html, type Markup } from '../../html.js';
import { durationInWords } from '../../times.js';
import { freeTimesList } from '../free-times-list.js';
import { hiddenFields } from '../hidden-fields.js';
import { layout, notice, titleWith } from '../layout.js';
import type { PageTextKey } from '../../texts/page-texts.js';
import type { PageFrame } from '../page.js';
import { aboutService } from './about-service.js';

/** What the list of free times shows. */
export interface TimesView {
  readonly service: OfferedService;
  /** ISO 8601. */
  readonly duration: string;
  readonly free: FreeTimes;
  /** Zone that the customer chose, or that their browser told. */
  readonly zone: string | undefined;
  /** Nothing else is offered: the page before would lead here. */
  readonly isOnly: boolean;
  readonly problem?: string | undefined;
}

/** What an address of the list names. */
export interface TimesAsked {
  readonly serviceId: string;
  readonly duration: string;
  readonly from?: string | undefined;
  readonly zone?: string | undefined;
  /** Why another time is to be chosen. */
  readonly refused?: PageTextKey | undefined;
}

/** Free times of a service by day. */
export function timesPage(frame: PageFrame, view: TimesView): string {
  const { texts } = frame.language;
  const { service, duration, free, zone, isOnly, problem } = view;
  const shown = zone ?? service.timezone;
  const asked = { serviceId: service.id, duration, zone };
  const words = durationInWords({ start: 0, end: parseDuration(duration) ?? 0 }, frame.language);
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    <h1>${texts.timesTitle}</h1>
    <p class="what"><bdi>${service.title}</bdi>, ${words}</p>
    ${aboutService(service)} ${zoneForm(frame, view, shown)}
    ${freeTimesList(frame, {
      free,
      zone: shown,
      other: service.timezone,
      action: `${frame.base}/book/hold`,
      hidden: hiddenFields({ service: service.id, duration, zone: zone ?? '', from: free.from }),
      href: (from) => timesAddress(frame, { ...asked, from }),
    })}
    ${!isOnly && html`<p class="leave"><a href="${frame.base}/book">${texts.back}</a></p>`}`;
  const script = html`<script src="${frame.base}/assets/zone.js"></script>`;
  return layout(frame, titleWith(texts, texts.timesTitle, { problem }), main, script);
}

/** The address of the list. */
export function timesAddress({ base }: PageFrame, asked: TimesAsked): string {
  const { serviceId, duration, from, zone, refused } = asked;
  const query = new URLSearchParams({ service: serviceId, duration });
  if (from !== undefined) query.set('from', from);
  if (zone !== undefined) query.set('zone', zone);
  if (refused !== undefined) query.set('refused', refused);
  return `${base}/book/times?${query.toString()}`;
}

/** Asks for the zone; a script answers for browsers that know theirs, once. */
function zoneForm({ language: { texts }, base }: PageFrame, view: TimesView, shown: string): Markup {
  const { service, duration, free, zone } = view;
  const zones = Intl.supportedValuesOf('timeZone');
  const names = new Set(['UTC', service.timezone, shown, ...zones]);
  return html`<form method="get" action="${base}/book/times" class="zone-form">
    ${hiddenFields({ service: service.id, duration, from: free.from })}
    <label for="zone">${texts.yourZone}</label>
    <div class="fields">
      <p>
        <select id="zone" name="zone" ${zone === undefined && 'data-unknown'}>
          ${[...names].sort().map((name) => html`<option ${name === shown && 'selected'}>${name}</option>`)}
        </select>
      </p>
      <p><button type="submit">${texts.showZone}</button></p>
    </div>
  </form>`;
}
