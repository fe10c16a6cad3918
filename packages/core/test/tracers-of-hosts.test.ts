import { describe, expect, it } from 'vitest';
import { unhandledIn } from '../../../scripts/unhandled.js';
import type { Tracer } from '../src/index.js';
import type { TracedSpan } from '../src/store.js';
import { errorOf } from './error-of.js';
import { agentOne, booked, booking, fixture } from './fixtures.js';

const fault = new Error('The exporter is gone.');
const failing = (): never => {
  throw fault;
};
const span: TracedSpan = {
  spanContext: () => ({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 }),
  setAttribute: () => undefined,
  setStatus: () => undefined,
  end: () => undefined,
};
const rejecting = () => Promise.reject(fault);
/** A name that can be read once. */
const oneTimeName = () => {
  let reads = 0;
  return {
    ...span.spanContext(),
    get traceId(): string {
      reads += 1;
      return reads === 1 ? span.spanContext().traceId : failing();
    },
  };
};
const startedWith = (given: unknown): Tracer => ({
  startActiveSpan: (_name, _settings, work) => work(given as TracedSpan),
});
/** Tracers as untyped hosts have them. */
const tracer = (startActiveSpan: (name: string, settings: object, work: (span: TracedSpan) => unknown) => unknown) =>
  ({ startActiveSpan }) as Tracer;

describe('A tracer of the host that', () => {
  it.each<[string, Tracer, string | RegExp]>([
    ['throws before the work', tracer(failing), fault.message],
    ['throws after the work', tracer((_name, _settings, work) => (work(span), failing())), fault.message],
    ['never calls the work', tracer(() => undefined), 'tracer: startActiveSpan must call its work at once'],
    ['answers something else', tracer((_name, _settings, work) => void work(span)), ''],
    [
      'calls the work twice',
      tracer((_name, _settings, work) => (void work(span), work(span))),
      'tracer: startActiveSpan must call its work once',
    ],
    ['calls the work without a span', startedWith(undefined), /undefined/],
    ['calls the work with a span that has nothing', startedWith({}), /is not a function/],
    [
      'makes spans that throw',
      startedWith({ spanContext: failing, setAttribute: failing, setStatus: failing, end: failing }),
      fault.message,
    ],
    [
      'makes spans without a name',
      startedWith({ ...span, spanContext: () => ({ traceId: 5 }) }),
      'tracer: spanContext must answer traceId, spanId and traceFlags',
    ],
    ['makes spans whose name can be read once', startedWith({ ...span, spanContext: oneTimeName }), ''],
  ])('a tracer that %s changes nothing of what is done, and is told once', async (_name, given, told) => {
    const base = fixture({ tracer: given });
    const { id } = await booked(base);
    expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
    expect((await errorOf(() => base.appointments.schedule(agentOne, booking({ duration: 'x' })))).code).toBe(
      'validation_failed',
    );
    await base.scheduling.workers.runOnce();
    expect((await base.appointments.list(agentOne, {})).items).toHaveLength(1);
    const faults = base.signals.flatMap((signal) => (signal.type === 'tracerFailed' ? [signal.error] : []));
    expect(faults).toHaveLength(told === '' ? 0 : 1);
    for (const error of faults) expect((error as Error).message).toMatch(told);
  });

  it.each<[string, Tracer]>([
    [
      'answers a promise of its own',
      tracer(async (_name, _settings, work) => {
        await work(span);
        return failing();
      }),
    ],
    [
      'makes spans that reject',
      startedWith({ ...span, setAttribute: rejecting, setStatus: rejecting, end: rejecting }),
    ],
    ['promises the name of its spans', startedWith({ ...span, spanContext: rejecting })],
  ])('a tracer that %s refuses nothing that nobody waits for', async (_name, given) => {
    const unhandled = await unhandledIn(async () => {
      const base = fixture({ tracer: given });
      const { id } = await booked(base);
      expect((await errorOf(() => base.appointments.get(agentOne, 'none'))).code).toBe('not_found');
      expect((await base.appointments.get(agentOne, id)).id).toBe(id);
    });
    expect(unhandled).toEqual([]);
  });
});
