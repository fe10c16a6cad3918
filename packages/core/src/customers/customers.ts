import type { UseCaseContext } from '../use-case/context.js';
import type { CustomerOperations } from './customer-operations.js';
import { eraseCustomer } from './erase-customer.js';
import { exportCustomer } from './export-customer.js';
import { endSession, exchangeManageLink, issueManageLink, revokeManageLink } from './manage-link-operations.js';
import { requestOtp } from './request-otp.js';

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
  };
}
