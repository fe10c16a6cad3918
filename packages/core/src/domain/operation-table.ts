import type { RecordOperation } from './appointments/access-policy.js';

/** What holds for one operation of the library, no matter who calls it and over whatever. */
export interface OperationRow<Audited extends string = AuditOperation> {
  /** Which access rules are asked about the appointment (D21, D23); absent where the operation is on no single one. */
  readonly policy?: RecordOperation;
  /** What the audit record calls it; absent where it tells nothing of it. */
  readonly audited?: Audited;
  /** Whether customers may use it with a manage link (D42). */
  readonly manageProof?: boolean;
  /** Whether they may use it with a join claim (D43). */
  readonly joinProof?: boolean;
  /** Whether it takes an idempotency key (decisions, Across all). */
  readonly idempotent?: boolean;
  /** Whether it takes the version that a change of a service or of hours is meant for; what has access rules takes it anyway. */
  readonly versioned?: boolean;
}

const rows = {
  schedule: { audited: 'schedule', idempotent: true },
  scheduleAsCustomer: { audited: 'scheduleAsCustomer', idempotent: true },
  get: { policy: 'get', audited: 'get', manageProof: true, joinProof: true },
  list: {},
  listEligible: {},
  count: {},
  countOverlapping: {},
  update: { policy: 'update', audited: 'update', idempotent: true },
  activate: { policy: 'activate', audited: 'activate', idempotent: true },
  reschedule: { policy: 'reschedule', audited: 'reschedule', manageProof: true, idempotent: true },
  reassign: { policy: 'reassign', audited: 'reassign', idempotent: true },
  cancel: { policy: 'cancel', audited: 'cancel', manageProof: true, joinProof: true, idempotent: true },
  softDelete: { policy: 'delete', audited: 'softDelete', idempotent: true },
  remove: { policy: 'delete', audited: 'remove', idempotent: true },
  moveInteraction: { policy: 'interact', audited: 'moveInteraction', joinProof: true },
  abort: { policy: 'abort', audited: 'abort' },
  addParticipant: { policy: 'changeParticipants', audited: 'addParticipant' },
  removeParticipant: { policy: 'changeParticipants', audited: 'removeParticipant' },
  confirmParticipant: { policy: 'changeParticipants', audited: 'confirmParticipant' },
  updateParticipant: { policy: 'changeParticipants', audited: 'updateParticipant' },
  // By the library's own worker, which no rule binds.
  automatic: { policy: 'interact', audited: 'automatic' },
  requestOtp: {},
  issueManageLink: { policy: 'update', audited: 'issueManageLink' },
  revokeManageLink: { policy: 'update', audited: 'revokeManageLink' },
  exchangeManageLink: {},
  eraseCustomer: { policy: 'changeParticipants', audited: 'eraseCustomer' },
  exportCustomer: { audited: 'exportCustomer' },
  readCalendarFeed: {},
  listNotifications: {},
  listDeliveryEvents: {},
  pollProperties: {},
  webhookTypes: {},
  retryNotification: { idempotent: true },
  listEndpoints: {},
  getEndpoint: {},
  enableEndpoint: { audited: 'enableEndpoint', idempotent: true },
  disableEndpoint: { audited: 'disableEndpoint', idempotent: true },
  testEndpoint: { audited: 'testEndpoint', idempotent: true },
  replayEndpoint: { audited: 'replayEndpoint', idempotent: true },
  findTimes: {},
  explainTime: {},
  holdTime: { idempotent: true },
  releaseHold: {},
  listServices: {},
  getService: {},
  saveService: { audited: 'saveService', idempotent: true, versioned: true },
  archiveService: { audited: 'archiveService', idempotent: true, versioned: true },
  listHours: {},
  getHours: {},
  saveHours: { audited: 'saveHours', idempotent: true, versioned: true },
  removeHours: { audited: 'removeHours', idempotent: true, versioned: true },
  listExceptions: {},
  saveException: { audited: 'saveException', idempotent: true, versioned: true },
  removeException: { audited: 'removeException', idempotent: true, versioned: true },
} as const satisfies Readonly<Record<string, OperationRow<string>>>;

type Rows = typeof rows;

/** The end of retention, and bookings for which staff passed over rules of the service. */
const furtherAudited = ['expireCustomer', 'scheduleByOverride', 'rescheduleByOverride'] as const;

/** What the audit record tells of. */
export type AuditOperation =
  | Extract<Rows[keyof Rows], { readonly audited: string }>['audited']
  | (typeof furtherAudited)[number];

/** Names of the operations whose row has all of these fields. */
type NamesWith<Fields> = { [Name in keyof Rows]: Rows[Name] extends Fields ? Name : never }[keyof Rows];

type AppointmentRow = Required<Pick<OperationRow, 'policy' | 'audited'>>;

/** An operation of the library. */
export type OperationName = keyof Rows;
/** An operation on one appointment that access rules and the audit record know. */
export type AppointmentOperationName = NamesWith<AppointmentRow>;
/** What customers can do by manage link. */
export type ManageAction = NamesWith<{ readonly manageProof: true }>;
/** What customers can do with a proof. */
export type ProvenOperation = ManageAction | NamesWith<{ readonly joinProof: true }>;

/** Every operation of the library by its name: the one place that says what holds for it. */
export const operationTable: Readonly<Record<OperationName, OperationRow>> = rows;

/** The row of an operation on one appointment. */
export function appointmentRow(name: AppointmentOperationName): OperationRow & AppointmentRow {
  return rows[name];
}

const names = Object.keys(rows) as OperationName[];

/** What customers can do by manage link, as tokens name it (D42). */
export const manageActions: readonly ManageAction[] = names.filter(isManageAction);

/** Tells whether customers may use it with a manage link (D42). */
export function isManageAction(name: OperationName): name is ManageAction {
  return operationTable[name].manageProof === true;
}

/** Tells whether customers may use it with a proof of some kind. */
export function isProvenOperation(name: OperationName): name is ProvenOperation {
  return isManageAction(name) || operationTable[name].joinProof === true;
}

/** Everything that the audit record can tell of. */
export const auditedOperations: readonly AuditOperation[] = [
  ...names.flatMap((name) => operationTable[name].audited ?? []),
  ...furtherAudited,
];
