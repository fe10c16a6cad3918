import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import { type ConfiguredApplication, Applications, fixedSettings, type SettingsSource } from './settings-source.js';
import { errorOf } from '../../test/error-of.js';
import { defaultApplicationSettings } from '../settings/application-settings.js';

describe('Application settings', () => {
  it('Application settings have the documented defaults', () => {
    expect(defaultApplicationSettings).toEqual({
      agentsSeeOnlyOwnAppointments: true,
      agentReassignmentEnabled: false,
      allowPastStart: false,
      autoActivation: { enabled: true, leadTime: minutes(30) },
      locale: 'en',
      duration: { min: minutes(1), max: hours(24) },
      noShowGrace: minutes(15),
      overlap: { mode: 'off', buffer: 0 },
      customerMaxReschedules: 5,
      customerCreate: { notifyOthers: false },
      customerNotificationHeaders: [],
      notifications: {
        active: false,
        webhooks: [],
        reminders: [hours(24), minutes(30)],
        followUps: [],
        retry: {
          email: [seconds(30), minutes(2), minutes(10), minutes(30)],
          sms: [seconds(30), minutes(2), minutes(10), minutes(30)],
          webhooks: [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10)],
        },
        lateness: { reminder: minutes(5), room: minutes(5), followUp: hours(24) },
        poll: {},
      },
    });
  });

  it('Application settings of an application that is not configured are the defaults', async () => {
    const applications = new Applications(fixedSettings({ 'app-1': { allowPastStart: true } }));
    for (const id of ['app-2', 'APP-1', '__proto__', 'constructor', '']) {
      expect(await applications.settingsOf(id)).toBe(defaultApplicationSettings);
    }
  });

  it('Application settings of a configured one fill what is absent with the defaults', async () => {
    const applications = new Applications(
      fixedSettings({ 'app-1': { allowPastStart: true, organizationId: 'org-1' } }),
    );
    expect(await applications.settingsOf('app-1')).toEqual({
      ...defaultApplicationSettings,
      allowPastStart: true,
      organizationId: 'org-1',
    });
  });

  it('Application settings of several members fill those that are absent with the defaults', async () => {
    const configured: ConfiguredApplication = {
      autoActivation: { enabled: false },
      duration: { max: hours(2) },
      overlap: { mode: 'agent' },
      customerCreate: { service: 'required' },
    };
    expect(await new Applications({ find: () => configured }).settingsOf('app-1')).toEqual({
      ...defaultApplicationSettings,
      autoActivation: { enabled: false, leadTime: minutes(30) },
      duration: { min: minutes(1), max: hours(2) },
      overlap: { mode: 'agent', buffer: 0 },
      customerCreate: { notifyOthers: false, service: 'required' },
    });
  });

  it('Application settings fill what a host set to undefined too', async () => {
    const configured: ConfiguredApplication = {
      duration: { max: undefined },
      overlap: { mode: 'off', buffer: undefined },
      notifications: { webhooks: undefined, retry: { email: undefined } },
      locale: undefined,
      allowPastStart: true,
    };
    const applications = new Applications({ find: () => configured });
    const expected = { ...defaultApplicationSettings, allowPastStart: true };
    expect(await applications.settingsOf('app-1')).toEqual(expected);
  });

  it('Application settings of one for which the source answers null are the defaults', async () => {
    const source = { find: () => null } as unknown as SettingsSource;
    expect(await new Applications(source).settingsOf('app-1')).toBe(defaultApplicationSettings);
    expect(await new Applications(source).knows('app-1')).toBe(false);
  });

  it.each<[string, unknown, string]>([
    ['a string', 'settings', 'applications.app-1: '],
    ['a list', [], 'applications.app-1: '],
    ['false', false, 'applications.app-1: '],
    ['a switch that is a string', { allowPastStart: 'false' }, 'applications.app-1.allowPastStart: '],
    ['bounds that are strings', { duration: { min: '60000' } }, 'applications.app-1.duration.min: '],
    ['bounds that cross', { duration: { min: 2, max: 1 } }, 'applications.app-1.duration: min must not be above max'],
    ['a part that is null', { overlap: null }, 'applications.app-1.overlap: '],
    ['an owner that is null', { organizationId: null }, 'applications.app-1.organizationId: '],
    ['an owner without a name', { organizationId: '' }, 'applications.app-1.organizationId: '],
    ['a grace that is no number', { noShowGrace: NaN }, 'applications.app-1.noShowGrace: '],
    [
      'a secret that is none',
      { notifications: { webhooks: [{ id: 'e', label: 'e', url: 'https://e.example', secret: 's' }] } },
      'applications.app-1.notifications.webhooks.0.secret: ',
    ],
    [
      'a name that is nearly one',
      { allowPastStarts: true },
      'applications.app-1: unknown option allowPastStarts; did you mean allowPastStart?',
    ],
  ])('Application settings of a source are told where they are no settings: %s', async (_what, answer, fault) => {
    const applications = new Applications({ find: () => Promise.resolve(answer) } as SettingsSource);
    for (const ask of [() => applications.settingsOf('app-1'), () => applications.knows('app-1')]) {
      const error = await errorOf(ask);
      expect(error).toMatchObject({ code: 'internal', temporary: false });
      expect((error.cause as TypeError).message).toContain(fault);
      expect(error.message).not.toContain('app-1');
    }
  });

  it('Application settings do not change with an answer that a source changes later', async () => {
    const answer = { allowPastStart: true, agents: ['agent-1'] };
    const applications = new Applications({ find: () => answer });
    const settings = await applications.settingsOf('app-1');
    answer.agents.push('agent-2');
    expect(settings.agents).toEqual(['agent-1']);
  });

  it.each<[string, unknown]>([
    ['a string', 'org-1'],
    ['a list of what is no id', ['org-1', 7]],
    ['a list with an empty id', ['']],
  ])('Organizations of a source are told where they are none: %s', async (_what, answer) => {
    const source = { find: () => undefined, organizationIds: () => Promise.resolve(answer) } as SettingsSource;
    const error = await errorOf(() => new Applications(source).organizationIds());
    expect(error.code).toBe('internal');
    expect((error.cause as TypeError).message).toContain('organizationIds');
  });

  it('Application settings are asked of the source for every operation', async () => {
    let allowPastStart = false;
    const applications = new Applications({ find: async () => Promise.resolve({ allowPastStart }) });
    expect((await applications.settingsOf('app-1')).allowPastStart).toBe(false);
    allowPastStart = true;
    expect((await applications.settingsOf('app-1')).allowPastStart).toBe(true);
  });
});
