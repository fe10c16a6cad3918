import type { UseCaseContext } from '../context.js';
import type { CustomerOperations } from './customer-operations.js';
import { eraseCustomer } from '../personal-data/erase-customer.js';
import { exportCustomer } from '../personal-data/export-customer.js';
import { endSession, exchangeManageLink, issueManageLink, revokeManageLink } from './manage-links.js';
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
