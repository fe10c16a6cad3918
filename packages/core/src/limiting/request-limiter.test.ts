import { describe, expect, it } from 'vitest';
import type { Admission, LimitedClass, Limiter } from '../ports/limiter.js';
import { limiterOf, type LimitNumbers, requestLimiter } from './request-limiter.js';

const open = ['unauthenticated', 'proof'] as const satisfies readonly LimitedClass[];
const source = '8.8.8.8';

/** How many of so many requests are let in, each answered at once. */
async function admitted(limiter: Limiter, times: number, from: string | undefined, kind: LimitedClass = 'proof') {
  const answers = Array.from({ length: times }, async () => {
    const answer = await limiter.beforeBody({ class: kind, source: from });
    if (answer.admitted) answer.release?.();
    return answer;
  });
  return (await Promise.all(answers)).filter((answer) => answer.admitted).length;
}

describe('the built-in limiter (D66)', () => {
  it.each(open)(
    'the built-in limiter lets one address in 60 times at once, then 5 times a second: %s',
    async (kind) => {
      let now = 0;
      const limiter = requestLimiter({}, () => now);
      expect(await admitted(limiter, 100, source, kind)).toBe(60);
      now = 1000;
      expect(await admitted(limiter, 100, source, kind)).toBe(5);
    },
  );

  it('the built-in limiter lets one application in 50 times a second over all addresses and names', async () => {
    let now = 0;
    const limiter = requestLimiter({}, () => now);
    const call = async (name: string) => limiter.afterDecoding({ class: 'proof', applicationId: 'app-1', name });
    const names = Array.from({ length: 1000 }, (_, number) => `name-${String(number)}`);
    const count = async () => (await Promise.all(names.map(call))).filter((answer) => answer.admitted).length;
    expect(await count()).toBe(600);
    now = 1000;
    expect(await count()).toBe(50);
    expect(await limiter.afterDecoding({ class: 'proof', applicationId: 'app-2' })).toEqual({ admitted: true });
  });

  it.each(['read', 'write'] as const)(
    'the built-in limiter asks nothing of what needs a bearer token: %s',
    async (kind) => {
      const limiter = requestLimiter(
        { address: { perSecond: 1, burst: 1 }, application: { perSecond: 1, burst: 1 } },
        () => 0,
      );
      expect(await admitted(limiter, 100, source, kind)).toBe(100);
      const calls = Array.from({ length: 100 }, async () =>
        limiter.afterDecoding({ class: kind, applicationId: 'app-1' }),
      );
      expect((await Promise.all(calls)).every((answer) => answer.admitted)).toBe(true);
    },
  );

  it('the built-in limiter asks nothing before the body where no public address is known', async () => {
    expect(
      await admitted(
        requestLimiter({}, () => 0),
        1000,
        undefined,
      ),
    ).toBe(1000);
  });

  it('one address that holds requests open leaves room for others', async () => {
    const limiter = requestLimiter({ concurrent: 8 }, () => 0);
    const begin = async (from: string) => limiter.beforeBody({ class: 'proof', source: from });
    const held = await Promise.all(Array.from({ length: 20 }, () => begin(source)));
    expect(held.filter((answer) => answer.admitted)).toHaveLength(6);
    const other = await begin('9.9.9.9');
    expect(other.admitted).toBe(true);
    const release = (answer: Admission | undefined) => {
      if (answer?.admitted === true) answer.release?.();
    };
    release(other);
    release(held[0]);
    // Again: once is what counts.
    release(held[0]);
    expect((await begin(source)).admitted).toBe(true);
    expect((await begin(source)).admitted).toBe(false);
  });

  it('one network of IPv6 that holds requests open from many addresses leaves room for others', async () => {
    const limiter = requestLimiter({ concurrent: 8 }, () => 0);
    const begin = async (from: string) => limiter.beforeBody({ class: 'proof', source: from });
    const held = await Promise.all(
      Array.from({ length: 20 }, (_, at) => begin(`2a00:1450:4001:${at.toString(16)}::/64`)),
    );
    expect(held.filter((answer) => answer.admitted)).toHaveLength(6);
    for (const other of ['2a00:1450:4002:0::/64', '9.9.9.9']) expect((await begin(other)).admitted).toBe(true);
    const [first] = held;
    if (first?.admitted === true) first.release?.();
    expect((await begin('2a00:1450:4001:ffff::/64')).admitted).toBe(false);
  });

  it.each([
    [{ address: { perSecond: 0.1, burst: 1 } }, 10],
    [{ address: { perSecond: 5, burst: 1 } }, 1],
  ])('the built-in limiter says in whole seconds when to come again: %j', async (numbers, retryAfter) => {
    const limiter = requestLimiter(numbers, () => 0);
    await admitted(limiter, 1, source);
    expect(await limiter.beforeBody({ class: 'proof', source })).toEqual({ admitted: false, retryAfter });
  });

  it.each([{ concurrent: 0 }, { address: { perSecond: -1, burst: 1 } }, { application: { perSecond: 1, burst: NaN } }])(
    'the built-in limiter refuses the numbers %j',
    (numbers) => {
      expect(() => requestLimiter(numbers)).toThrow('must be a number above 0');
    },
  );
});

/** As another library has them. */
class OtherLimiter {
  consume(): boolean {
    return true;
  }
}

class HalfLimiter {
  afterDecoding(): Admission {
    return { admitted: true };
  }
}

class Numbers {
  get address() {
    return { perSecond: 1, burst: 1 };
  }
}

describe('the option limits', () => {
  it('`off` lets everything in', async () => {
    expect(await admitted(limiterOf('off'), 1000, source)).toBe(1000);
  });

  it('a limiter is taken as it is', () => {
    const limiter = requestLimiter();
    expect(limiterOf(limiter)).toBe(limiter);
  });

  it.each<[string, object, string]>([
    [
      'a name that is nearly one',
      { adress: { perSecond: 1, burst: 1 } },
      'unknown option adress; did you mean address?',
    ],
    [
      'a name in numbers that is nearly one',
      { address: { perSecond: 1, burst: 1, bursts: 1 } },
      'address: unknown option bursts; did you mean burst?',
    ],
    ['a list', [], 'must be `off`, numbers or a limiter'],
    ['a promise', Promise.resolve(requestLimiter()), 'must be `off`, numbers or a limiter'],
    ['a map', new Map([['address', { perSecond: 1, burst: 1 }]]), 'must be `off`, numbers or a limiter'],
    ['a limiter with other methods', new OtherLimiter(), 'must be `off`, numbers or a limiter'],
    ['half a limiter of a class', new HalfLimiter(), 'a limiter has beforeBody and afterDecoding'],
    ['half a limiter', { beforeBody: () => ({ admitted: true }) }, 'a limiter has beforeBody and afterDecoding'],
    [
      'a limiter of no functions',
      { beforeBody: true, afterDecoding: true },
      'a limiter has beforeBody and afterDecoding',
    ],
    ['numbers that are none', { address: null }, 'address.perSecond: must be a number above 0'],
  ])('the option limits is refused with %s', (_what, limits, fault) => {
    expect(() => limiterOf(limits as Limiter)).toThrow(new TypeError(fault));
  });

  it('a limiter may be an instance of a class of the host', () => {
    class Own {
      beforeBody(): Admission {
        return { admitted: true };
      }
      afterDecoding(): Admission {
        return { admitted: true };
      }
    }
    const own = new Own();
    expect(limiterOf(own)).toBe(own);
  });

  it.each<[string, LimitNumbers]>([
    ['inherited', Object.create({ address: { perSecond: 1, burst: 1 } }) as LimitNumbers],
    ['getters of a class', new Numbers()],
  ])('numbers may be %s', async (_how, numbers) => {
    expect(await admitted(limiterOf(numbers), 3, source)).toBe(1);
  });

  it('no numbers are the defaults', async () => {
    expect(await admitted(limiterOf({}), 61, source)).toBe(60);
  });

  it('the option limits is refused where it is none of the forms', () => {
    expect(() => limiterOf('on' as 'off')).toThrow(TypeError);
  });
});
