import {
  type ExceptionRecord,
  type Explanation,
  formatDuration,
  formatInstant,
  type HeldTime,
  type HoursRecord,
  type Offers,
  type ServiceRecord,
} from '@calends/core/operations';
import type {
  Explanation as WireExplanation,
  HeldTime as WireHeldTime,
  HoursException,
  HoursOfActor,
  Service,
} from '@calends/http-contract';
import { zonedInstants } from './zoned-instants.js';

/*
 * What only staff may know is left out by the core: it is `undefined` here, which JSON leaves out.
 */

/**
 * The JSON of free times, written in a zone (`Offers` of the contract).
 *
 * A search answers with up to thousands of them: put together here they take half of the time that an object for each
 * and `JSON.stringify` take. Only ids need its escapes.
 */
export function offersJson({ durations, next }: Offers, timezone: string): string {
  const written = zonedInstants(timezone);
  const actors = actorsJson();
  const texts = durations.map(({ duration, offers }) => {
    const list = offers.map(
      ({ start, end, actorIds }) => `{"start":"${written(start)}","end":"${written(end)}"${actors(actorIds)}}`,
    );
    return `{"duration":"${formatDuration(duration)}","offers":[${list.join(',')}]}`;
  });
  return `{"durations":[${texts.join(',')}]${next === undefined ? '' : `,"next":"${written(next)}"`}}`;
}

/** Writes who is free; times of a search share their list where all are. */
function actorsJson(): (ids: readonly string[] | undefined) => string {
  let last: readonly string[] | undefined;
  let json = '';
  return (ids) => {
    if (ids !== last) {
      last = ids;
      json = ids === undefined ? '' : `,"actorIds":${JSON.stringify(ids)}`;
    }
    return json;
  };
}

/** Why a time is free or not. */
export function presentExplanation(explanation: Explanation): WireExplanation {
  return explanation.free
    ? { free: true, actorIds: asWritten(explanation.actorIds) }
    : { free: false, reasons: [...explanation.reasons] };
}

/** A hold, as it is made. */
export function presentHold({ id, token, serviceId, start, end, until, agentIds }: HeldTime): WireHeldTime {
  return {
    id,
    token,
    serviceId,
    start: formatInstant(start),
    end: formatInstant(end),
    until: formatInstant(until),
    agentIds: asWritten(agentIds),
  };
}

/** A service. */
export function presentService({ applicationId, id, archived, rules, version }: ServiceRecord): Service {
  return { applicationId, id, archived, rules, version };
}

/** Hours of an actor. */
export function presentHours({ actorId, rules, version }: HoursRecord): HoursOfActor {
  return { actorId, rules, version };
}

/** A day on which other hours hold. */
export function presentException({ actorId, date, exception, version }: ExceptionRecord): HoursException {
  return { actorId, date, rules: exception, version };
}

/** Ids as they are: the types of the wire may be changed, and what is presented is only written down. An answer has 5,000 such lists. */
const asWritten = (ids: readonly string[] | undefined): string[] | undefined => ids as string[] | undefined;
