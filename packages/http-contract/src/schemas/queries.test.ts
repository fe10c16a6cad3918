import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appointmentSortFields,
  notificationEventSortFields,
  notificationSortFields,
  notificationTypes,
} from '@calends/model';
import { decodeQuery } from '../decode.js';
import {
  countAppointmentsQuerySchema,
  listAppointmentsQuerySchema,
  listAppointmentsQueryV1Schema,
  listEligibleAppointmentsQuerySchema,
} from './appointment-queries.js';
import { listNotificationEventsQuerySchema, listNotificationsQuerySchema } from './notification-queries.js';

type Query = Readonly<Record<string, readonly string[]>>;

/** The faults of a query as `parameter code`. */
function faults(schema: Parameters<typeof decodeQuery>[0], query: Query): readonly string[] {
  const decoded = decodeQuery(schema, query);
  return decoded.ok ? [] : decoded.errors.map(({ parameter, code }) => `${parameter ?? '?'} ${code}`);
}

function valueOf(schema: Parameters<typeof decodeQuery>[0], query: Query): unknown {
  const decoded = decodeQuery(schema, query);
  return decoded.ok ? decoded.value : decoded.errors;
}

describe('The query of the appointment list', () => {
  it('the query of the appointment list may be empty: all parameters are optional', () => {
    expect(valueOf(listAppointmentsQuerySchema, {})).toEqual({});
    expect(valueOf(listAppointmentsQueryV1Schema, {})).toEqual({});
  });

  it('the query of the appointment list is read into typed values', () => {
    const query = {
      applicationId: ['app-1'],
      agentId: ['agent-1, agent-2', 'agent-3'],
      organizerId: ['agent-4'],
      duration: ['PT30M', 'PT1H'],
      range: ['2030-01-01T00:00:00Z,2030-02-01T00:00:00Z'],
      pageSize: ['50'],
      pageNumber: ['2'],
      sortOrder: ['desc'],
      sortField: ['title'],
    };
    const expected = {
      applicationId: 'app-1',
      agentId: ['agent-1', 'agent-2', 'agent-3'],
      organizerId: ['agent-4'],
      duration: ['PT30M', 'PT1H'],
      range: [{ from: '2030-01-01T00:00:00Z', to: '2030-02-01T00:00:00Z' }],
      pageSize: 50,
      pageNumber: 2,
      sortOrder: 'desc',
      sortField: 'title',
    };
    expect(valueOf(listAppointmentsQuerySchema, { ...query, state: ['scheduled,Activated'] })).toEqual({
      ...expected,
      state: ['SCHEDULED', 'ACTIVATED'],
    });
    expect(valueOf(listAppointmentsQueryV1Schema, { ...query, state: ['CANCELLED'] })).toEqual(expected);
  });

  it.each(['1', '100', '001'])('pageSize %s is from 1 to 100 (D30)', (pageSize) => {
    expect(valueOf(listAppointmentsQuerySchema, { pageSize: [pageSize] })).toEqual({ pageSize: Number(pageSize) });
  });

  it.each(
    [
      '0',
      '101',
      '-1',
      '+1',
      '1.5',
      '1e1',
      '0x10',
      ' 1',
      '',
      'NaN',
      'Infinity',
      '٣',
      '１',
      '99999999999999999999',
    ].concat('9'.repeat(100_000)),
  )('pageSize %.24j → 400 (D30)', (pageSize) => {
    expect(faults(listAppointmentsQuerySchema, { pageSize: [pageSize] })).toEqual(['pageSize out_of_range']);
  });

  it('pageNumber is at least 1, and at most what a number in JSON carries exactly (D30)', () => {
    const max = Number.MAX_SAFE_INTEGER;
    expect(valueOf(listAppointmentsQuerySchema, { pageNumber: [String(max)] })).toEqual({ pageNumber: max });
    for (const pageNumber of ['0', '9007199254740992', '9999999999999999', '99999999999999999', 'x']) {
      expect(faults(listAppointmentsQuerySchema, { pageNumber: [pageNumber] })).toEqual(['pageNumber out_of_range']);
    }
  });

  it.each(['applicationId', 'pageSize', 'pageNumber', 'sortOrder', 'sortField'])(
    'scalar parameter %s given twice → 400',
    (name) => {
      expect(faults(listAppointmentsQuerySchema, { [name]: ['1', '1'] })).toEqual([`${name} repeated`]);
    },
  );

  it.each(["start'--", 'users.password', 'START', '', 'createdAt', '__proto__', 'constructor'])(
    'unknown sortField %j → 400 (D31)',
    (sortField) => {
      expect(faults(listAppointmentsQuerySchema, { sortField: [sortField] })).toEqual(['sortField invalid_value']);
    },
  );

  it.each(['ASC', 'ascending', ''])('sortOrder %j is neither asc nor desc → 400', (sortOrder) => {
    expect(faults(listAppointmentsQuerySchema, { sortOrder: [sortOrder] })).toEqual(['sortOrder invalid_value']);
  });

  it('unknown state → 400 (D25)', () => {
    expect(faults(listAppointmentsQuerySchema, { state: ['SCHEDULED,NEW'] })).toEqual(['state invalid_value']);
  });

  it.each([
    ['both sides', ['a,b'], [{ from: 'a', to: 'b' }]],
    ['an empty end', ['a,'], [{ from: 'a' }]],
    ['an empty start', [',b'], [{ to: 'b' }]],
    ['several pairs in one value', ['a,b, c ,'], [{ from: 'a', to: 'b' }, { from: 'c' }]],
    ['several values', ['a,b', ',d'], [{ from: 'a', to: 'b' }, { to: 'd' }]],
    ['start and end as repeated values', ['a', 'b'], [{ from: 'a', to: 'b' }]],
    ['nothing, which does not filter', [''], undefined],
  ])('range takes pairs with %s (D32)', (_name, range, pairs) => {
    expect(valueOf(listAppointmentsQuerySchema, { range })).toEqual(pairs === undefined ? {} : { range: pairs });
  });

  it.each([[['a']], [['a,b,c']], [[',']], [['a,b,,']], [['a,b', 'c']]])(
    'range %j is odd or empty → 400 (D32)',
    (range) => {
      expect(faults(listAppointmentsQuerySchema, { range })).toEqual(['range invalid_format']);
    },
  );

  it('names that it does not know are ignored', () => {
    const query = JSON.parse('{"__proto__":["x"],"role":["ROLE_ADMIN"],"pageSize[gt]":["1"]}') as Query;
    expect(valueOf(listAppointmentsQuerySchema, query)).toEqual({});
  });

  it('ids have at most 64 characters, agent ids and durations 128, instants 64', () => {
    const long = (length: number) => ['x'.repeat(length)];
    expect(
      faults(listAppointmentsQuerySchema, {
        applicationId: long(65),
        agentId: long(129),
        organizerId: long(129),
        duration: long(129),
        range: [`${'x'.repeat(65)},`],
      }),
    ).toEqual([
      'applicationId too_long',
      'organizerId too_long',
      'agentId too_long',
      'duration too_long',
      'range too_long',
    ]);
  });

  it.each(['applicationId', 'agentId', 'range', 'duration'])(
    'control characters and lone surrogates in %s → 400',
    (name) => {
      for (const text of ['a\u0000b,', 'a\ud800b,']) {
        expect(faults(listAppointmentsQuerySchema, { [name]: [text] })).toEqual([`${name} invalid_characters`]);
      }
    },
  );
});

describe('Array parameters (D33)', () => {
  it('Array parameters may be repeated or comma-separated everywhere, are trimmed, and lose empty items', () => {
    const item = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    const blank = fc.constantFrom('', ' ', '  ');
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 20 }),
        fc.infiniteStream(fc.nat(3)),
        blank,
        (ids, cuts, pad) => {
          const values: string[] = [];
          for (const id of ids) {
            const last = values.pop();
            const padded = `${pad}${id}${pad}`;
            if (last === undefined) values.push(padded);
            else if (cuts.next().value === 0) values.push(last, padded);
            else values.push(`${last},${pad},${padded}`);
          }
          expect(valueOf(listAppointmentsQuerySchema, { agentId: values })).toEqual({ agentId: ids });
        },
      ),
    );
  });

  it('Array parameters without any item do not filter', () => {
    expect(valueOf(listAppointmentsQuerySchema, { agentId: [' , ,', ''], duration: [''], state: [','] })).toEqual({});
  });

  it('Array parameters have at most 100 values', () => {
    const ids = Array.from({ length: 100 }, (_, index) => `a${index}`);
    expect(valueOf(listAppointmentsQuerySchema, { agentId: [ids.join(',')] })).toEqual({ agentId: ids });
    expect(faults(listAppointmentsQuerySchema, { agentId: [...ids, 'one-more'] })).toEqual(['agentId too_many']);
    expect(faults(listAppointmentsQuerySchema, { agentId: [','.repeat(100_000)] })).toEqual(['agentId too_many']);
  });
});

describe('The query of count', () => {
  const query = {
    applicationId: ['app-1'],
    organizationId: ['org-1'],
    start: ['2030-01-01T00:00:00Z'],
    timeFrame: ['PT1H'],
  };

  it('the query of count requires all four parameters', () => {
    expect(faults(countAppointmentsQuerySchema, {})).toEqual([
      'applicationId required',
      'organizationId required',
      'start required',
      'timeFrame required',
    ]);
    for (const name of Object.keys(query)) {
      expect(faults(countAppointmentsQuerySchema, { ...query, [name]: undefined })).toEqual([`${name} required`]);
    }
    expect(faults(countAppointmentsQuerySchema, { ...query, start: [' ,'] })).toEqual(['start required']);
  });

  it('the query of count takes 1 to 100 starts, repeated or comma-separated, and keeps their order (D27)', () => {
    const starts = Array.from({ length: 100 }, (_, index) => `2030-01-01T00:00:${String(99 - index)}Z`);
    expect(
      valueOf(countAppointmentsQuerySchema, { ...query, start: [starts.slice(0, 50).join(), ...starts.slice(50)] }),
    ).toEqual({
      applicationId: 'app-1',
      organizationId: 'org-1',
      start: starts,
      timeFrame: 'PT1H',
    });
    expect(faults(countAppointmentsQuerySchema, { ...query, start: [...starts, 'x'] })).toEqual(['start too_many']);
  });
});

describe('The query of eligible', () => {
  it('the query of eligible has an optional timeFrame (D24)', () => {
    expect(valueOf(listEligibleAppointmentsQuerySchema, {})).toEqual({});
    expect(valueOf(listEligibleAppointmentsQuerySchema, { timeFrame: ['PT1H'] })).toEqual({ timeFrame: 'PT1H' });
    expect(faults(listEligibleAppointmentsQuerySchema, { timeFrame: [''] })).toEqual(['timeFrame too_short']);
    expect(faults(listEligibleAppointmentsQuerySchema, { timeFrame: ['PT1H', 'PT1H'] })).toEqual([
      'timeFrame repeated',
    ]);
  });
});

describe.each([
  ['statuses', listNotificationsQuerySchema, notificationSortFields],
  ['events', listNotificationEventsQuerySchema, notificationEventSortFields],
])('The query of the list of notification %s', (_name, schema, sortFields) => {
  const applicationId = ['app-1'];

  it('the query of a notification list requires applicationId (D35)', () => {
    expect(faults(schema, {})).toEqual(['applicationId required']);
    expect(faults(schema, { applicationId: [''] })).toEqual(['applicationId too_short']);
    expect(valueOf(schema, { applicationId })).toEqual({ applicationId: 'app-1' });
  });

  it('the query of a notification list takes type, channel and status in any letter case and answers them in upper case (D33)', () => {
    const query = { applicationId, type: ['create,Follow_Up'], channel: ['email', 'WebHooks'], status: ['Delivered'] };
    expect(valueOf(schema, query)).toEqual({
      applicationId: 'app-1',
      type: ['CREATE', 'FOLLOW_UP'],
      channel: ['EMAIL', 'WEBHOOKS'],
      status: ['DELIVERED'],
    });
  });

  it.each([
    ['status', '\u0131nitialized'],
    ['type', 'rem\u0131nder'],
    ['channel', 'webhook\u017f'],
  ])(
    '%s is in any case of ASCII letters: "%s", whose capitals are a word of the set, is unknown (D33)',
    (name, word) => {
      expect(faults(schema, { applicationId, [name]: [word] })).toEqual([`${name} invalid_value`]);
    },
  );

  it('an unknown type, channel or status → 400 (D33)', () => {
    expect(faults(schema, { applicationId, type: ['CREATED'], channel: ['FAX'], status: ['SUBMITTED'] })).toEqual([
      'type invalid_value',
      'channel invalid_value',
      'status invalid_value',
    ]);
  });

  it('the query of a notification list takes each of the 16 types', () => {
    expect(notificationTypes).toHaveLength(16);
    expect(valueOf(schema, { applicationId, type: notificationTypes })).toMatchObject({ type: notificationTypes });
  });

  it('the query of a notification list sorts by its own fields only (D31)', () => {
    for (const field of sortFields) expect(faults(schema, { applicationId, sortField: [field] })).toEqual([]);
    for (const field of ['start', 'recipient', 'nextPollAt']) {
      expect(faults(schema, { applicationId, sortField: [field] })).toEqual(['sortField invalid_value']);
    }
  });

  it('the query of a notification list takes a window and a page', () => {
    const query = { applicationId, from: ['2030-01-01T00:00:00Z'], to: ['2030-02-01T00:00:00Z'], pageSize: ['5'] };
    expect(valueOf(schema, query)).toEqual({
      applicationId: 'app-1',
      from: '2030-01-01T00:00:00Z',
      to: '2030-02-01T00:00:00Z',
      pageSize: 5,
    });
    expect(faults(schema, { applicationId, from: ['a', 'b'], pageSize: ['0'] })).toEqual([
      'pageSize out_of_range',
      'from repeated',
    ]);
  });
});

describe('Sort fields', () => {
  it('Sort fields are those of D31, the default first', () => {
    expect(appointmentSortFields.join()).toBe('start,end,duration,title,timezone,applicationId,id');
    expect(notificationSortFields.join()).toBe(
      'createdAt,updatedAt,scheduledFor,nextRetryAt,status,type,channel,retryCount,id',
    );
    expect(notificationEventSortFields.join()).toBe('timestamp,scheduledFor,status,type,channel,id');
  });
});
