import { Appointments } from './appointments.js';
import { AuditRecord } from './audit-record.js';
import { AvailabilityRecords } from './availability-records.js';
import { Challenges } from './challenges.js';
import { Customers } from './customers.js';
import { Holds } from './holds.js';
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
  records: new AvailabilityRecords(),
  holds: new Holds(),
});

export type Tables = ReturnType<typeof newTables>;
