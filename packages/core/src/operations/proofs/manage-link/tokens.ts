import type { Instant } from '@calends/model';
import { type SigningKey, tokenSigner } from '../../../support/signed-token.js';
import type { TicketHolder } from '../../../domain/customers/proofs.js';
import type { Caller } from '../../../domain/calls/caller.js';
import { type ManageAction, manageActions } from '../../../domain/operation-table.js';

/** The signed context of a manage ticket: `customer_manage_token` (D42). */
export interface ManageContext extends TicketHolder {
  readonly ticketId: string;
  readonly actions: readonly ManageAction[];
  /** Whole seconds. */
  readonly expiresAt: Instant;
  /** `sessionsEnded` of the ticket when this session began; absent where the context is no session of ours. */
  readonly session?: number | undefined;
}

/** Signs and reads the tokens of customers with a manage link. */
export interface ManageTokens {
  sign(context: ManageContext): string;
  /** The context of a token that has not expired; `undefined` for whatever is not valid. */
  read(token: string, now: Instant): ManageContext | undefined;
  /** A bearer token for the bearer of a context (D45). */
  signBearer(context: ManageContext): string;
  /** The caller that a bearer token stands for; whether the ticket is still current is not asked here. */
  callerOf(bearer: string, now: Instant): Caller | undefined;
}

/** The tokens under these keys. */
export function manageTokens(keys: readonly SigningKey[]): ManageTokens {
  const contexts = tokenSigner(keys, {
    key: 'manage-token',
    type: 'calends-manage+jwt',
    audience: 'calends:manage',
  });
  const bearers = tokenSigner(keys, {
    key: 'customer-token',
    type: 'calends-customer+jwt',
    audience: 'calends:customer',
  });

  const sign = (context: ManageContext): string =>
    contexts.sign(
      {
        organization: context.organizationId,
        appointment: context.appointmentId,
        participant: context.participantId,
        ticket: context.ticketId,
        actions: context.actions,
        ...(context.session === undefined ? {} : { session: context.session }),
      },
      context.expiresAt,
    );
  const read = (token: string, now: Instant): ManageContext | undefined => {
    const claims = contexts.read(token, now);
    if (claims === undefined) return undefined;
    const { organization, appointment, participant, ticket, actions, exp, session } = claims;
    if (!areStrings([organization, appointment, participant, ticket]) || !Array.isArray(actions)) return undefined;
    return {
      organizationId: String(organization),
      appointmentId: String(appointment),
      participantId: String(participant),
      ticketId: String(ticket),
      actions: manageActions.filter((action) => actions.includes(action)),
      expiresAt: exp * 1000,
      ...(typeof session === 'number' ? { session } : {}),
    };
  };
  return {
    sign,
    read,
    signBearer: (context) =>
      bearers.sign(
        {
          sub: context.participantId,
          organizationId: context.organizationId,
          ticket_id: context.ticketId,
          customer_manage_token: sign(context),
        },
        context.expiresAt,
      ),
    callerOf: (bearer, now) => {
      const claims = bearers.read(bearer, now);
      if (claims === undefined) return undefined;
      const { sub, organizationId, ticket_id: ticketId, customer_manage_token: token } = claims;
      if (typeof sub !== 'string' || typeof organizationId !== 'string') return undefined;
      if (typeof ticketId !== 'string' || typeof token !== 'string') return undefined;
      return { id: sub, organizationId, roles: ['ROLE_CUSTOMER'], manage: { ticketId, token } };
    },
  };
}

function areStrings(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string' && value !== '');
}
