import { v7 } from 'uuid';
import type { Ids } from '../ports/ids.js';

/** Random UUIDv7 (RFC 9562), rising within a process (D9). */
export const randomIds: Ids = { next: () => v7() };
