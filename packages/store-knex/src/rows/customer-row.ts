import type { CustomerProfile, RemovalReason } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, json, optionalText, text } from './fields.js';

/** What is written of a customer's profile. */
export const customerFields = {
  organization_id: 'text',
  appointment_id: 'text',
  participant_id: 'text',
  username: 'text',
  primary_email: 'text',
  primary_phone: 'text',
  first_name: 'text',
  last_name: 'text',
  metadata: 'text',
  removal_reason: 'text',
  removed_at: 'integer',
} as const satisfies Fields;

/** Columns by which a profile is known. */
export const customerKey = ['organization_id', 'appointment_id', 'participant_id'] as const;

/** The values of a profile in the order of {@link customerFields}. */
export function customerValues(profile: CustomerProfile): readonly SqlValue[] {
  return [
    profile.organizationId,
    profile.appointmentId,
    profile.participantId,
    profile.username ?? null,
    profile.primaryEmail ?? null,
    profile.primaryPhone ?? null,
    profile.firstName ?? null,
    profile.lastName ?? null,
    JSON.stringify(profile.metadata),
    profile.removal?.reason ?? null,
    profile.removal?.at ?? null,
  ];
}

const optionalFields = {
  username: 'username',
  primaryEmail: 'primary_email',
  primaryPhone: 'primary_phone',
  firstName: 'first_name',
  lastName: 'last_name',
} as const;

/** The profile of a row, exactly as it was committed; `prefix` begins the names of its columns in a join. */
export function readCustomer(row: Row, prefix = ''): CustomerProfile {
  const optional: Record<string, string> = {};
  for (const [field, column] of Object.entries(optionalFields)) {
    const value = optionalText(row, prefix + column);
    if (value !== undefined) optional[field] = value;
  }
  const profile = {
    organizationId: text(row, `${prefix}organization_id`),
    appointmentId: text(row, `${prefix}appointment_id`),
    participantId: text(row, `${prefix}participant_id`),
    ...optional,
    metadata: json(row, `${prefix}metadata`) as Readonly<Record<string, string>>,
  };
  const reason = optionalText(row, `${prefix}removal_reason`) as RemovalReason | undefined;
  return reason === undefined ? profile : { ...profile, removal: { reason, at: integer(row, `${prefix}removed_at`) } };
}
