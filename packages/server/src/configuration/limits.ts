import { defaultLimits, type LimitNumbers } from '@calends/core/operations';

const bucket = /^(address|application)=(\d+(?:\.\d+)?)\/(\d+)$/;
const slots = /^concurrent=(\d+)$/;

/**
 * Reads `CALENDS_LIMITS`: `off`, or what differs from the defaults, as `address=<a second>/<at once>`,
 * `application=<a second>/<at once>` and `concurrent=<requests>`, separated by commas; `undefined` for other forms.
 */
export function parseLimits(text: string): 'off' | LimitNumbers | undefined {
  if (text === 'off') return 'off';
  let limits: LimitNumbers = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, kind, perSecond, burst] = bucket.exec(part) ?? [];
    const [, concurrent] = slots.exec(part) ?? [];
    // Of two numbers for one limit nobody knows which is meant.
    if ((kind ?? 'concurrent') in limits) return undefined;
    if (kind !== undefined) limits = { ...limits, [kind]: { perSecond: Number(perSecond), burst: Number(burst) } };
    else if (concurrent !== undefined) limits = { ...limits, concurrent: Number(concurrent) };
    else return undefined;
  }
  return isUsable(limits) ? limits : undefined;
}

function isUsable(limits: LimitNumbers): boolean {
  const { address = defaultLimits.address, application = defaultLimits.application } = limits;
  const { concurrent = defaultLimits.concurrent } = limits;
  return [address.perSecond, address.burst, application.perSecond, application.burst, concurrent].every(
    (one) => one > 0,
  );
}
