import type { AppointmentFields } from '@calends/core/store';
import { expectTypeOf, it } from 'vitest';
import type { appointmentTable } from './appointments.js';

it('each field of an appointment has a column, its schedule several', () => {
  expectTypeOf<Exclude<keyof AppointmentFields, 'schedule'>>().toExtend<
    NonNullable<(typeof appointmentTable)['read']>
  >();
});
