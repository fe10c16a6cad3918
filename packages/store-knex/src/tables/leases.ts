import type { JobClaim } from '@calends/core/store';
import { columnsOf, tableOf } from './table.js';

const is = columnsOf<JobClaim, number>();

/** Which process does a job that one does at a time, and until when by the clock of all. */
export const leaseTable = tableOf<JobClaim, number>('calends_leases')(
  { job: is.written('text', ({ job }) => job) },
  { holder: is.text('holder'), until_at: is.written('integer', ({ leaseFor }, now) => now + leaseFor) },
);
