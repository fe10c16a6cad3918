import { appointmentV1Handlers } from './appointments-v1.js';
import { appointmentV2Handlers } from './appointments-v2.js';
import { customerHandlers } from './customers.js';
import type { Handlers } from './handler.js';
import { notificationHandlers } from './notifications.js';

/** A handler for every operation of the catalogue. */
export const handlers: Handlers = {
  ...appointmentV2Handlers,
  ...appointmentV1Handlers,
  ...notificationHandlers,
  ...customerHandlers,
};
