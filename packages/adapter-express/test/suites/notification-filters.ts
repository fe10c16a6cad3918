import { notificationEventSortFields, notificationSortFields } from '@calends/core/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, people } from '../support/host.js';
import { type NotifiedHost, outcomes, type Row, startNotifiedHost } from '../support/notified-host.js';
import { created } from '../support/requests.js';

const { agent, supervisor } = people;

/** The two lists: the field of their window, their sort fields by the document's decisions, and the standard one. */
const lists = [
  { path: '/api/notifications/', time: 'createdAt', sortFields: notificationSortFields },
  { path: '/api/notifications/events', time: 'timestamp', sortFields: notificationEventSortFields },
] as const;

type Predicate = (row: Row) => boolean;
const isOne =
  (field: string, ...values: string[]): Predicate =>
  (row) =>
    values.includes(String(row[field]));

/** Filters and what they let through, by hand (D33). */
const filters: readonly (readonly [string, Predicate])[] = [
  ['type=CREATE', isOne('type', 'CREATE')],
  ['type=create', isOne('type', 'CREATE')],
  ['type=CREATE&type=Cancelled', isOne('type', 'CREATE', 'CANCELLED')],
  ['type=CREATE,CANCELLED', isOne('type', 'CREATE', 'CANCELLED')],
  ['type=%20create%20,,%20follow_up', isOne('type', 'CREATE', 'FOLLOW_UP')],
  ['type=', () => true],
  ['type=NO_SHOW', () => false],
  ['channel=EMAIL', isOne('channel', 'EMAIL')],
  ['channel=sMs&channel=webhooks', isOne('channel', 'SMS', 'WEBHOOKS')],
  ['channel=sms,EMAIL', isOne('channel', 'SMS', 'EMAIL')],
  ['status=FAILED', isOne('status', 'FAILED')],
  ['status=pending', isOne('status', 'PENDING')],
  ['status=Initialized&status=delivered', isOne('status', 'INITIALIZED', 'DELIVERED')],
  ['status=cancelled,FAILED', isOne('status', 'CANCELLED', 'FAILED')],
  [
    'type=CREATE,REMINDER&channel=EMAIL&status=FAILED,CANCELLED',
    (row) =>
      isOne('type', 'CREATE', 'REMINDER')(row) &&
      isOne('channel', 'EMAIL')(row) &&
      isOne('status', 'FAILED', 'CANCELLED')(row),
  ],
];

const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1, 8, 0, seconds)).toISOString();
const within =
  (from: string, to: string) =>
  (time: string): boolean =>
    Date.parse(from) <= Date.parse(time) && Date.parse(time) < Date.parse(to);

/** Windows: `from` lies in it, `to` does not (D35). */
const windows: readonly (readonly [string, (time: string) => boolean])[] = [
  [`from=${at(10)}`, within(at(10), at(9999))],
  [`to=${at(10)}`, within(at(0), at(10))],
  [`from=${at(0)}&to=${at(10)}`, within(at(0), at(10))],
  [`from=${at(10)}&to=${at(20)}`, within(at(10), at(20))],
  ['from=2030-01-01T10:00:10%2B02:00&to=2030-01-01T08:00:11Z', within(at(10), at(11))],
  ['from=2031-01-01T00:00:00Z', () => false],
];

const refused: readonly (readonly [string, string])[] = [
  ['', 'applicationId'],
  ['applicationId=', 'applicationId'],
  ['applicationId=app-n&applicationId=app-shared', 'applicationId'],
  [`applicationId=${'x'.repeat(65)}`, 'applicationId'],
  ...['type=BIRTHDAY', 'type=CREATE,BIRTHDAY', 'type=CREATE&type=x'].map((query) => [query, 'type'] as const),
  ...['channel=FAX', 'channel=E-MAIL', 'channel=EMAIL;SMS'].map((query) => [query, 'channel'] as const),
  ...['status=LOST', 'status=SUBMITTED', 'status=READY'].map((query) => [query, 'status'] as const),
  ...['yesterday', '2030-01-01', '2030-01-01T08:00:00', '2030-02-30T00:00:00Z', '', '1893456000000'].flatMap((text) => [
    [`from=${text}`, 'from'] as const,
    [`to=${text}`, 'to'] as const,
  ]),
  [`from=${at(10)}&to=${at(10)}`, 'to'],
  [`from=${at(10)}&to=${at(9)}`, 'to'],
  ...['0', '-1', '101', '1.5', '1e2', 'x', '', '9223372036854775808'].map(
    (n) => [`pageSize=${n}`, 'pageSize'] as const,
  ),
  ...['0', '-1', '1.5', 'x', ''].map((n) => [`pageNumber=${n}`, 'pageNumber'] as const),
  ...['up', 'ASC', ''].map((order) => [`sortOrder=${order}`, 'sortOrder'] as const),
  ...['recipient', 'CREATEDAT', 'appointmentId', '__proto__', ''].map((f) => [`sortField=${f}`, 'sortField'] as const),
];

/** Nulls last in both directions, ties by id in the same direction (D31). */
function sorted(rows: readonly Row[], field: string, order: 'asc' | 'desc'): readonly Row[] {
  const sign = order === 'asc' ? 1 : -1;
  const compare = (one: unknown, other: unknown): number => {
    if (one === other) return 0;
    if (one === undefined) return 1;
    if (other === undefined) return -1;
    return (one as string) < (other as string) ? -sign : sign;
  };
  return rows.toSorted((one, other) => compare(one[field], other[field]) || compare(one.id, other.id));
}

/** Filters, windows, sorting and paging of both notification lists, on any store. */
export function notificationFiltersSuite(name: string, open: OpenStore): void {
  describe(`lists of notifications on ${name}`, () => {
    let host: NotifiedHost;
    const everything: Record<string, readonly Row[]> = {};

    beforeAll(async () => {
      host = await startNotifiedHost(open);
      await madeOfEveryKind(host);
      for (const { path } of lists) everything[path] = await host.all(path, 'applicationId=app-n');
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    const idsOf = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id).sort();

    it('rows of every state, channel and several types and times are there', () => {
      const statuses = everything['/api/notifications/'] ?? [];
      expect(new Set(statuses.map(({ status }) => status)).size).toBe(5);
      expect(new Set(statuses.map(({ channel }) => channel)).size).toBe(3);
      expect(new Set(statuses.map(({ createdAt }) => createdAt)).size).toBeGreaterThan(2);
    });

    describe.each(lists)('$path', ({ path, time, sortFields }) => {
      it.each(filters)('the list filters by %s (D33)', async (query, lets) => {
        const rows = await host.all(path, `applicationId=app-n&${query}`);
        expect(idsOf(rows)).toEqual(idsOf((everything[path] ?? []).filter(lets)));
      });

      it.each(windows)(`the list has the window %s (D35)`, async (query, lets) => {
        const rows = await host.all(path, `applicationId=app-n&${query}`);
        expect(idsOf(rows)).toEqual(idsOf((everything[path] ?? []).filter((row) => lets(String(row[time])))));
      });

      const orders = sortFields.flatMap((field) => (['asc', 'desc'] as const).map((order) => ({ field, order })));
      it.each(orders)(
        'the list sorts by $field $order, ties by id, absent values last (D31)',
        async ({ field, order }) => {
          const { body } = await host.call('GET', `${path}?applicationId=app-n&sortField=${field}&sortOrder=${order}`, {
            as: supervisor,
          });
          expect([body.sortField, body.sortOrder]).toEqual([field, order]);
          const rows = await host.all(path, `applicationId=app-n&sortField=${field}&sortOrder=${order}`);
          expect(rows.map(({ id }) => id)).toEqual(sorted(everything[path] ?? [], field, order).map(({ id }) => id));
        },
      );

      it('the list is by default: the newest first, 20 on the first page (D30, D31)', async () => {
        const { body } = await host.call('GET', `${path}?applicationId=app-n`, { as: supervisor });
        const rows = everything[path] ?? [];
        const { content, ...envelope } = body;
        expect(envelope).toEqual({
          pageCount: Math.ceil(rows.length / 20),
          pageNumber: 1,
          pageSize: 20,
          sortField: time,
          sortOrder: 'desc',
          total: rows.length,
        });
        const newest = sorted(rows, time, 'desc').slice(0, 20);
        expect(content.map(({ id }: Row) => id)).toEqual(newest.map(({ id }) => id));
      });

      it('pages neither repeat nor leave out a row; a page past the end is empty, 200', async () => {
        const rows = everything[path] ?? [];
        const seen: string[] = [];
        const pageCount = Math.ceil(rows.length / 7);
        for (let pageNumber = 1; pageNumber <= pageCount + 1; pageNumber += 1) {
          const query = `applicationId=app-n&sortField=status&pageSize=7&pageNumber=${String(pageNumber)}`;
          const { body } = await host.call('GET', `${path}?${query}`, { as: supervisor });
          expect(body).toMatchObject({ pageCount, pageNumber, pageSize: 7, total: rows.length });
          if (pageNumber > pageCount) expect(body.content).toEqual([]);
          seen.push(...body.content.map(({ id }: Row) => id));
        }
        expect(seen).toEqual(sorted(rows, 'status', 'desc').map(({ id }) => id));
      });

      it('the farthest page that a number in JSON can name is empty, 200, and names itself', async () => {
        const query = 'applicationId=app-n&pageSize=100&pageNumber=9007199254740991';
        const { status, body } = await host.call('GET', `${path}?${query}`, { as: supervisor });
        const rows = everything[path] ?? [];
        expect([status, body.content, body.pageNumber, body.total]).toEqual([
          200,
          [],
          Number.MAX_SAFE_INTEGER,
          rows.length,
        ]);
      });

      it.each(['app-1', 'nowhere', 'APP-N', 'app-n%20'])('the list of %s is empty: 200, total 0 (D30)', async (id) => {
        const { status, body } = await host.call('GET', `${path}?applicationId=${id}`, { as: agent });
        expect([status, body.content, body.total, body.pageCount]).toEqual([200, [], 0, 0]);
      });

      it.each(refused)('the query ?%s is 400, on %s', async (query, parameter) => {
        const whole = parameter === 'applicationId' ? query : `applicationId=app-n&${query}`;
        const { status, body } = await host.call('GET', `${path}?${whole}`, { as: agent });
        expect([status, body.code, body.errors?.[0]?.parameter]).toEqual([400, 'validation_failed', parameter]);
      });
    });
  });
}

/** Appointments at three times whose notifications are delivered, failed, submitted, waiting and taken back. */
async function madeOfEveryKind(host: NotifiedHost): Promise<void> {
  const make = () => created(host, { applicationId: 'app-n', start: '2030-01-03T09:00:00Z' });
  await make();
  host.email.result = outcomes.refused;
  host.sms.result = outcomes.submitted;
  await host.work();
  host.email.result = outcomes.failing;
  host.clock.time += 10_000;
  const { id } = await make();
  await host.work();
  host.clock.time += 10_000;
  await host.call('PUT', `/api/v2/appointments/${id}/cancel`, { as: agent });
  await make();
}
