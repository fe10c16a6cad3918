import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairSlots } from './fair-slots.js';

const takeAll = (slots: FairSlots, holder: string) => {
  let taken = 0;
  while (slots.take(holder)) taken += 1;
  return taken;
};

describe('slots that are shared fairly', () => {
  it('one holder gets three quarters, the next three quarters of the rest', () => {
    const slots = new FairSlots(100);
    expect([takeAll(slots, 'a'), takeAll(slots, 'b'), takeAll(slots, 'c')]).toEqual([75, 18, 5]);
  });

  it('somebody who has none gets one as long as there is one', () => {
    const slots = new FairSlots(4);
    takeAll(slots, 'a');
    expect(['b', 'c'].map((holder) => slots.take(holder))).toEqual([true, false]);
  });

  it('what is given back can be taken again, also by others', () => {
    const slots = new FairSlots(2);
    expect([slots.take('a'), slots.take('a'), slots.take('b')]).toEqual([true, false, true]);
    slots.free('a');
    expect([slots.take('c'), slots.taken]).toEqual([true, 2]);
  });

  it('giving back what was not taken makes no room', () => {
    const slots = new FairSlots(1);
    slots.take('a');
    slots.free('b');
    expect([slots.take('c'), slots.taken]).toEqual([false, 1]);
  });

  it('slots that are shared fairly are never more than there are, and what was taken is what was not given back', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a', 'b', 'c', 'd')), { maxLength: 300 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), (taken, number) => {
        const slots = new FairSlots(number);
        const held = new Map<string, number>();
        for (const [takes, holder] of taken) {
          const own = held.get(holder) ?? 0;
          if (takes && slots.take(holder)) held.set(holder, own + 1);
          if (!takes && own > 0) {
            slots.free(holder);
            held.set(holder, own - 1);
          }
          expect(slots.taken).toBe([...held.values()].reduce((sum, each) => sum + each, 0));
          expect(slots.taken).toBeLessThanOrEqual(number);
        }
      }),
    );
  });
});
