import { CalendsError } from '@calends/core';
import { StoreError } from '@calends/core/store';
import { timeReasonCodes } from '@calends/core/operations';
import { checkJson, operationById, problemSchema } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal.js';
import { faultOf, problemBody } from './problem.js';

const {
  createAppointment,
  createAppointmentV1,
  createAppointmentAsCustomer,
  createAppointmentAsCustomerV1,
  updateAppointmentV1,
  listAppointments,
  countAppointments,
} = operationById;

function body(thrown: unknown, operation = createAppointment as Parameters<typeof faultOf>[1]) {
  const problem = problemBody(faultOf(thrown, operation), 'request-1');
  expect(problemSchema.parse(problem)).toEqual(problem);
  return problem;
}

describe('a problem (D36)', () => {
  it('a problem has type, title, status, detail, instance, code and request id', () => {
    expect(body(new CalendsError('forbidden', 'Not for you.'))).toEqual({
      type: 'urn:calends:problem:forbidden',
      title: 'This is not permitted',
      status: 403,
      detail: 'Not for you.',
      instance: 'urn:calends:request:request-1',
      code: 'forbidden',
      requestId: 'request-1',
    });
  });

  it('a problem lists the ids of conflicting appointments, and none where the caller may see none (D26)', () => {
    const conflict = new CalendsError('slot_conflict', 'Taken.', { appointmentIds: ['a', 'b'] });
    expect(body(conflict).conflictingAppointmentIds).toEqual(['a', 'b']);
    expect(body(new CalendsError('slot_conflict', 'Taken.')).conflictingAppointmentIds).toEqual([]);
  });

  it('a problem has the reasons for which a time cannot be had, with or without ids, and nothing where there are none (D75)', () => {
    const reasons = [{ code: 'BUSY', actorId: 'agent-1', appointmentId: 'a' }, { code: 'BUSY' }] as const;
    expect(body(new CalendsError('slot_conflict', 'Taken.', { reasons })).reasons).toEqual(reasons);
    expect(body(new CalendsError('not_found', 'x'))).not.toHaveProperty('reasons');
  });

  it.each(timeReasonCodes)('a problem of the contract knows the reason %s of the library (D75)', (code) => {
    expect(body(new CalendsError('slot_conflict', 'Taken.', { reasons: [{ code }] })).reasons).toEqual([{ code }]);
  });

  it.each([
    ['an error of the host', new Error('password=hunter2')],
    ['a text', 'password=hunter2'],
    ['nothing', undefined],
    ['a defect of the core', new CalendsError('internal', 'password=hunter2')],
    ['a fault of a store', new StoreError('unexpected', 'password=hunter2')],
  ])('a problem of %s is 500 without internal text', (_, thrown) => {
    const problem = body(thrown);
    expect(problem).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it.each([
    ['a store that does not answer', new StoreError('unavailable', 'x')],
    ['contention that does not end', new StoreError('contention', 'x')],
    ['a store whose tables are not there yet (D76)', new StoreError('schema', 'x')],
    ['a provider that does not answer', new CalendsError('unavailable', 'x')],
    ['what a host calls temporary', new CalendsError('internal', 'x', { temporary: true })],
  ])('a problem of %s is 503 unavailable, not internal (D75)', (_, thrown) => {
    expect(body(thrown)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(faultOf(thrown, createAppointment).ours).toBe(true);
  });

  it('a problem of the pipeline keeps its errors', () => {
    const refusal = new Refusal('validation_failed', 'x', [
      { parameter: 'If-Match', code: 'invalid_format', detail: 'y' },
    ]);
    expect(body(refusal)).toMatchObject({ status: 400, errors: [{ parameter: 'If-Match' }] });
  });
});

describe('issues of the core point into what the client sent', () => {
  const at = (pointer: string) =>
    new CalendsError('validation_failed', 'x', { issues: [{ pointer, code: 'required', detail: 'y' }] });

  const places = [
    [createAppointment, '/customers/1/contact', { pointer: '/customers/1/contact' }],
    [createAppointmentV1, '/customers/0/contact/primaryEmail', { pointer: '/customer/contact/primaryEmail' }],
    [createAppointmentV1, '/customers', { pointer: '/customer' }],
    [createAppointmentV1, '/start', { pointer: '/start' }],
    [updateAppointmentV1, '/customer/id', { pointer: '/customer/participantId' }],
    [updateAppointmentV1, '/customer/name', { pointer: '/customer/name' }],
    [listAppointments, '/durations/0', { parameter: 'duration' }],
    [listAppointments, '/ranges/2/from', { parameter: 'range' }],
    [listAppointments, '/agentIds', { parameter: 'agentId' }],
    [listAppointments, '/organizerIds/1', { parameter: 'organizerId' }],
    [listAppointments, '/pageSize', { parameter: 'pageSize' }],
    [countAppointments, '/starts/7', { parameter: 'start' }],
    [countAppointments, '/timeFrame', { parameter: 'timeFrame' }],
  ] as const;

  it.each(places.map(([operation, pointer, place]) => ({ id: operation.id, operation, pointer, place })))(
    'issues of the core point into what the client sent of $id: $pointer',
    ({ operation, pointer, place }) => {
      expect(body(at(pointer), operation).errors).toEqual([{ ...place, code: 'required', detail: 'y' }]);
    },
  );

  it('an issue of the service that a customer must name says in v1, which takes none, that it is of v2', () => {
    const { errors = [] } = body(at('/serviceId'), createAppointmentAsCustomerV1);
    expect(errors).toEqual([
      { pointer: '', code: 'required', detail: 'Customers name a service here, which only v2 takes.' },
    ]);
    expect(body(at('/serviceId'), createAppointmentAsCustomer).errors).toMatchObject([{ pointer: '/serviceId' }]);
  });

  it('faults within a map are told once where they are the same, and what else there is beside them', () => {
    const sent: unknown = JSON.parse('{"title":"\\u0000","metadata":{"a":"\\u0000","b":["\\u0000",1e400]}}');
    const { errors = [] } = body(new Refusal('validation_failed', 'x', checkJson(sent)));
    expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/title', 'invalid_characters'],
      ['/metadata', 'invalid_characters'],
      ['/metadata', 'out_of_range'],
    ]);
  });

  it('issues of the core about values of one parameter are told once where they are the same', () => {
    const of = (pointer: string, code: string) => ({ pointer, code, detail: 'y' });
    const issues = [
      of('/durations/0', 'a'),
      of('/durations/1', 'a'),
      of('/durations/2', 'b'),
      of('/ranges/0/from', 'a'),
    ];
    expect(body(new CalendsError('validation_failed', 'x', { issues }), listAppointments).errors).toEqual([
      { parameter: 'duration', code: 'a', detail: 'y' },
      { parameter: 'duration', code: 'b', detail: 'y' },
      { parameter: 'range', code: 'a', detail: 'y' },
    ]);
  });
});

it('a fault of the store is known in bundles, too, which call its class something else', () => {
  const own = Object.getOwnPropertyDescriptor(StoreError, 'name');
  Object.defineProperty(StoreError, 'name', { value: '_class2', configurable: true });
  try {
    expect(faultOf(new StoreError('unavailable', 'away'))).toMatchObject({ status: 503, ours: true });
  } finally {
    if (own !== undefined) Object.defineProperty(StoreError, 'name', own);
  }
});
