import { everySuite } from './suites/all.js';
import { doors } from './support/doors.js';
import { openMemoryStore } from './support/host.js';

everySuite('memory through node:http', async () => ({ ...(await openMemoryStore()), door: doors['node:http'] }));
