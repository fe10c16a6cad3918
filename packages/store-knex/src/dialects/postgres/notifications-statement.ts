import { deliveryEventTable, eventRows, notificationTable } from '../../tables/notifications.js';
import { dequeueStep, enqueueStep, queueReturning, requeueSteps, silenceStep } from './notification-queue.js';
import { assignments, insertApplied, sameKey, statementPart } from './statement-part.js';

const isUnderWay = `n.phase in ('READY', 'RETRY_WAIT', 'SENDING')`;
const isTaken = `n.phase in ('SUBMITTED', 'POLLING')`;

/** Tells whether a cancellation with that message changes a notification of its kind as it is in its phase. */
const isReached = (messageIfTaken: string): string =>
  `(${isUnderWay} or (${isTaken} and n.cancel_requested_at is null and ${messageIfTaken} is not null))`;

/** A cancellation `c` is about the notification `n`, whatever its phase. */
const concerns = `c.organization_id = n.organization_id and c.appointment_id = n.appointment_id
  and (c.types is null or n.type = any(string_to_array(c.types, ' ')))
  and (c.channels is null or n.channel = any(string_to_array(c.channels, ' ')))
  and (c.addressee_id is null or n.addressee_id = c.addressee_id)`;

/** `was` if the notification stays in its phase, else what a cancelled one has. */
const unlessLeft = (was: string, cancelled: string): string =>
  `case when n.phase in ('SENDING', 'SUBMITTED', 'POLLING') then ${was} else ${cancelled} end`;

/** What a notification has by its phase: being sent, taken by a provider, or cancelled. */
const byPhase = (sending: string, taken: string, cancelled: string): string =>
  `case when n.phase = 'SENDING' then ${sending} when ${isTaken} then ${taken} else ${cancelled} end`;

/** The id of the last event of the notification `n`, as `deliveryEventId` makes it. */
export const eventId = `n.id || '-' || lpad(n.event_count::text, greatest(6, length(n.event_count::text)), '0')`;

/**
 * Cancels what is under way, marks what is being sent, and has what a provider took say so.
 *
 * One statement cannot change a row twice. So the cancellations that reach a notification are brought together: the
 * first one cancels it, the first with a message for that tells that it was taken, and one that is being sent gets the
 * last one's time and a revision for each. The phase is
 * looked at when the row is locked, as it is then: somebody may have claimed it since the statement began, or retried
 * by hand one that had failed. Only DELIVERED and CANCELLED are final. What is joined to a row while it is locked are
 * plain rows; a look into another step would not be possible at that moment.
 */
const cancelSteps: readonly string[] = [
  `concerned as (
    select c.position, c.number, c.message, c.message_if_taken, c.at,
      n.organization_id, n.id, n.phase, n.cancel_requested_at
    from applied s join cancels c on c.position = s.position join calends_notifications n on ${concerns}
    where n.status not in ('DELIVERED', 'CANCELLED')
    for update of n)`,
  `reached as (
    select n.position, n.organization_id, n.id, count(*) as times,
      (array_agg(n.message order by n.number))[1] as message,
      (array_agg(n.at order by n.number))[1] as first_at,
      (array_agg(n.at order by n.number desc))[1] as last_at,
      (array_agg(n.message_if_taken order by n.number) filter (where n.message_if_taken is not null))[1]
        as message_if_taken,
      (array_agg(n.at order by n.number) filter (where n.message_if_taken is not null))[1] as taken_at
    from concerned n where ${isReached('n.message_if_taken')}
    group by n.position, n.organization_id, n.id)`,
  `cancelled as (
    update calends_notifications n set
      revision = n.revision + ${byPhase('r.times', '1', '1')},
      cancel_requested_at = ${byPhase('r.last_at', 'r.taken_at', 'n.cancel_requested_at')},
      phase = ${unlessLeft('n.phase', `'DONE'`)},
      status = ${unlessLeft('n.status', `'CANCELLED'`)},
      message = ${byPhase('n.message', 'r.message_if_taken', 'r.message')},
      wake_at = ${unlessLeft('n.wake_at', 'null')},
      next_retry_at = ${unlessLeft('n.next_retry_at', 'null')},
      kept = ${unlessLeft('n.kept', 'null')},
      updated_at = case when n.attempts > 0 then n.updated_at else ${unlessLeft('n.updated_at', 'r.first_at')} end,
      event_count = n.event_count + ${byPhase('0', '1', '1')}
    from reached r where ${sameKey(notificationTable, 'n', 'r')}
    returning n.*, r.position, ${byPhase('null', 'r.taken_at', 'r.first_at')} as told_at)`,
  `inserted_cancel_events as (
    insert into calends_delivery_events (organization_id, id, notification_id, number, application_id,
      appointment_id, type, channel, status, happened_at, scheduled_for, message, attempts, poll_attempts)
    select n.organization_id, ${eventId}, n.id, n.event_count, n.application_id,
      n.appointment_id, n.type, n.channel, n.status, n.told_at, n.scheduled_for, n.message, n.attempts, n.poll_attempts
    from cancelled n where n.told_at is not null)`,
  dequeueStep('cancelled'),
  silenceStep,
];

/** Alternatives in one text: none of them holds a blank. */
const alternatives = (values: readonly string[] | undefined): string | null => values?.join(' ') ?? null;

export const notificationsStatement = statementPart({
  sets: {
    /** `types` and `channels` with a blank between them. */
    cancels: {
      number: 'integer',
      organization_id: 'text',
      appointment_id: 'text',
      types: 'text',
      channels: 'text',
      addressee_id: 'text',
      message: 'text',
      message_if_taken: 'text',
      at: 'integer',
    },
    additions: notificationTable.fields,
    /** To be replaced while they have a revision. */
    replacements: { expected_revision: 'integer', ...notificationTable.fields },
    /** Events of new and replaced notifications. */
    deliveries: deliveryEventTable.fields,
  },
  listed: ['cancels', 'additions', 'replacements', 'deliveries'],
  rows({ change: { organizationId }, notifications }) {
    if (notifications === undefined) return {};
    const { cancel = [], add = [], update } = notifications;
    // The first of several with one key counts, and one statement writes rows in no certain order.
    const added = add.filter(
      ({ next }, index) => add.findIndex((one) => one.next.dedupeKey === next.dedupeKey) === index,
    );
    return {
      cancels: cancel.map(
        ({ appointmentId, types, channels, addresseeId = null, message, messageIfTaken = null, at }, number) => [
          ...[number, organizationId, appointmentId, alternatives(types), alternatives(channels)],
          ...[addresseeId, message, messageIfTaken, at],
        ],
      ),
      additions: added.map(({ next }) => notificationTable.values(next)),
      // Looked for in the organization of the change, whatever the notification says.
      replacements: update && [
        [update.expectedRevision, ...notificationTable.values({ ...update.next, organizationId })],
      ],
      deliveries: [...added, ...(update === undefined ? [] : [update])].flatMap(eventRows),
    };
  },
  // Locks what is to be replaced, and tells which changes are refused because it has another revision by now, or will have
  // once their own cancellations were applied.
  locks: {
    needs: 'replacements',
    steps: (present) => [
      `current_updates as (
        select u.position from calends_notifications n join replacements u on ${sameKey(notificationTable, 'n', 'u')}
        where n.revision = u.expected_revision${
          present.has('cancels')
            ? ` and not exists (select 1 from cancels c where c.position = u.position and ${isReached('c.message_if_taken')} and ${concerns})`
            : ''
        }
        for update of n)`,
      `stale_updates as (
        select position from replacements where position not in (select position from current_updates))`,
    ],
  },
  refused: 'stale_updates',
  effects: {
    cancels: () => cancelSteps,
    additions: () => [
      `inserted_notifications as (${insertApplied(notificationTable, 'additions')}
        on conflict (organization_id, dedupe_key) do nothing ${queueReturning('t.')})`,
      enqueueStep,
    ],
    replacements: () => [
      `updated_notifications as (
        update calends_notifications n set ${assignments(notificationTable, 'u')}
        from replacements u join applied s on s.position = u.position
        where ${sameKey(notificationTable, 'n', 'u')} ${queueReturning('n.')})`,
      ...requeueSteps('updated_notifications'),
    ],
    deliveries: (present) => {
      const written = ['inserted_notifications', 'updated_notifications'].filter((_, index) =>
        present.has(['additions', 'replacements'][index] ?? ''),
      );
      return [
        `inserted_delivery_events as (
          insert into calends_delivery_events (${deliveryEventTable.list})
          select ${deliveryEventTable.list} from deliveries
          where (organization_id, notification_id) in (${written.map((step) => `select organization_id, id from ${step}`).join(' union all ')}))`,
      ];
    },
  },
});
