import { ICalCalendar, ICalCalendarMethod } from 'ical-generator';
import type { Appointment } from '../domain/appointments/appointment.js';
import { addEvent } from './icalendar.js';

/** Writes appointments as one calendar (RFC 5545) to subscribe to; the same appointments give the same text. */
export function agentCalendar(appointments: readonly Appointment[]): string {
  const calendar = new ICalCalendar({ prodId: { company: 'calends', product: 'calends' } });
  calendar.method(ICalCalendarMethod.PUBLISH);
  for (const appointment of appointments) addEvent(calendar, appointment);
  return calendar.toString();
}
