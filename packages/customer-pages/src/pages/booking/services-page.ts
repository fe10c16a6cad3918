import type { OfferedService } from '@calends/core/operations';
import { parseDuration } from '@calends/core/operations';
import { html, type Markup } from '../../html.js';
import { durationInWords } from '../../times.js';
import { layout, notice, titleWith } from '../layout.js';
import type { PageFrame } from '../page.js';
import { aboutService } from './about-service.js';
import { timesAddress } from './times-page.js';

/** What can be booked. */
export function servicesPage(frame: PageFrame, services: readonly OfferedService[], problem?: string): string {
  const { texts } = frame.language;
  const main = html`${problem !== undefined && notice('problem', problem, `${texts.problem}:`)}
    <h1>${texts.bookTitle}</h1>
    ${services.length === 0 ? html`<p>${texts.nothingOffered}</p>` : html`<p>${texts.chooseService}</p>`}
    ${services.map((service) => serviceMarkup(frame, service))}`;
  return layout(frame, titleWith(texts, texts.bookTitle, { problem }), main);
}

function serviceMarkup(frame: PageFrame, { id, title, description, durations }: OfferedService): Markup {
  return html`<section class="service">
    <h2>${title}</h2>
    ${aboutService({ description })}
    <ul class="actions">
      ${durations.map((duration) => {
        const words = durationInWords({ start: 0, end: parseDuration(duration) ?? 0 }, frame.language);
        return html`<li>
          <a class="button" href="${timesAddress(frame, { serviceId: id, duration })}"
            >${words}<span class="unseen">: ${title}</span></a
          >
        </li>`;
      })}
    </ul>
  </section>`;
}
