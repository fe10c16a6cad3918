import { defaultOrganization, isWellFormedId, limits } from '@calends/model';
import { limitGuards } from '../../availability/choose-actors.js';
import type { Slot } from '../../availability/slot-rules.js';
import { denialOfChange, refuse } from '../../domain/appointments/access-policy.js';
import { requireReschedulable } from '../../domain/appointments/lifecycle.js';
import { type Caller, hasRole, isStaff, mayUseApplication } from '../../domain/calls/caller.js';
import { requireEnd } from '../../domain/appointments/schedule.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { holdsAt } from '../../ports/clock.js';
import type { AvailabilityStore, Hold } from '../../ports/store/availability.js';
import type { Change, CommitRefusal } from '../../ports/store/commit.js';
import { holdDurations } from '../../settings/availability-options.js';
import type { CallOptions } from '../call-options.js';
import type { UseCaseContext } from '../context.js';
import { type Completion, once, requestInProgress } from '../once.js';
import { limitReached, slotConflict } from '../overlap.js';
import { staleTicket } from '../proofs/manage-link/tickets.js';
import { insist } from '../unit-of-work.js';
import { type Asker, askerOf, requireDuration } from './asker.js';
import type { HeldTime, HoldCommand, ReleaseCommand, Visitor } from './commands.js';
import { factsOf } from './facts.js';
import { readTime, wantedBy } from './find.js';
import { holdOwner, type HoldOwner, ownerLimit } from './hold-owner.js';
import { chooseKnown } from './known-agents.js';
import { refusal } from './reasons.js';
import { requireRoom } from './access.js';
import { Tries } from './tries.js';

/** What is answered and kept: without the token, which is derived. */
type Kept = Omit<HeldTime, 'token'>;

/** One call of `hold`. */
interface HoldCall {
  readonly asker: Asker;
  readonly command: HoldCommand;
  readonly slot: Slot;
  readonly owner: HoldOwner;
  /** The hold that is given up. */
  readonly replaced: string | undefined;
  readonly options: CallOptions | undefined;
  readonly complete: Completion<Kept>;
  readonly tries: Tries;
}

/** Keeps a time for who is about to book it. */
export function holdTime(context: UseCaseContext) {
  const { holdTokens } = context;
  return async (by: Caller | Visitor, command: HoldCommand, options?: CallOptions): Promise<HeldTime> => {
    const { asker, asked: slot } = await askerOf(context, by, {
      named: command,
      opened: ({ options: { holds } }) => holds?.anonymous,
      read: (issues) => {
        issues.text('/replaces', command.replaces, limits.holdToken);
        return readTime(command, issues);
      },
      options,
    });
    requireDuration(asker, slot.end - slot.start);
    requireEnd(slot);
    const { replaces } = command;
    const replaced = replaces === undefined ? undefined : holdTokens.read(replaces)?.holdId;
    if (replaces !== undefined && replaced === undefined) throw noHold();
    const owner = holdOwner(context, asker, by);
    const { organizationId, proof } = asker;
    const formerIds = owner.formerKeys;
    const request = { caller: { organizationId, id: owner.key }, formerIds, command, options, proof };
    const kept = await once<Kept>(context, request, (complete) => {
      const call = { asker, command, slot, owner, replaced, options, complete, tries: new Tries() };
      return insist('time', () => attemptHold(context, call));
    });
    return { ...kept, token: holdTokens.tokenOf({ holdId: kept.id, appointmentId: asker.appointment?.id }) };
  };
}

/** One round; `undefined` when somebody else took the time of who was chosen. */
async function attemptHold(context: UseCaseContext, call: HoldCall): Promise<Kept | undefined> {
  const { asker, command, slot, owner, replaced, options, complete, tries } = call;
  const { organizationId, caller, appointment, proof, settings } = asker;
  const { clock } = context;
  if (caller !== undefined && appointment !== undefined) {
    // What is not moved any more, or not by its customer, needs no time.
    const now = clock.now();
    refuse(denialOfChange('reschedule', { caller, appointment, settings, now }));
    requireReschedulable(appointment, now);
  }
  const window = { from: slot.start, to: slot.end };
  const wanted = { ...wantedBy(asker, command), window, isChoosing: true, exceptHoldId: replaced };
  const { applicationId } = command;
  const place = { organizationId, applicationId, appointment };
  const question = await factsOf(context, wanted);
  const choice = await chooseKnown(context.agentDirectory, place, { question, slot });
  if (!choice.free) throw await refusal(context, choice, staffIn(asker));
  const { chosen } = choice;
  tries.begin(chosen);
  const { before, after } = question.service.buffers;
  const hold: Hold = {
    id: context.ids.next(),
    organizationId,
    applicationId,
    serviceId: command.serviceId,
    start: slot.start,
    end: slot.end,
    busy: { from: slot.start - before, to: slot.end + after },
    agentIds: chosen.agentIds,
    resourceIds: chosen.resourceIds,
    ownerKey: owner.key,
    until: clock.now() + (asker.room.options.holds?.duration ?? holdDurations.standard),
  };
  const answer = shown(hold, asker);
  if (proof?.guard === undefined) await proof?.requireHeld();
  const released = replaced === undefined ? [] : [replaced];
  const change: Change = {
    organizationId,
    // The time of the appointment that is moved is not in its own way.
    appointment: appointment && { kind: 'keep', appointmentId: appointment.id },
    events: [],
    proof: proof?.guard,
    request: complete(answer),
    guard: {
      actorIds: [...hold.agentIds, ...hold.resourceIds],
      window: hold.busy,
      span: window,
      exceptHoldIds: released,
    },
    limits: [ownerLimit(owner), ...limitGuards(question, slot, chosen)],
    holds: { add: hold, release: released },
    holdsAt: holdsAt(clock),
  };
  const result = await context.store.commit(change, { signal: options?.signal });
  if (result.status === 'committed') return answer;
  const error = await refusedHold(context, result, change, call);
  if (error !== undefined && !tries.again(error)) throw error;
  return undefined;
}

/** What a refusal of the commit means; nothing where it is to be tried again. */
async function refusedHold(
  context: UseCaseContext,
  refused: CommitRefusal,
  { guard, limits: counted }: Change,
  { asker, owner }: HoldCall,
): Promise<CalendsError | undefined> {
  switch (refused.status) {
    case 'limitReached': {
      const limit = counted?.[refused.limit];
      return limit?.actorId === owner.key
        ? new CalendsError('rate_limited', 'Too many times are held at once.')
        : limitReached(limit, staffIn(asker));
    }
    case 'slotConflict': {
      const { appointmentIds: conflicting, isHeld } = refused;
      return slotConflict(context, { guard, conflicting, isHeld, caller: staffIn(asker) });
    }
    case 'requestLost':
      return requestInProgress();
    case 'proofLost':
      return staleTicket();
    case 'stale':
      // The appointment that is moved is over or gone: no other try finds it as it was.
      return new CalendsError('invalid_schedule', 'The appointment can no longer be rescheduled.');
    default:
      return undefined;
  }
}

const staffIn = ({ isStaff, caller }: Asker): Caller | undefined => (isStaff ? caller : undefined);

function shown({ id, serviceId, start, end, until, agentIds }: Hold, { isStaff }: Asker): Kept {
  return { id, serviceId, start, end, until, ...(isStaff ? { agentIds } : {}) };
}

/** Gives a hold up. */
export function releaseHold(context: UseCaseContext) {
  return async (by: Caller | Visitor, command: ReleaseCommand, options?: CallOptions): Promise<void> => {
    const { store } = requireRoom(context);
    const { id, token, applicationId = '' } = command;
    const caller = 'clientAddress' in by ? undefined : by;
    const isOwn = token !== undefined && context.holdTokens.read(token)?.holdId === id;
    const mayRelease = isOwn || (caller !== undefined && hasRole(caller, 'ROLE_SUPERVISOR'));
    const settings = await context.applications.settingsOf(applicationId);
    const ofApplication = settings.organizationId ?? defaultOrganization;
    // A customer who moves nothing has held it as one of the public, whatever organization the token names.
    const owners = caller === undefined ? [ofApplication] : [caller.organizationId];
    if (isOwn && caller !== undefined && !isStaff(caller)) owners.push(ofApplication);
    const hold = mayRelease && isWellFormedId(id) ? await holdOf(store, owners, id) : undefined;
    if (hold === undefined) throw noHold();
    const { organizationId } = hold;
    // The credentials of a supervisor may be limited to other applications (D34); the token of a hold is enough.
    if (!isOwn && !mayUseApplication(caller ?? {}, hold.applicationId)) throw noHold();
    const change = { organizationId, events: [], holds: { release: [id] }, holdsAt: holdsAt(context.clock) };
    await context.store.commit(change, { signal: options?.signal });
  };
}

async function holdOf(store: AvailabilityStore, owners: readonly string[], id: string): Promise<Hold | undefined> {
  for (const organizationId of new Set(owners)) {
    const hold = await store.findHold(organizationId, id);
    if (hold !== undefined) return hold;
  }
  return undefined;
}

/** An unknown hold, one that is gone, and one whose token is another are the same. */
function noHold(): CalendsError {
  return new CalendsError('not_found', 'There is no such hold.');
}
