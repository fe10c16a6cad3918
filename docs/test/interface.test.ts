import { type Operation, openApiDocument, operations, optionalOperations } from '@calends/http-contract';
import { notificationChannels, notificationStates, notificationTypes, timeReasonCodes } from '@calends/model';
import { appointmentStates } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { filesLike, read } from './documents.js';

const pages = {
  appointments: read('docs/interface/appointments.md'),
  notifications: read('docs/interface/notifications.md'),
  availability: read('docs/interface/availability.md'),
};
type Page = keyof typeof pages;
const bases: Readonly<Record<Page, string>> = {
  appointments: '/api/v2/appointments',
  notifications: '/api/notifications',
  availability: '/api/v2',
};

/** Nothing of availability is in the documents: all of it is on its page. The other pages leave out what hosts turn on. */
const isOnPage = ({ family, optional }: Operation): boolean => family === 'availability' || optional === undefined;

/** The text below a heading, up to the next one, by the name of the heading. */
function sections(page: Page): ReadonlyMap<string, string> {
  const parts = pages[page].split(/^#{2,4} /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]));
}

/** Rows of the tables of a section, each by the names of its columns; code without its ticks. */
function rows(page: Page, heading: string): readonly Readonly<Record<string, string>>[] {
  const lines = sections(page).get(heading)?.split('\n') ?? [];
  const cells = (line: string): readonly string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
  let names: readonly string[] | undefined;
  return lines.flatMap((line) => {
    if (!line.startsWith('|')) names = undefined;
    else if (names === undefined) names = cells(line);
    else if (!/^\| *-/.test(line)) return [Object.fromEntries(names.map((name, at) => [name, cells(line)[at] ?? '']))];
    return [];
  });
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const schemas = openApiDocument({ include: optionalOperations }).components['schemas'] as Readonly<
  Record<string, Schema>
>;

/** The one type that a field has when it is not null, as the pages name types. */
function typeOf({ type, format, $ref, anyOf = [] }: Schema): string {
  const [only] = anyOf.filter((each) => each.type !== 'null');
  if (only !== undefined) return typeOf(only);
  if ($ref !== undefined) return 'object';
  return format === 'date-time' ? format : String([type].flat().find((each) => each !== 'null'));
}

const described: readonly (readonly [Page, string, string])[] = [
  ['appointments', 'Appointment', 'AppointmentResponse'],
  ['appointments', 'Interaction', 'Interaction'],
  ['appointments', 'ScheduleAppointmentRequest', 'ScheduleAppointmentRequest'],
  ['appointments', 'Customer object', 'Customer'],
  ['appointments', 'UpdateAppointmentRequest', 'UpdateAppointmentRequest'],
  ['appointments', 'ReassignAppointmentRequest', 'ReassignAppointmentRequest'],
  ['appointments', 'RescheduleAppointmentRequest', 'RescheduleAppointmentRequest'],
  ['appointments', 'CancelAppointmentBody', 'CancelAppointmentBody'],
  ['appointments', 'Paged envelope', 'FindAppointmentsResponsePaged'],
  ['appointments', 'Count item', 'AppointmentCountResponse'],
  ['notifications', 'NotificationStatus', 'NotificationStatus'],
  ['notifications', 'NotificationEvent', 'NotificationEvent'],
  ['notifications', 'NotificationRecipient', 'NotificationRecipient'],
  ['availability', 'Offers', 'Offers'],
  ['availability', 'Offer', 'Offer'],
  ['availability', 'Explanation', 'Explanation'],
  ['availability', 'HoldRequest', 'HoldRequest'],
  ['availability', 'HeldTime', 'HeldTime'],
  ['availability', 'Service', 'Service'],
  ['availability', 'ServiceRules', 'ServiceRules'],
  ['availability', 'Hours', 'Hours'],
  ['availability', 'HoursRules', 'HoursRules'],
  ['availability', 'HoursException', 'HoursException'],
];

describe('the fields on the pages of the interface are those of the catalogue', () => {
  it.each(described)('on the page of %s the fields of %s are those of %s', (page, heading, name) => {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    const written = rows(page, heading).flatMap(({ Field, Type, Always, Needed }) =>
      Field === undefined ? [] : [{ field: Field, type: Type, required: (Always ?? Needed) === 'yes' }],
    );
    const declared = Object.entries(properties).map(([field, schema]) => ({
      field,
      type: typeOf(schema),
      required: required.includes(field),
    }));
    const byField = (one: { field: string }, other: { field: string }): number => (one.field < other.field ? -1 : 1);
    expect([...written].sort(byField)).toEqual([...declared].sort(byField));
  });
});

describe('the operations on the pages of the interface are those of the catalogue', () => {
  it.each([
    ['appointments', 'v2 operations', 'v2'],
    ['notifications', 'Endpoints', 'notifications'],
    ['availability', 'Operations', 'availability'],
  ] as const)('on the page of %s the operations under "%s" are those of the catalogue', (page, heading, family) => {
    const written = rows(page, heading).map(({ Operation, Method, Path, Success, 'Documented errors': errors }) =>
      [Operation, Method, Path, Success, errors].join(' '),
    );
    const declared = operations
      .filter((each) => each.family === family && isOnPage(each))
      .map(({ id, method, path, success, statuses }) => {
        const errors = statuses.filter((status) => status !== success.status).join(', ');
        return [id, method, path.slice(bases[page].length), success.status, errors].join(' ');
      });
    expect([...written].sort()).toEqual([...declared].sort());
  });

  it('v1 has the operations of v2 but cancel', () => {
    const idsOf = (family: string): readonly string[] =>
      operations.filter((each) => each.family === family && each.optional === undefined).map(({ id }) => id);
    expect(idsOf('v1')).toEqual(idsOf('v2').flatMap((id) => (id === 'cancelAppointment' ? [] : [`${id}V1`])));
  });

  it('the page of availability has the roles, parameters and reasons of the catalogue', () => {
    const ours = operations.filter(({ family }) => family === 'availability');
    const told = rows('availability', 'Authentication').map(({ Operation, Roles }) => [Operation, Roles]);
    const declared = ours.map(({ id, roles }) => [
      id,
      roles.map(({ role, when }) => (when === undefined ? role : `${role} (${when})`)).join(', '),
    ]);
    expect(told).toEqual(declared);
    const parameters = rows('availability', 'Query parameters').map(({ Parameter }) => Parameter);
    expect(parameters).toEqual([...new Set(ours.flatMap(({ query }) => Object.keys(query?.shape ?? {})))]);
    expect(rows('availability', 'Reasons').map(({ Reason }) => Reason)).toEqual(timeReasonCodes);
  });

  it.each(['appointments', 'notifications'] as const)('the page of %s has the roles of the catalogue', (page) => {
    const table = new Map(rows(page, 'Authentication').map(({ Operation = '', Roles }) => [Operation, Roles]));
    const family = operations.filter(
      ({ path, optional }) =>
        path.startsWith(bases[page].replace('/v2', '')) || (path.startsWith(bases[page]) && optional === undefined),
    );
    const faults = family.flatMap(({ id, roles, optional, useCase }) => {
      // Whom the documents let count is a contradiction (D28).
      if (optional !== undefined || useCase === 'count') return [];
      const declared = roles.map(({ role, when }) => (when === undefined ? role : `${role} (${when})`));
      const written = table.get(id) ?? table.get(id.replace(/V1$/, ''));
      const none = written?.startsWith('none') === true && declared.length === 0;
      return none || written === declared.join(', ') ? [] : [{ id, written, declared }];
    });
    expect(faults).toEqual([]);
  });

  it.each(['appointments', 'notifications'] as const)(
    'on the page of %s the list of errors has every documented status',
    (page) => {
      const documented = operations.filter(
        ({ path, optional }) => path.startsWith(bases[page]) && optional === undefined,
      );
      const statuses = new Set(documented.flatMap((each) => each.statuses.filter((status) => status >= 400)));
      expect(rows(page, 'Errors').map(({ Status }) => Number(Status))).toEqual([...statuses].sort());
    },
  );
});

describe('the sets on the pages of the interface are those of the code', () => {
  const namesIn = (text = ''): readonly string[] => text.split(', ');
  const set = (name: string) =>
    namesIn(rows('notifications', 'Query parameters').find(({ Set: title }) => title === name)?.['Values']);
  const states = (page: Page) =>
    rows(page, 'States and transitions').flatMap((row) => row['State'] ?? row['Status'] ?? []);

  it('the pages have the states, types and channels of the code', () => {
    expect(states('appointments')).toEqual(appointmentStates);
    expect(states('notifications')).toEqual(notificationStates);
    expect(set('type')).toEqual(notificationTypes);
    expect(set('channel')).toEqual(notificationChannels);
  });

  it('the pages have the parameters of the lists of the code', () => {
    const parametersOf = (id: string) =>
      Object.keys(operations.find((each) => each.id === id)?.query?.shape ?? {}).sort();
    const written = rows('notifications', 'Query parameters').flatMap(({ Parameter }) => Parameter ?? []);
    expect([...written].sort()).toEqual(parametersOf('listNotifications'));
    expect([...written].sort()).toEqual(parametersOf('listNotificationEvents'));
    const [, rule = ''] = /^1\. (.*?)\n {3}- /ms.exec(pages.appointments) ?? [];
    const named = Array.from(rule.matchAll(/`(\w+)`/g), ([, name = '']) => name);
    expect([...named].sort()).toEqual(parametersOf('listAppointmentsV1'));
  });
});

/** What a citation such as `(spec: Endpoints, rules 7, 9; D20)` names: places of a page. */
function placesOf(
  words: string,
  page: Page,
): readonly { readonly page: Page; readonly heading: string; readonly rules: readonly string[] }[] {
  return words.split(/; /).flatMap((part) => {
    const other = /^(notification|appointment) spec: /.exec(part);
    const [heading = '', ...rest] = (other === null ? part : part.slice(other[0].length)).split(/, | and /);
    if (/^D\d/.test(heading)) return [];
    const named = rest.filter((each) => !each.startsWith('D')).join(' ');
    return [
      {
        page: other?.[1] === 'notification' ? 'notifications' : page,
        heading,
        rules: named.match(/(?<![\w"])\d+\b/g) ?? [],
      },
    ];
  });
}

describe('a citation of the interface', () => {
  const files = filesLike(/^(?:packages|docs|scripts)\/.*(?<!interface\.test)\.(?:ts|mjs|md)$/).filter(
    (path) => !path.startsWith('docs/interface/'),
  );
  const cited = files.flatMap((file) =>
    Array.from(
      read(file)
        .replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')
        .matchAll(/\b(notification )?spec: ([A-Z][^().]*)/g),
      ([, notification, words = '']) => ({
        file,
        words,
        page: notification === undefined ? ('appointments' as const) : ('notifications' as const),
      }),
    ),
  );

  it('a citation of the interface leads to a heading, and to a rule below it', () => {
    expect(cited.length).toBeGreaterThan(100);
    const faults = cited.flatMap(({ file, words, page }) =>
      placesOf(words, page).flatMap(({ page: on, heading, rules }) => {
        const found = [...sections(on)].find(([name]) => name === heading || name.startsWith(`${heading} `));
        // The rules of the endpoints stand below the tables of v2.
        const text = heading === 'Endpoints' ? sections(on).get('v2 operations') : found?.[1];
        const missing = rules.filter((rule) => text?.includes(`\n${rule}. `) !== true);
        return found === undefined || missing.length > 0 ? [{ file, words, heading, missing }] : [];
      }),
    );
    expect(faults).toEqual([]);
  });
});
