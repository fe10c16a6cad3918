import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import { type ConfiguredApplication, Applications, fixedSettings, type SettingsSource } from './settings-source.js';
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

  it('fill what a host set to undefined too', async () => {
    const configured = {
      duration: undefined,
      locale: undefined,
      allowPastStart: true,
    } as unknown as ConfiguredApplication;
    const applications = new Applications({ find: () => configured });
    const expected = { ...defaultApplicationSettings, allowPastStart: true };
    expect(await applications.settingsOf('app-1')).toEqual(expected);
  });

  it('Application settings of one for which the source answers null are the defaults', async () => {
    const source = { find: () => null } as unknown as SettingsSource;
    expect(await new Applications(source).settingsOf('app-1')).toBe(defaultApplicationSettings);
    expect(await new Applications(source).knows('app-1')).toBe(false);
  });

  it('Application settings are asked of the source for every operation', async () => {
    let allowPastStart = false;
    const applications = new Applications({ find: async () => Promise.resolve({ allowPastStart }) });
    expect((await applications.settingsOf('app-1')).allowPastStart).toBe(false);
    allowPastStart = true;
    expect((await applications.settingsOf('app-1')).allowPastStart).toBe(true);
  });
});
