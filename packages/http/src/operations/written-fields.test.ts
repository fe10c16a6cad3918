import type { WrittenFields } from '@calends/core/operations';
import type { ScheduleAppointmentRequest, UpdateAppointmentRequest } from '@calends/http-contract';
import { expectTypeOf, it } from 'vitest';

it('each field that anyone may write into an appointment stands in requests', () => {
  expectTypeOf<keyof WrittenFields>().toExtend<keyof ScheduleAppointmentRequest>();
  expectTypeOf<keyof WrittenFields>().toExtend<keyof UpdateAppointmentRequest>();
});
