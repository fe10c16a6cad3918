import { availabilityOptionsSchema, formatDuration, holdDurations } from '@calends/core/operations';
import * as z from 'zod';
import { duration, section, yesOrNo } from './setting-forms.js';

const { services, hours } = availabilityOptionsSchema.shape;
const { min, max } = holdDurations;

/** What `CALENDS_CONFIG` may say about free times. Services and hours have the form that they have over HTTP. */
export const availabilitySchema = section({
  public: yesOrNo().exactOptional(),
  holds: section({
    anonymous: yesOrNo().exactOptional(),
    duration: duration
      .refine((milliseconds) => milliseconds >= min && milliseconds <= max, {
        error: `must be from ${formatDuration(min)} to ${formatDuration(max)}`,
      })
      .exactOptional(),
  }).exactOptional(),
  whenBusySourceFails: z.enum(['closed', 'open'], { error: 'must be closed or open' }).exactOptional(),
  services,
  hours,
});
