/** A customer who asks for a one-time password by a user name that is no address. */
export interface CustomerQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly username: string;
}

/** Where a one-time password goes; e-mail is preferred where both are given. */
export interface CustomerContact {
  readonly email?: string | undefined;
  /** E.164. */
  readonly phone?: string | undefined;
  /** Canonical BCP 47; default the application's. */
  readonly locale?: string | undefined;
}

/**
 * Finds the addresses of customers by their user names; the host's own customer records (D44).
 *
 * User names are compared by code point: each spelling has its own code, and its own limits of sending and of tries. So let it know
 * one spelling of each, and answer `undefined` for `Maria` where the user name is `maria`: databases often find both.
 */
export interface CustomerDirectory {
  /** `undefined` for a user name that the host does not know; the asker cannot tell the difference. */
  contactOf(query: CustomerQuery): Promise<CustomerContact | undefined> | CustomerContact | undefined;
}
