import { everySuite } from './suites/all.js';
import { doors } from './support/doors.js';
import { openMemoryStore } from './support/host.js';

everySuite('memory through Express 4.21', async () => ({ ...(await openMemoryStore()), door: doors['Express 4.21'] }));
