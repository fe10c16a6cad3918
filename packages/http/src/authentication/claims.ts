import { type Caller, type Role, roles as knownRoles } from '@calends/core';
import type { ManageClaims } from '@calends/core/operations';
import { defaultOrganization, isIdText } from '@calends/model';

/** The claims of a verified token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** Turns verified claims into a caller, now or later; `undefined` refuses the token with 401. */
export type ClaimsMapper = (claims: TokenClaims) => Promise<Caller | undefined> | Caller | undefined;

const maxIdLength = 128;
const maxTicketLength = 256;
const maxManageTokenLength = 4096;
const roleNames: ReadonlyMap<unknown, Role> = new Map(knownRoles.map((role) => [role, role]));

/**
 * The default mapper (D40): `sub`, `roles` (else `authorities`, texts or `{authority}`), `organizationId` (absent →
 * `default`), `applicationIds` (absent → all of the organization), `conferenceId`, `ticket_id`,
 * `customer_manage_token`.
 *
 * Only exact role names in an array are roles; anything else there is no role. Every other claim of the wrong type,
 * and a missing `sub`, refuse the token. A host with other claim names wraps it:
 * `claims: (claims) => callerFromClaims({ ...claims, organizationId: claims.tenant })`.
 */
export function callerFromClaims(claims: TokenClaims): Caller | undefined {
  const id = idFrom(claims['sub']);
  const organizationId = idFrom(claims['organizationId'] ?? defaultOrganization);
  const applicationIds = applicationsFrom(claims['applicationIds']);
  const conferenceId = claims['conferenceId'] === undefined ? absent : idFrom(claims['conferenceId']);
  const manage = manageFrom(claims['ticket_id'], claims['customer_manage_token']);
  if (
    id === undefined ||
    organizationId === undefined ||
    applicationIds === undefined ||
    conferenceId === undefined ||
    manage === undefined
  ) {
    return undefined;
  }
  return {
    id,
    organizationId,
    roles: rolesFrom(claims['roles'] ?? claims['authorities']),
    ...(applicationIds === absent ? {} : { applicationIds }),
    ...(conferenceId === absent ? {} : { conferenceId }),
    ...(manage === absent ? {} : { manage }),
  };
}

/** Told apart from `undefined`, which stands for a claim that refuses the token. */
const absent = Symbol('absent');

function idFrom(claim: unknown): string | undefined {
  return isIdText(claim, maxIdLength) ? claim : undefined;
}

function rolesFrom(claim: unknown): readonly Role[] {
  if (!Array.isArray(claim)) return [];
  const found = new Set<Role>();
  for (const entry of claim as readonly unknown[]) {
    const role = roleNames.get(entry) ?? roleNames.get(authorityOf(entry));
    if (role !== undefined) found.add(role);
  }
  return [...found];
}

function authorityOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'authority' in entry ? entry.authority : undefined;
}

function applicationsFrom(claim: unknown): readonly string[] | typeof absent | undefined {
  if (claim === undefined) return absent;
  if (!Array.isArray(claim)) return undefined;
  const ids = (claim as readonly unknown[]).map(idFrom);
  return ids.includes(undefined) ? undefined : ids.filter((id) => id !== undefined);
}

/** One of the two alone is a proof that cannot hold: the other is empty, and the proof is refused as stale (D42). */
function manageFrom(ticket: unknown, token: unknown): ManageClaims | typeof absent | undefined {
  if (ticket === undefined && token === undefined) return absent;
  const ticketId = textOrEmpty(ticket, maxTicketLength);
  const signed = textOrEmpty(token, maxManageTokenLength);
  return ticketId === undefined || signed === undefined ? undefined : { ticketId, token: signed };
}

function textOrEmpty(claim: unknown, maxLength: number): string | undefined {
  if (claim === undefined) return '';
  return isIdText(claim, maxLength) ? claim : undefined;
}
