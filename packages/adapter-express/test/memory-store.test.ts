import { everySuite } from './suites/all.js';
import { openMemoryStore } from './support/host.js';

everySuite('the memory store', openMemoryStore);
