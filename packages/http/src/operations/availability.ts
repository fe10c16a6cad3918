import type { Caller } from '@calends/core';
import type { Visitor } from '@calends/core/operations';
import {
  presentException,
  presentExplanation,
  presentHold,
  presentHours,
  offersJson,
  presentService,
} from '../presenters/availability.js';
import type { Handlers } from './handler.js';

/** The operations about free times, services and hours. */
export const availabilityHandlers = {
  async findTimes({ availability }, request) {
    const { agentId, duration, timezone = 'UTC', ...question } = request.query;
    const asked = { ...question, agentIds: agentId, durations: duration };
    return { json: offersJson(await availability.find(askerOf(request), asked, request.call), timezone) };
  },
  async explainTime({ availability }, request) {
    const { agentId, ...question } = request.query;
    const asked = { ...question, agentIds: agentId };
    return { content: presentExplanation(await availability.explain(askerOf(request), asked, request.call)) };
  },
  async holdTime({ availability }, request) {
    const { agentIds, appointmentId, replaces, ...question } = request.body;
    const command = {
      ...question,
      agentIds: agentIds ?? undefined,
      appointmentId: appointmentId ?? undefined,
      replaces: replaces ?? undefined,
    };
    return { content: presentHold(await availability.hold(askerOf(request), command, request.call)) };
  },
  async releaseHold({ availability }, request) {
    const { id, holdToken, query } = request;
    await availability.release(askerOf(request), { ...query, id, token: holdToken });
    return {};
  },
  async listServices({ availability }, { identity, query }) {
    const services = await availability.services.list(identity, query);
    return { content: { services: services.map(presentService) } };
  },
  async getService({ availability }, { identity, id, query }) {
    const service = await availability.services.get(identity, { ...query, serviceId: id });
    const { version } = service;
    // What settings say has no version of its own.
    return { content: presentService(service), version, isToldByVersion: version > 0 };
  },
  async saveService({ availability }, { identity, id, query, body, call }) {
    const service = await availability.services.save(identity, { ...query, serviceId: id, rules: body }, call);
    return { content: presentService(service), version: service.version };
  },
  async archiveService({ availability }, { identity, id, query, call }) {
    await availability.services.archive(identity, { ...query, serviceId: id }, call);
    return {};
  },
  async listHours({ availability }, { identity }) {
    const hours = await availability.hours.list(identity);
    return { content: { hours: hours.map(presentHours) } };
  },
  async getHours({ availability }, { identity, id }) {
    const hours = await availability.hours.get(identity, { actorId: id });
    return { content: presentHours(hours), version: hours.version };
  },
  async saveHours({ availability }, { identity, id, body, call }) {
    const hours = await availability.hours.save(identity, { actorId: id, rules: body }, call);
    return { content: presentHours(hours), version: hours.version };
  },
  async removeHours({ availability }, { identity, id, call }) {
    await availability.hours.remove(identity, { actorId: id }, call);
    return {};
  },
  async listExceptions({ availability }, { identity, id, query }) {
    const exceptions = await availability.hours.listExceptions(identity, { ...query, actorId: id });
    return { content: { exceptions: exceptions.map(presentException) } };
  },
  async saveException({ availability }, { identity, id, date, body, call }) {
    const command = { actorId: id, date, exception: body };
    const saved = await availability.hours.saveException(identity, command, call);
    return { content: presentException(saved), version: saved.version };
  },
  async removeException({ availability }, { identity, id, date, call }) {
    await availability.hours.removeException(identity, { actorId: id, date }, call);
    return {};
  },
} satisfies Partial<Handlers>;

interface Asking {
  readonly identity: Caller | undefined;
  readonly clientAddress: string | undefined;
}

/** Who asks: the caller, or a visitor, whose holds are counted by address. */
function askerOf({ identity, clientAddress = '' }: Asking): Caller | Visitor {
  return identity ?? { clientAddress };
}
