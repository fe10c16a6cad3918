import { everySuite } from './suites/all.js';
import { doors } from './support/doors.js';
import { openMemoryStore } from './support/host.js';

everySuite('memory through fetch', async () => ({ ...(await openMemoryStore()), door: doors['fetch'] }));
