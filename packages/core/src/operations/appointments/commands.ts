import type { AppointmentSortField, AppointmentState, InteractionState, PersonType } from '@calends/model';
import type { ErrorData } from '../../domain/appointments/interaction.js';
import type { ServiceFields } from '../availability/service-request.js';
import type { AskedPage } from '../page.js';

/** A text field that may be left out; `null` is the same in creation and clears in updates (D2). */
export type OptionalText = string | null | undefined;

/** How to reach a customer. */
export interface ContactInput {
  readonly primaryEmail?: OptionalText;
  /** E.164; blanks are dropped (D8). */
  readonly primaryPhone?: OptionalText;
}

/** A customer as requests give it; at least one of e-mail, phone and username (D1). */
export interface CustomerInput {
  readonly username?: OptionalText;
  readonly contact?: ContactInput | null | undefined;
  readonly name?: { readonly firstName?: OptionalText; readonly lastName?: OptionalText } | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

/** Routing as requests give it; what is missing comes from the application (D11). */
export interface RoutingInput {
  readonly type?: OptionalText;
  readonly properties?: Readonly<Record<string, string>> | null | undefined;
}

/** What anyone may write into an appointment, at first and later. */
export interface WrittenFields {
  readonly title?: OptionalText;
  readonly notes?: OptionalText;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Input of `schedule` (spec: ScheduleAppointmentRequest; D1). */
export interface ScheduleCommand extends WrittenFields, ServiceFields {
  readonly applicationId: string;
  /** ISO 8601 with `Z` or an offset (D3). */
  readonly start: string;
  /** ISO 8601 day/time duration (D4). */
  readonly duration: string;
  /** IANA name (D5). */
  readonly timezone: string;
  /** 1 to 20. */
  readonly customers: readonly CustomerInput[];
  /** Language tag (D6). Default: that of the application. */
  readonly locale?: OptionalText;
  /** What the conversation is begun with. */
  readonly interaction?:
    | {
        readonly customFields?: Readonly<Record<string, string>> | null | undefined;
        readonly routing?: RoutingInput | null | undefined;
      }
    | null
    | undefined;
  /** JSON text of a flat string map (D7). */
  readonly notificationHeaders?: OptionalText;
  /** Whom it is meant for: an agent takes part, and organizes it where no agent books it (D10). */
  readonly targetAssignment?: { readonly id: string; readonly type?: OptionalText } | null | undefined;
}

/** Input of `update`: absent keeps, empty clears (D2). */
export interface UpdateCommand extends WrittenFields {
  readonly id: string;
  /** A map here, no JSON text as in `schedule` (D7). */
  readonly notificationHeaders?: Readonly<Record<string, string>> | null | undefined;
  /** The customer to change, by participant id. */
  readonly customer?: (CustomerInput & { readonly id: string }) | null | undefined;
}

/** Input of `reschedule` (D2, D20). */
export interface RescheduleCommand extends ServiceFields {
  readonly id: string;
  /** ISO 8601 with `Z` or an offset (D3). */
  readonly start: string;
  /** ISO 8601 day/time duration (D4). */
  readonly duration: string;
  /** IANA name (D5). */
  readonly timezone: string;
  /** Language tag (D6). Absent = stays. */
  readonly locale?: OptionalText;
}

/** Input of `reassign` (D22). */
export interface ReassignCommand {
  readonly id: string;
  /** The new agent. */
  readonly userId: string;
}

/** Input of `cancel` (D16). */
export interface CancelCommand {
  readonly id: string;
  /** At most 1000 characters; kept with the record, and shown to customers. */
  readonly cancelReason?: OptionalText;
}

/** Input of `abort` (D15). */
export interface AbortCommand {
  readonly id: string;
  /** At most 1000 characters; kept with the record. */
  readonly reason: string;
}

/** Input of `moveInteraction`: the move and what it sets (D14). */
export interface MoveInteractionCommand {
  readonly id: string;
  readonly to: Exclude<InteractionState, 'CANCELLED'>;
  /** Who opened the channel or accepted; the caller when absent. */
  readonly actor?: { readonly id: string; readonly type: PersonType } | undefined;
  /** Required for FAILED. */
  readonly errorData?: ErrorData | undefined;
  /** Provider properties to add or replace. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
}

/** Input of `addParticipant`. */
export type AddParticipantCommand =
  | { readonly id: string; readonly agentId: string }
  | { readonly id: string; readonly customer: CustomerInput };

/** Input of `removeParticipant`. */
export interface RemoveParticipantCommand {
  readonly id: string;
  readonly participantId: string;
}

/** Input of `updateParticipant`: the profile of a customer; absent keeps, empty clears. */
export interface UpdateParticipantCommand {
  readonly id: string;
  readonly participantId: string;
  readonly customer: CustomerInput;
}

/** Input of `confirmParticipant`. */
export interface ConfirmParticipantCommand {
  readonly id: string;
  /** Participant id of the customer. */
  readonly participantId: string;
}

/** A range of `start` as requests give it: ISO 8601, one side may be absent (D32). */
export interface RangeInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Filters, sorting and page of `list`, by `start`, `asc`, by default (spec: Endpoints, rule 1). */
export interface ListAppointmentsQuery extends AskedPage<AppointmentSortField> {
  /** Absent = all that the caller's token covers. */
  readonly applicationId?: string | undefined;
  /** Those that one of these agents organizes or is assigned to. Callers who see only their own get these whatever is asked for (D23). */
  readonly agentIds?: readonly string[] | undefined;
  /** Ignored when `agentIds` is given, and for callers who are not supervisors. */
  readonly organizerIds?: readonly string[] | undefined;
  /** One of these lengths, ISO 8601. */
  readonly durations?: readonly string[] | undefined;
  /** Which duration designators the filter takes: days to seconds, or those of ISO 8601 (D4). Default `dayTime`. */
  readonly durationForms?: 'dayTime' | 'iso8601' | undefined;
  /** Starts in one of these ranges. */
  readonly ranges?: readonly RangeInput[] | undefined;
  /** Absent = every state. */
  readonly states?: readonly AppointmentState[] | undefined;
}

/** Windows to count in (D27). */
export interface CountQuery {
  readonly applicationId: string;
  readonly organizationId: string;
  /** 1 to 100 starts, ISO 8601. */
  readonly starts: readonly string[];
  /** ISO 8601 day/time duration, the window after each start. */
  readonly timeFrame: string;
}

/** One counted window. */
export interface WindowCount {
  readonly count: number;
  readonly start: number;
  readonly end: number;
}
