import { expect, it } from 'vitest';
import { foreignSupervisor, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';
import { everything, notified } from './notified.js';

const applications = {
  'app-1': { organizationId: 'org-1', notifications: { ...everything, poll: { maxAttempts: '3' } } },
};
const endpoint = { applicationId: 'app-1', endpointId: 'crm' };

it('polling settings of another organization are not shown: its application is as unknown as any (D58)', async () => {
  const { notifications } = notified(everything, { applications }).scheduling;
  expect((await notifications.pollProperties(supervisor, 'app-1'))['maxAttempts']).toEqual({
    source: 'APPLICATION',
    value: '3',
  });
  expect(await notifications.pollProperties(foreignSupervisor, 'app-1')).toEqual(
    await notifications.pollProperties(foreignSupervisor, 'nowhere'),
  );
});

it('an endpoint of another organization is not found', async () => {
  const { scheduling } = notified(everything, { applications });
  const admin = caller('ROLE_ADMIN');
  await scheduling.notifications.enableEndpoint(admin, endpoint);
  await expect(
    scheduling.notifications.enableEndpoint({ ...admin, organizationId: 'org-2' }, endpoint),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});
