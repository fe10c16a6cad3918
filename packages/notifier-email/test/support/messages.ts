import type { EmailMessage, SendAttempt } from '@calends/core/notifier';

export const calendarContent = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Calends//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:5f0c2f4e-9a1d-4c0e-8f57-0d8f3a6f8f11',
  'DTSTAMP:20260504T080000Z',
  'DTSTART:20260505T090000Z',
  'SUMMARY:Gespräch mit Zoë',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** A mail as the core renders it, with what a test changes. */
export function mailWith(change: Partial<EmailMessage> = {}): EmailMessage {
  return {
    channel: 'EMAIL',
    notificationId: '0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10',
    organizationId: 'org-1',
    applicationId: 'app-1',
    appointmentId: '0198a3c2-0000-7c55-9a43-2f6f1e0c9d10',
    type: 'CREATE',
    from: 'Práxis am Markt <termine@practice.example>',
    to: { name: 'Zoë Müller', address: 'zoe@customer.example' },
    subject: 'Ihr Termin am 5. Mai – 9 Uhr',
    text: 'Hallo Zoë,\n\nbis bald.\n.\nEin Punkt allein.',
    html: '<p>Hallo Zoë, bis bald.</p>',
    locale: 'de-AT',
    ...change,
  };
}

/** An attempt that nobody aborts, unless a test brings the signal. */
export function anAttempt(signal: AbortSignal = new AbortController().signal): SendAttempt {
  return { idempotencyKey: '0198a3c2-7d1e-7c55-9a43-2f6f1e0c9d10', attempt: 1, signal };
}
