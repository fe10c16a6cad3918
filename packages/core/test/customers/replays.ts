import type { Caller } from '../../src/index.js';
import type { ManageLink } from '../../src/operations.js';
import { agentOne, booked, maria, supervisor } from '../fixtures.js';
import { alteredEnds } from './hostile-tokens.js';
import { hostCaller, type ManageFixture } from './manage-fixture.js';

/** What somebody tries who holds, or held, a link. */
export type Replay = (base: ManageFixture, link: ManageLink) => Promise<{ readonly by: Caller; readonly id: string }>;

const same = (base: ManageFixture, link: ManageLink, more: Partial<Caller> = {}) => ({
  by: hostCaller(link, more),
  id: base.made.id,
});
const query = ({ made, mariasId }: ManageFixture) => ({ appointmentId: made.id, participantId: mariasId });

type Replays = readonly (readonly [string, Replay])[];

/** Links that hold, used for what they are not for. */
export const misuses: Replays = [
  ['on another appointment', async (base, link) => ({ by: hostCaller(link), id: (await booked(base)).id })],
  [
    'on another appointment of the same customer',
    async (base, link) => ({ by: hostCaller(link), id: (await booked(base, { customers: [maria] })).id }),
  ],
  [
    'on an unknown appointment',
    async (_, link) => {
      const id = '019a3f5c-7b1e-7c3d-8a4f-000000000000';
      return Promise.resolve({ by: hostCaller(link), id });
    },
  ],
  ['on an id that is none', async (_, link) => Promise.resolve({ by: hostCaller(link), id: "' OR 1=1 --" })],
  ['in another organization', async (base, link) => Promise.resolve(same(base, link, { organizationId: 'org-2' }))],
  [
    'on the appointment of another organization',
    async (base, link) => {
      const foreign = await booked(base, {}, { ...agentOne, organizationId: 'org-2' });
      return { by: hostCaller(link, { organizationId: 'org-2' }), id: foreign.id };
    },
  ],
  [
    'with the ticket of the other customer',
    async (base, link) => {
      const { ticketId } = await base.issue({ participantId: base.elenisId });
      return same(base, { ...link, ticketId });
    },
  ],
  [
    'with the signed context of the other customer',
    async (base, link) => {
      const { customerManageToken } = await base.issue({ participantId: base.elenisId });
      return same(base, { ...link, customerManageToken });
    },
  ],
  ['without a ticket', async (base, link) => Promise.resolve(same(base, { ...link, ticketId: '' }))],
  [
    'with another spelling of the ticket',
    async (base, link) => Promise.resolve(same(base, { ...link, ticketId: alteredEnds(link.ticketId, 1)[0]! })),
  ],
  ['without a signed context', async (base, link) => Promise.resolve(same(base, { ...link, customerManageToken: '' }))],
  [
    'with ticket and context the other way round',
    async (base, { ticketId, customerManageToken, ...link }) =>
      Promise.resolve(same(base, { ...link, ticketId: customerManageToken, customerManageToken: ticketId })),
  ],
  [
    'with the join token in the place of the context',
    async (base, link) => {
      const activated = await base.appointments.activate(agentOne, base.made.id);
      const details = await base.scheduling.access.detailsOf(activated);
      return same(base, { ...link, customerManageToken: details?.secureToken ?? '' });
    },
  ],
  [
    'with the bearer token in the place of the context',
    async (base, link) => {
      const { token } = await base.customers.exchangeManageLink(link.code);
      return same(base, { ...link, customerManageToken: token });
    },
  ],
];

/** Links that held once. */
export const endings: Replays = [
  [
    'after another link was issued',
    async (base, link) => {
      await base.issue();
      return same(base, link);
    },
  ],
  [
    'after it was revoked',
    async (base, link) => {
      await base.customers.revokeManageLink(agentOne, query(base));
      return same(base, link);
    },
  ],
  [
    'after it has ended',
    async (base, link) => {
      base.clock.set(link.expiresAt);
      return Promise.resolve(same(base, link));
    },
  ],
  [
    'after the appointment was cancelled',
    async (base, link) => {
      await base.appointments.cancel(agentOne, { id: base.made.id });
      return same(base, link);
    },
  ],
  [
    'after the customer cancelled',
    async (base, link) => {
      await base.appointments.cancel(hostCaller(link), { id: base.made.id });
      return same(base, link);
    },
  ],
  [
    'after the appointment was aborted',
    async (base, link) => {
      await base.appointments.abort(supervisor, { id: base.made.id, reason: 'no room' });
      return same(base, link);
    },
  ],
  [
    'after the appointment was removed for good',
    async (base, link) => {
      await base.appointments.remove(supervisor, base.made.id);
      return same(base, link);
    },
  ],
  [
    'after the customer left',
    async (base, link) => {
      await base.appointments.removeParticipant(agentOne, { id: base.made.id, participantId: base.mariasId });
      return same(base, link);
    },
  ],
  [
    'after the e-mail address of the customer changed',
    async (base, link) => {
      const contact = { primaryEmail: 'maria@new.example' };
      await base.appointments.update(agentOne, { id: base.made.id, customer: { id: base.mariasId, contact } });
      return same(base, link);
    },
  ],
  [
    'after the phone number of the customer changed',
    async (base, link) => {
      const { id } = base.made;
      const customer = { contact: { primaryPhone: '+306900000000' } };
      await base.appointments.updateParticipant(agentOne, { id, participantId: base.mariasId, customer });
      return same(base, link);
    },
  ],
  [
    'after the data of the customer was erased',
    async (base, link) => {
      await base.customers.erase(supervisor, query(base));
      return same(base, link);
    },
  ],
];
