import { Appointments } from './appointments.js';
import { AuditRecord } from './audit-record.js';
import { Challenges } from './challenges.js';
import { Customers } from './customers.js';
import { Notifications } from './notifications.js';
import { Outbox } from './outbox.js';
import { Requests } from './requests.js';
import { Tickets } from './tickets.js';

/** Everything that a memory store keeps. */
export const newTables = () => ({
  appointments: new Appointments(),
  customers: new Customers(),
  requests: new Requests(),
  outbox: new Outbox(),
  notifications: new Notifications(),
  challenges: new Challenges(),
  tickets: new Tickets(),
  audit: new AuditRecord(),
});

export type Tables = ReturnType<typeof newTables>;
