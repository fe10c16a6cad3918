import type { ConfiguredApplication, SettingsSource } from '@calends/core';

/** Sender of mails that nobody gets: they are written into files. */
const sender = { from: 'Calends <no-reply@localhost>' };

/**
 * Settings outside production: applications without notifications can send one-time passwords, also those that are not
 * configured, so that customers' bookings can be tried without a mail server; of those customers need name no service.
 */
export function developmentSettings(applications: Readonly<Record<string, ConfiguredApplication>>): SettingsSource {
  const known = new Map(
    Object.entries(applications).map(([id, application]) => [
      id,
      // Where notifications are on, a sender would turn mails on, too.
      application.notifications?.active === true
        ? application
        : { ...application, notifications: { email: sender, ...application.notifications } },
    ]),
  );
  const unknown: ConfiguredApplication = {
    notifications: { email: sender },
    customerCreate: { notifyOthers: false, service: 'optional' },
  };
  return {
    find: (applicationId) => known.get(applicationId) ?? unknown,
    organizationIds: () => [...known.values()].flatMap(({ organizationId }) => organizationId ?? []),
  };
}
