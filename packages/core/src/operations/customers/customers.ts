import type { Caller } from '../../domain/calls/caller.js';
import type { CallOptions } from '../call-options.js';
import type { UseCaseContext } from '../context.js';
import type {
  CustomerExport,
  CustomerSelection,
  CustomerSession,
  IssueManageLinkCommand,
  ManageLink,
  ManageLinkQuery,
  RequestOtpCommand,
} from './commands.js';
import { eraseCustomer } from './erase-customer.js';
import { exportCustomer, exportText } from './export-customer.js';
import { endSession, exchangeManageLink, issueManageLink, revokeManageLink } from './manage-links.js';
import { requestOtp } from './request-otp.js';

/** Proofs and personal data of customers. */
export interface CustomerOperations {
  /**
   * Sends a one-time password, if it may and can: not sooner than 60 s after the last, at most 5 in an hour asked for from
   * one address and 20 from all (D44, D66). One that the notifier refused, or that found no place to wait, does not count.
   *
   * Resolves the same way, after the same work, whether the user name is known or not; nothing is written for an application
   * that sends no codes. Rejects with
   * `validation_failed` for what no user name can be, and with a `StoreError` when it cannot be recorded: limits
   * fail closed.
   */
  requestOtp(command: RequestOtpCommand): Promise<void>;
  /**
   * Issues a manage link; an earlier one of this customer ends (D42, D45).
   *
   * Rejects like `update`, and with `validation_failed` when the participant is not a customer of the appointment,
   * `invalid_state` when it was cancelled or aborted.
   */
  issueManageLink(caller: Caller, command: IssueManageLinkCommand, options?: CallOptions): Promise<ManageLink>;
  /** Ends the manage link of a customer; does nothing when there is none. Rejects like `update`. */
  revokeManageLink(caller: Caller, query: ManageLinkQuery, options?: CallOptions): Promise<void>;
  /** Exchanges the code of a link for a bearer token (D45); rejects with `stale_ticket` for whatever is not valid. */
  exchangeManageLink(code: string, options?: Pick<CallOptions, 'correlationId' | 'source'>): Promise<CustomerSession>;
  /**
   * Ends the session of a token of `exchangeManageLink`, and every other one of the same link: no copy of theirs opens anything
   * any more. The link stands. Does nothing for a token that is not valid (any more).
   */
  endSession(token: string): Promise<void>;
  /** The caller that a token of `exchangeManageLink` stands for, or `undefined`; whether its ticket is still current is asked by each operation. */
  verifyCustomerToken(token: string): Caller | undefined;
  /**
   * Removes the personal data of customers: profiles, identities, links, waiting messages (decisions, Across all).
   *
   * For supervisors and client services, else `forbidden`. Safe to repeat. Answers for how many customers of
   * appointments data was removed now.
   */
  erase(caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<number>;
  /** Everything that is held about customers; for supervisors and client services, else `forbidden`. */
  export(caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<CustomerExport>;
  /**
   * JSON text of what `export` answers, read a page at a time while it is taken and never in memory as a whole: for answers of
   * hosts (`pipeline(Readable.from(parts), response)`). Whoever stops taking it stops the reading.
   *
   * What `export` rejects with is thrown before the first part. A fault later is thrown between two parts, after which the text
   * has no end: end the connection without one, so that nobody takes a part for the whole.
   */
  exportText(caller: Caller, selection: CustomerSelection, options?: CallOptions): AsyncIterable<string>;
}

/** The operations on customers' proofs and personal data. */
export function customerOperations(context: UseCaseContext): CustomerOperations {
  return {
    requestOtp: requestOtp(context),
    issueManageLink: issueManageLink(context),
    revokeManageLink: revokeManageLink(context),
    exchangeManageLink: exchangeManageLink(context),
    endSession: endSession(context),
    verifyCustomerToken: (token) => context.manageTokens.callerOf(token, context.clock.now()),
    erase: eraseCustomer(context),
    export: exportCustomer(context),
    exportText: exportText(context),
  };
}
