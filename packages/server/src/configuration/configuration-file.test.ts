import { createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from './configuration-error.js';
import { readConfigurationFile } from './configuration-file.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calends-configuration-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: unknown) {
  const path = join(folder, 'calends.json');
  writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return readConfigurationFile(path);
}

function faultsOf(content: unknown): readonly string[] {
  try {
    read(content);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

const minute = 60_000;
const whole = {
  organizationId: 'org-1',
  agentsSeeOnlyOwnAppointments: true,
  agentReassignmentEnabled: false,
  allowPastStart: false,
  autoActivation: { enabled: true, leadTime: 'PT30M' },
  agents: ['agent-1', 'agent-2'],
  defaultAgent: 'agent-1',
  locale: 'en_us',
  routing: { type: 'PROVIDERA_CLOUD_FLOW', deploymentId: 'd-1' },
  duration: { min: 'PT1M', max: 'P1D' },
  noShowGrace: 'PT10M',
  overlap: { mode: 'agent', buffer: 'PT5M' },
  customerCancelCutoff: 'PT2H',
  customerRescheduleCutoff: 'PT1H',
  customerMaxReschedules: 3,
  customerCreate: { notifyOthers: false, service: 'required' },
  customerNotificationHeaders: ['x-campaign'],
  staffNotificationHeaders: ['x-campaign', 'x-tenant'],
  notifications: { active: false },
};

const service = {
  title: 'Consultation',
  timezone: 'Europe/Vienna',
  durations: ['PT30M'],
  grid: { step: 'PT15M' },
  requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
};
const shift = { days: ['MO'], from: '09:00', until: '17:00' };
const hours = { timezone: 'Europe/Vienna', weekly: [shift], exceptions: { '2026-12-24': { open: [] } } };
const availability = {
  public: true,
  holds: { anonymous: true, duration: 'PT10M' },
  whenBusySourceFails: 'open',
  services: { 'app-1': { consultation: service } },
  hours: { 'agent-1': hours },
};

describe('the file of CALENDS_CONFIG', () => {
  it('the file of CALENDS_CONFIG holds every setting of an application, durations in ISO 8601', () => {
    expect(read({ applications: { 'app-1': whole } }).applications).toEqual({
      'app-1': {
        ...whole,
        locale: 'en-US',
        autoActivation: { enabled: true, leadTime: 30 * minute },
        duration: { min: minute, max: 24 * 60 * minute },
        noShowGrace: 10 * minute,
        overlap: { mode: 'agent', buffer: 5 * minute },
        customerCancelCutoff: 120 * minute,
        customerRescheduleCutoff: 60 * minute,
      },
    });
  });

  it('the file of CALENDS_CONFIG gives settings that the library takes', () => {
    const file = read({ applications: { 'app-1': whole, 'app-2': {} }, availability });
    const options = { store: memoryStore(), secret: 'a secret of more than thirty-two bytes', ...file };
    expect(() => createScheduling(options)).not.toThrow();
  });

  it('the file of CALENDS_CONFIG holds who may ask for free times, services and hours in the form of the wire', () => {
    const bookingPage = { applicationId: 'app-1', contact: 'phone' };
    expect(read({ bookingPage })).toEqual({ applications: {}, bookingPage });
    expect(read({ availability })).toEqual({
      applications: {},
      availability: { ...availability, holds: { anonymous: true, duration: 10 * minute } },
    });
  });

  it.each<readonly [object, string]>([
    [{ publik: true }, 'publik: is not known; did you mean public?'],
    [{ public: 'yes' }, 'public: must be true or false'],
    [{ holds: { duration: 'PT16M' } }, 'holds.duration: must be from PT1M to PT15M'],
    [{ whenBusySourceFails: 'shut' }, 'whenBusySourceFails: must be closed or open'],
    [
      { services: { a: { s: { ...service, grid: { step: 'PT7M' } } } } },
      'services.a.s.grid.step: must divide 24 hours',
    ],
    [
      { services: { a: { s: { ...service, timezone: 'Mars/Base' } } } },
      'services.a.s.timezone: must be the name of an IANA time zone, or UTC',
    ],
    [
      { services: { a: { s: { ...service, bufferAfte: 'PT5M' } } } },
      'services.a.s.bufferAfte: is not known; did you mean bufferAfter?',
    ],
    [
      { hours: { 'agent-1': { ...hours, weekly: [{ ...shift, until: '09:00' }] } } },
      'hours.agent-1.weekly.0.until: never opens: from and until are the same',
    ],
    [
      { hours: { 'agent-1': { ...hours, exceptions: { 'on Monday': { open: [] } } } } },
      'hours.agent-1.exceptions.on Monday: must be a date, YYYY-MM-DD',
    ],
  ])('the file of CALENDS_CONFIG refuses of availability %j: %s', (given, fault) => {
    expect(faultsOf({ availability: given })).toEqual([`CALENDS_CONFIG: availability.${fault}`]);
  });

  it('the file of CALENDS_CONFIG fills a half-given section with its defaults', () => {
    const { autoActivation, duration } =
      read({ applications: { a: { autoActivation: { enabled: false }, duration: { min: 'PT5M' } } } }).applications[
        'a'
      ] ?? {};
    expect(autoActivation).toEqual({ enabled: false, leadTime: 30 * minute });
    expect(duration).toEqual({ min: 5 * minute, max: 24 * 60 * minute });
  });

  it.each([
    [{}, []],
    ['{ broken', ['CALENDS_CONFIG: the file is not valid JSON: line 1, column 3']],
    ['{\n  "applications": hunter2\n}', ['CALENDS_CONFIG: the file is not valid JSON: line 2, column 19']],
    ['{\r\n  "applications": {},\r\n}', ['CALENDS_CONFIG: the file is not valid JSON: line 3, column 1']],
    ['{ "applications": {}', ['CALENDS_CONFIG: the file is not valid JSON: line 1, column 21']],
    ['// none\n{}', ['CALENDS_CONFIG: the file is not valid JSON: line 1, column 1']],
    ['', ['CALENDS_CONFIG: the file is not valid JSON: line 1, column 1']],
    [[], ['CALENDS_CONFIG: must be an object']],
    [{ aplications: {} }, ['CALENDS_CONFIG: aplications: is not known; did you mean applications?']],
    [{ applications: [] }, ['CALENDS_CONFIG: applications: must be an object of applications by id']],
    [{ applications: { a: 1 } }, ['CALENDS_CONFIG: applications.a: must be an object']],
  ])('the file of CALENDS_CONFIG answers %j with %j', (content, faults) => {
    expect(faultsOf(content)).toEqual(faults);
  });

  it.each([
    [{ agent: [] }, 'agent: is not known; did you mean agents?'],
    [{ colour: 1 }, 'colour: is not known'],
    [{ autoActivation: { leedTime: 'PT1M' } }, 'autoActivation.leedTime: is not known; did you mean leadTime?'],
    [{ autoActivation: { leadTime: 5 } }, 'autoActivation.leadTime: must be a string of 1 to 1024 characters'],
    [{ autoActivation: { leadTime: 'P1Y' } }, 'autoActivation.leadTime: must be an ISO 8601 duration such as PT30M'],
    [{ allowPastStart: 'yes' }, 'allowPastStart: must be true or false'],
    [{ agents: 'agent-1' }, 'agents: must be a list of agent ids'],
    [{ locale: 'not a tag' }, 'locale: must be a BCP 47 language tag such as en-US'],
    [{ routing: { type: 'X' } }, 'routing.type: must be one of PROVIDERA_CLOUD_FLOW, PROVIDERB_DIGITAL_CONNECT'],
    [{ duration: { min: 'PT2H', max: 'PT1H' } }, 'duration: min must not be above max'],
    [{ duration: { max: 'P8D' } }, 'duration.max: must be at most P7D'],
    [{ duration: { min: 'PT0S' } }, 'duration.min: must be longer than PT0S'],
    [{ overlap: { mode: 'all' } }, 'overlap.mode: must be off, agent, customer or both'],
    [{ customerCreate: { service: 'never' } }, 'customerCreate.service: must be optional or required'],
    [{ customerMaxReschedules: -1 }, 'customerMaxReschedules: must be a whole number from 0 on'],
    [{ customerNotificationHeaders: 'x-a' }, 'customerNotificationHeaders: must be a list of names of headers'],
    [
      { staffNotificationHeaders: ['x-a', 'x-api-key'] },
      'staffNotificationHeaders.1: must be the name of a header that may be forwarded',
    ],
    [{ notifications: { active: 1 } }, 'notifications.active: must be true or false'],
    [
      { agents: ['agent-1'], defaultAgent: 'agent-2' },
      'defaultAgent: must be one of the agents that its organization lists',
    ],
  ])('the file of CALENDS_CONFIG refuses the settings %j: %s', (settings, fault) => {
    expect(faultsOf({ applications: { 'app-1': settings } })).toEqual([`CALENDS_CONFIG: applications.app-1.${fault}`]);
  });

  it('the file of CALENDS_CONFIG refuses the name of an application that no request could carry', () => {
    expect(faultsOf({ applications: { ['x'.repeat(65)]: {} } })).toEqual([
      expect.stringContaining('the name of an application must have 1 to 64 characters'),
    ]);
  });

  it('the file of CALENDS_CONFIG lists all faults, and none of the values', () => {
    const faults = faultsOf({ applications: { a: { allowPastStart: 'hunter2', noShowGrace: 'hunter2' } } });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('the file of CALENDS_CONFIG says how long what is over is kept', () => {
    const retention = { events: 'PT0S', notifications: 'P7D', audit: 'P30D' };
    const days = 24 * 60 * minute;
    const expected = { events: 0, notifications: 7 * days, audit: 30 * days };
    expect(read({ retention })).toEqual({ applications: {}, retention: expected });
    expect(faultsOf({ retention: { notifications: 'P6D', audit: 'P29D', requests: 'P1D' } })).toEqual([
      'CALENDS_CONFIG: retention.notifications: must be at least P7D',
      'CALENDS_CONFIG: retention.audit: must be at least P30D',
      'CALENDS_CONFIG: retention.requests: is not known',
    ]);
  });

  it('the file of CALENDS_CONFIG is taken with a byte order mark, and refused where it is not UTF-8', () => {
    expect(read('\uFEFF{ "applications": { "app-1": {} } }')).toEqual({ applications: { 'app-1': {} } });
    const latin1 = Buffer.from('{ "applications": { "Zahnärzte": {} } }', 'latin1');
    expect(faultsOf(latin1)).toEqual(['CALENDS_CONFIG: the file is not UTF-8']);
  });

  it('the file of CALENDS_CONFIG that is nested too deeply to find its fault is no valid JSON', () => {
    expect(faultsOf('['.repeat(100_000))).toEqual([
      expect.stringMatching(/^CALENDS_CONFIG: the file is not valid JSON/) as unknown,
    ]);
  });

  it('the file of CALENDS_CONFIG lets a page book no application but one of its own, where it has some', () => {
    const bookingPage = { applicationId: 'app-l' };
    expect(faultsOf({ applications: { 'app-1': {} }, bookingPage })).toEqual([
      'CALENDS_CONFIG: bookingPage.applicationId: is not one of applications; did you mean app-1?',
    ]);
    expect(faultsOf({ applications: { 'app-l': {} }, bookingPage })).toEqual([]);
    expect(faultsOf({ bookingPage })).toEqual([]);
  });

  it('the file of CALENDS_CONFIG is told what is wrong in our words, where a schema has none of its own', () => {
    const services = { 'app-1': { s: { title: '', timezone: 5, durations: 'x', grid: null, requirements: [] } } };
    const faults = faultsOf({ availability: { services, hours: { 'agent-1': { timezone: 'UTC' } } } });
    const at = 'CALENDS_CONFIG: availability.services.app-1.s';
    expect(faults).toEqual([
      `${at}.title: must not be empty`,
      `${at}.timezone: must be a string`,
      `${at}.durations: must be a list`,
      `${at}.grid: must be an object`,
      `${at}.requirements: must have at least 1 entry`,
      'CALENDS_CONFIG: availability.hours.agent-1.weekly: is required',
    ]);
  });
});
