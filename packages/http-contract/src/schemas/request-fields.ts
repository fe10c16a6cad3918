import * as z from 'zod';
import { limits, partyTypes } from '@calends/model';
import { request } from '../wire-documentation.js';
import { boundedMap, clearable, mapBounds } from './bounded.js';

/*
 * Fields that several request bodies share. Requests are checked for their shape here: types, presence, lengths, closed
 * sets of values. What an instant, a duration, a zone, a locale or a header means is decided where it is used.
 */

/** A text that must be there and not be empty. */
export function requiredText(max: number, description: string, format?: string) {
  return request(z.string().min(1).max(max), format === undefined ? description : { description, format });
}

/** A text that may be absent; `null` is the same as absent in creation and clears in updates (D1, D2). */
export function optionalText(max: number, description: string) {
  return request(z.string().max(max).nullish(), description);
}

export const fields = {
  applicationId: () => requiredText(limits.id, 'Application that the appointment belongs to.'),
  start: () => requiredText(limits.instant, 'ISO 8601 with `Z` or a numeric offset; kept as UTC.', 'date-time'),
  duration: () =>
    requiredText(
      limits.duration,
      'ISO 8601 duration of days, hours, minutes and seconds, such as `PT30M`. The form of the answers, with the plain ' +
        'language in parentheses, is accepted too.',
    ),
  timezone: () => requiredText(limits.timezone, 'IANA time zone name or `UTC`.'),
  locale: () =>
    optionalText(limits.locale, 'Language tag, hyphenated; an underscore is accepted. Default: the application’s.'),
  title: () => optionalText(limits.title, 'Title.'),
  notes: () => optionalText(limits.notes, 'Free text.'),
  metadata: () => request(boundedMap(z.unknown(), metadataBounds).nullish(), metadataDescription),
  clearableMetadata: () => request(clearable(boundedMap(z.unknown(), metadataBounds)).optional(), metadataDescription),
  headersText: () =>
    optionalText(
      limits.headerBytes * 2,
      'JSON text of a map of extra headers for web hooks: at most 32, none that could change who is addressed or how a ' +
        'message is signed, none that proxies or identity layers read. Those of a customer are answered, and forwarded ' +
        'only where the application says so.',
    ),
  headersMap: () =>
    request(
      clearable(
        boundedMap(z.string(), {
          entries: limits.headerEntries,
          key: limits.headerName,
          value: limits.headerBytes,
          bytes: limits.headerBytes * 2,
        }),
      ).optional(),
      'Extra headers for web hooks. Names that are not forwarded may stay and may not be added.',
    ),
  targetAssignment: () =>
    request(
      z
        .object({
          id: requiredText(limits.agentId, 'Id of the assigned party.'),
          type: request(
            z.enum(partyTypes).nullish(),
            'Type of the assigned party. Default: `AGENT`, which makes it a participant.',
          ),
        })
        .nullish(),
      'Who the appointment is meant for.',
    ),
} as const;

const metadataBounds = { ...mapBounds, bytes: limits.metadataBytes };
const metadataDescription = 'Free-form map: at most 64 names of 64 characters, 16 KiB as JSON text.';
