import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../../../../scripts/sample-event.js';
import { cloudEvent, eventSubject } from './cloud-event.js';

const event = sampleEvent();

describe('A CloudEvent', () => {
  it('A CloudEvent has the id, the time and the appointment of its event, and the event as its data', () => {
    expect(cloudEvent(event, '/calends/test')).toEqual({
      specversion: '1.0',
      id: event.id,
      source: '/calends/test',
      type: 'calends.APCreatedEvent',
      subject: 'appointment-1',
      time: '2030-05-06T07:00:00.000Z',
      datacontenttype: 'application/json',
      partitionkey: 'org-1.app-1.appointment-1',
      data: event,
    });
  });

  it('A CloudEvent names the span of its operation as the extension for traces does', () => {
    const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(cloudEvent({ ...event, data: { ...event.data, traceParent } }, 'calends').traceparent).toBe(traceParent);
  });
});

describe('A subject', () => {
  it.each([
    ['org-1', 'app_1', 'org-1.app_1.appointment-1'],
    ['a.b', '*', 'a%2eb.%2a.appointment-1'],
    ['größe 1', '>', 'gr%C3%B6%C3%9Fe%201.%3E.appointment-1'],
    ["(~!')", '#', '%28%7e%21%27%29.%23.appointment-1'],
  ])(
    'A subject is one word for each of organization %j, application %j and appointment',
    (organizationId, applicationId, subject) => {
      expect(eventSubject({ ...event, organizationId, applicationId })).toBe(subject);
    },
  );

  it('A subject fits into a routing key whatever the ids, and tells long ones apart', () => {
    const long = (end: string) =>
      eventSubject({ ...event, organizationId: `${'ß'.repeat(127)}${end}`, applicationId: 'ß'.repeat(64) });
    expect(long('a').length).toBeLessThanOrEqual(255);
    expect(long('a')).not.toBe(long('b'));
    expect(long('a').split('.')).toHaveLength(3);
  });
});
