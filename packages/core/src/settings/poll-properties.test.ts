import { hours, minutes, notificationChannels, seconds } from '@calends/model';
import { describe, expect, it } from 'vitest';
import { pollPlan, pollProperties, pollPropertyFault, pollPropertyNames } from './poll-properties.js';

const defaults = {
  enabled: 'true',
  initialDelay: 'PT15S',
  interval: 'PT1M',
  backoffFactor: '2',
  maxInterval: 'PT15M',
  maxAttempts: '10',
  timeout: 'PT24H',
};

describe('Poll properties (D58)', () => {
  it('Poll properties are the system defaults where the application sets nothing, and the source marks that', () => {
    const expected = Object.entries(defaults).map(([name, value]) => [name, { source: 'SYSTEM_DEFAULT', value }]);
    expect(pollProperties({})).toEqual(Object.fromEntries(expected));
  });

  it('Poll properties show what the application sets as it wrote it, of a channel under its prefix', () => {
    const properties = pollProperties({ interval: 'PT90S', 'sms.interval': 'PT5S', 'sms.enabled': 'false' });
    expect(properties['interval']).toEqual({ source: 'APPLICATION', value: 'PT90S' });
    expect(properties['sms.interval']).toEqual({ source: 'APPLICATION', value: 'PT5S' });
    expect(properties['sms.enabled']).toEqual({ source: 'APPLICATION', value: 'false' });
    expect(properties['enabled']).toEqual({ source: 'SYSTEM_DEFAULT', value: 'true' });
    expect(Object.keys(properties)).toHaveLength(9);
  });

  it('Poll properties have a name for each property and each channel', () => {
    expect(pollPropertyNames).toHaveLength(7 * (1 + notificationChannels.length));
    expect(new Set(pollPropertyNames).size).toBe(7 * (1 + notificationChannels.length));
  });

  it.each([
    ['enabled', 'true', true],
    ['enabled', 'false', true],
    ['enabled', 'yes', false],
    ['enabled', 'TRUE', false],
    ['sms.enabled', '', false],
    ['interval', 'PT1M', true],
    ['interval', 'PT0S', false],
    ['interval', '60', false],
    ['email.timeout', 'P1D', true],
    ['timeout', '-PT1H', false],
    ['initialDelay', 'PT0.5S', true],
    ['maxInterval', 'a minute', false],
    ['backoffFactor', '1', true],
    ['backoffFactor', '1.5', true],
    ['backoffFactor', '0.5', false],
    ['backoffFactor', '1e9', false],
    ['backoffFactor', 'Infinity', false],
    ['maxAttempts', '1', true],
    ['maxAttempts', '0', false],
    ['maxAttempts', '1.5', false],
    ['webhooks.maxAttempts', '10000', false],
  ] as const)('%s may be %j: %s', (name, value, fits) => {
    expect(pollPropertyFault(name, value) === undefined).toBe(fits);
  });
});

describe('The plan of a channel', () => {
  it('the plan of a channel has the defaults in milliseconds', () => {
    expect(pollPlan({}, 'SMS')).toEqual({
      enabled: true,
      initialDelay: seconds(15),
      interval: minutes(1),
      backoffFactor: 2,
      maxInterval: minutes(15),
      maxAttempts: 10,
      timeout: hours(24),
    });
  });

  it('the plan of a channel takes its own property, else the one of the application, else the default', () => {
    const overrides = { interval: 'PT2M', 'sms.interval': 'PT3M', 'email.enabled': 'false', maxAttempts: '3' } as const;
    const intervals = (['EMAIL', 'SMS', 'WEBHOOKS'] as const).map((channel) => pollPlan(overrides, channel).interval);
    expect(intervals).toEqual([minutes(2), minutes(3), minutes(2)]);
    expect(pollPlan(overrides, 'EMAIL')).toMatchObject({ enabled: false, maxAttempts: 3, timeout: hours(24) });
    expect(pollPlan(overrides, 'SMS').enabled).toBe(true);
  });
});
