/**
 * The sentences that cases stand for, by the names of their anchors in the guide, which is made of this list.
 * Each is true of every store.
 */
export const rules = {
  complete: 'A store has every method of the levels that it is to conform to.',
  standing: '`check` resolves while the store can be used, and `capabilities` claims what can be shown of it.',
  'round-trip': 'What comes back is what went in: an absent field stays absent, an empty one stays empty.',
  copies: 'What a caller does to an answer, or to what it handed over, changes nothing stored.',
  'code-points': 'Letter case, accents and blanks make a difference, in ids, organizations, filters and sorting.',
  milliseconds:
    'Instants compare to the millisecond: nothing is due, over or in the way a millisecond too early or too late.',
  'organization-first': 'What belongs to another organization is answered like what does not exist.',
  'all-or-nothing': 'A change is written whole, or nothing of it is.',
  versions: 'An update replaces the whole appointment, with its place in lists and in the index of actors.',
  stale: 'A change over another version than the stored one, or of what is not there, is `stale`.',
  removal:
    'A removal takes along what stands beside the appointment, and leaves its events, messages and audit record.',
  'last-look': 'A commit whose signal was aborted before it began writes nothing, and rejects.',
  'event-ids': 'An event whose id is taken makes the commit reject: nothing of it is written, and the next one works.',
  faults: 'A fault is a `StoreError` with one of its codes, and its message has neither SQL nor values.',
  'one-by-one': 'What comes at the same time is decided one by one, and none takes another one down.',
  filters: 'Each filter of a list narrows, and its values are alternatives: an empty one lists nothing.',
  pages: 'A list has the order asked for, ties by id, by code point; each page has the exact total of one state.',
  eligible: 'Eligible are the SCHEDULED appointments, by id: a walk meets none twice.',
  windows:
    'A window counts what is live (`isLive`; `blocksTime` is narrower), half-open: its first instant, not its last.',
  guard:
    'The guard refuses while what blocks (`blocksTime`), of one of its actors, begins before its window ends and ends after it begins.',
  due: 'What is due goes to one claimer at a time, earliest first, until its lease ends; a commit sets when.',
  'next-wake': '`nextWakeAt` is the earliest instant at which something of the kinds asked for can be claimed.',
  walk: 'A walk meets every appointment of all organizations once, by organization, then id.',
  shared: 'Several stores on the same data decide together, as one store does.',
  durable: 'What was committed is there after a restart.',
  requests: 'Of all effects of one request one is committed, with its answer; the others are `requestLost`.',
  'request-expiry': 'An answer that has expired counts as absent, and gives its place to another.',
  purges: 'A purge deletes what is over before its time, at most as many as asked for, and nothing else.',
  profiles: 'Profiles stand beside their appointment, are replaced whole, and go when their participant does.',
  'customer-search':
    'A profile is found by each of its addresses, as it is now, in order of appointment and participant.',
  challenges: 'A subject has one present challenge, which takes the place of the one looked at and is used up once.',
  tries: 'A try is counted before anything is compared: never more than the limit, never of another challenge.',
  tickets: 'A key has one current ticket, which takes the place of the one that was looked at.',
  sessions: 'How often the sessions of a ticket were ended never falls, and stays with its key.',
  revocations: 'A revocation reaches the tickets that were there before the change, and each keeps its first time.',
  proof: 'A change under a proof is committed only while the ticket that was proved is current and not revoked.',
  'ticket-issue': 'A ticket is issued only for an appointment that is there and live, and leaves with it.',
  'countable-tickets': 'Tickets that hold a key are those of its id or of none that still open something.',
  'event-order': 'Of an appointment only the undelivered event of the lowest version is claimed; the others wait.',
  'event-claims': 'A claimed event is nobody else’s before its lease ends, and comes again then, under another token.',
  'event-parking':
    'A parked event waits until it is released, and the later ones of its appointment behind it; nothing else waits.',
  'event-outcomes': 'An outcome counts once, and only under the token of the last claim.',
  'events-unread':
    '`eventsUnread` lets events be born delivered only while nobody has claimed any in the last 30 days; every claim counts.',
  now: 'What is due by the `now` of a change is due at once by the clock of the store; what comes later stays as it is.',
  'notification-changes': 'Of a commit, notifications are cancelled, added and updated, in this order.',
  'dedupe-key':
    'A notification whose `dedupeKey` is taken in its organization is left out with its events; the rest is written.',
  revisions: 'A notification is updated only from the revision that was looked at.',
  cancellations:
    'A cancellation ends what waits and fits all that it asks for; what was handed over, or is done, stays.',
  'sends-in-flight': 'What is being sent keeps its phase, is marked, and is reported once.',
  'notification-claims': 'Due notifications of a channel go to one claimer at a time, earliest first, ties by id.',
  transitions:
    'A claim moves a notification by its phase, counts the attempt, and loses nothing of what it went through.',
  beside: 'Appointment and profile come along as they are now, of the same organization, while they are there.',
  reminders:
    'Released are the reminders that wait for the room of their appointment: due at their time, none later than it was.',
  outcomes: 'An outcome is written with its events, only while its notification has the expected revision.',
  scopes: 'A scope shows everything, what has a record, or what the agent organizes or is assigned to.',
  'kept-messages':
    'Messages to customers of removed records are found while they are to be sent, by organization or appointment.',
  lookups: 'Notifications are found, counted and brought together by their ids, each once.',
  'standing-look': 'The look before a send tells what has changed, and what else is under way to the same recipient.',
  backlog: 'The backlog tells what is not DONE, of all organizations, by channel and phase.',
  endpoints: 'An endpoint has the state that was last recorded under its key.',
  'refusal-order': 'Of several refusals the first is told, in the order of `commitRefusals`.',
  record: 'The audit record keeps every line of every commit, also those of what was removed.',
  refusals: 'A refused call is recorded for an appointment that exists, in the organization and application of it.',
  seals: 'A line is in one seal at most, and seals follow each other by number without a gap.',
  records: 'Services, hours and exceptions are read by kind, scope and id, and change only as they were looked at.',
  busy: 'Busy is what is live of the actors asked for and meets the window, buffers included, and what is held then.',
  buffers: 'A guard with a span keeps the larger of two buffers free, and refuses what a living hold keeps.',
  holds: 'A hold keeps its time until it ends, is used once while it lives, and goes when it is given up.',
  limits: 'A limit counts what is live or held and begins in its window; not what the change writes, uses or gives up.',
  keys: 'A number names one key, which changes only while it is as it was looked at.',
  leases: 'A job has one holder at a time, until its lease ends.',
  retention:
    'A round removes the notifications that are over, with their history, whoever’s they are, and nothing else.',
  trimming: 'The audit record is removed from its beginning only, and the last seal that goes stays as its anchor.',
} as const;

/** The name of a sentence. */
export type Rule = keyof typeof rules;
