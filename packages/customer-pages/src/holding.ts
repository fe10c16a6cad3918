import { CalendsError, type Scheduling } from '@calends/core';
import type { HeldTime, HoldCommand, Visitor } from '@calends/core/operations';

/** Holds a time in place of the one that a browser holds already; one that is nobody's hold any more stands in no way. */
export async function holdInPlace(
  { availability }: Pick<Scheduling, 'availability'>,
  visitor: Visitor,
  command: HoldCommand,
): Promise<HeldTime> {
  try {
    return await availability.hold(visitor, command);
  } catch (error) {
    const isGone = command.replaces !== undefined && CalendsError.is(error) && error.code === 'not_found';
    if (!isGone) throw error;
    return availability.hold(visitor, { ...command, replaces: undefined });
  }
}

/** Gives a time up; one that is not held any more needs none of it. */
export async function giveUp(
  { availability }: Pick<Scheduling, 'availability'>,
  visitor: Visitor,
  { applicationId, token }: { readonly applicationId: string; readonly token: string },
): Promise<void> {
  try {
    await availability.release(visitor, { id: idIn(token), token, applicationId });
  } catch (error) {
    if (!CalendsError.is(error) || error.code !== 'not_found') throw error;
  }
}

/** The id of the hold that a token stands for. */
export function idIn(token: string): string {
  return token.slice(0, Math.max(0, token.indexOf('.')));
}
