import type { DeliveryReport, ProviderReference, SendResult } from '../domain/notifications/provider-answers.js';
import { referenceFields } from '../domain/notifications/notification.js';
import { reportRanks } from './report-steps.js';
import { dropRejectionsIn, fieldsOf } from '../support/host-answers.js';

/** An answer of a notifier that is none of those that its port knows: nobody can tell what became of the message. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';

  constructor() {
    super('the notifier answered nothing that can be read');
  }
}

/** A text of which nothing is to be seen says nothing: as an id it would be another one than the message has. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Ids of some providers are numbers. */
const idOf = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : textOf(value);

/** As it is kept, so that an id that is told again is the same one. */
const referenceOf = ({ messageId, conversationId, providerStatus }: ReturnType<typeof fieldsOf>): ProviderReference =>
  referenceFields({
    messageId: idOf(messageId),
    conversationId: idOf(conversationId),
    providerStatus: textOf(providerStatus),
  });

/** Whole milliseconds; a time that is none (`Number` of a date) is no wish. */
const pauseOf = (value: unknown): number | undefined =>
  typeof value === 'number' && !Number.isNaN(value) ? Math.ceil(value) : undefined;

/**
 * The fields of an answer, each read once. What nobody waited for in one of them is read as absent, and its rejection is nobody's.
 *
 * @throws UnreadableAnswer for what throws when it is read
 */
function ownFieldsOf(answer: unknown): ReturnType<typeof fieldsOf> {
  dropRejectionsIn(answer);
  try {
    const { status, state, error, permanent, retryAfter, endpointGone, ...reference } = fieldsOf(answer);
    const { messageId, conversationId, providerStatus } = reference;
    return { status, state, error, permanent, retryAfter, endpointGone, messageId, conversationId, providerStatus };
  } catch {
    throw new UnreadableAnswer();
  }
}

const noReason = 'no reason given';

/**
 * What `send` or `lookUp` of a host has answered, as the port has it: hosts need not compile against the types.
 *
 * @throws UnreadableAnswer when it does not say how the attempt ended
 */
export function readSendResult(answer: unknown): SendResult {
  const fields = ownFieldsOf(answer);
  const { status, error, permanent, retryAfter, endpointGone } = fields;
  const reference = referenceOf(fields);
  switch (status) {
    case 'delivered':
    case 'submitted':
      return { status, ...reference };
    case 'failed':
      return {
        status,
        permanent: permanent === true,
        error: textOf(error) ?? noReason,
        retryAfter: pauseOf(retryAfter),
        endpointGone: endpointGone === true,
        ...reference,
      };
    case 'unknown':
      return { status, error: textOf(error) ?? noReason, ...reference };
    default:
      throw new UnreadableAnswer();
  }
}

/** What a provider may say of a message that it took. */
export const reportStates: readonly string[] = Object.keys(reportRanks);

const isReportState = (value: unknown): value is DeliveryReport['state'] =>
  typeof value === 'string' && Object.hasOwn(reportRanks, value);

/**
 * What `fetchStatus` of a host has answered, or a host hands on of a call of its provider.
 *
 * @throws UnreadableAnswer when it names no state
 */
export function readReport(answer: unknown): DeliveryReport {
  const fields = ownFieldsOf(answer);
  const { state, error } = fields;
  if (!isReportState(state)) throw new UnreadableAnswer();
  return { state, error: textOf(error), ...referenceOf(fields) };
}
