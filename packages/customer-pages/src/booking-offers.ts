import type { Scheduling } from '@calends/core';
import type { OfferedService, Visitor } from '@calends/core/operations';
import type { Request } from 'express';
import type { BookingOptions, CustomerPagesOptions } from './options.js';
import { addressOf } from './security/limits.js';

/** What the pages offer to visitors. */
export class BookingOffers {
  readonly applicationId: string;
  /** Where one-time passwords go. */
  readonly contact: 'email' | 'phone';
  readonly #scheduling: Pick<Scheduling, 'availability'>;
  readonly #trustProxy: number;

  constructor(scheduling: Scheduling, options: CustomerPagesOptions, booking: BookingOptions) {
    const { applicationId, contact = 'email' } = booking;
    this.applicationId = applicationId;
    this.contact = contact;
    this.#scheduling = scheduling;
    this.#trustProxy = options.trustProxy ?? 0;
  }

  async services(request: Request): Promise<readonly OfferedService[]> {
    return this.#scheduling.availability.offered(this.visitor(request), { applicationId: this.applicationId });
  }

  /** Pages find and hold for everybody, whatever the HTTP services allow. */
  visitor(request: Request): Visitor {
    return { clientAddress: addressOf(request, this.#trustProxy) ?? '', admitted: true };
  }
}
