import { describe, expect, it } from 'vitest';
import type { Outcome } from '../sql/rows.js';
import { CountsLead } from './counts-lead.js';
import { countsLead } from './migrations.js';

/** Asks, and answers a look, if there is one, with what the database has. */
function ask(lead: CountsLead, isTaken: boolean): { readonly looked: boolean; readonly isComplete: boolean } {
  const steps = lead.isComplete();
  const first = steps.next();
  if (first.done === true) return { looked: false, isComplete: first.value };
  const answer: Outcome = { rows: isTaken ? [{ taken: 1 }] : [], affected: 0 };
  const last = steps.next(answer);
  if (last.done !== true) throw new Error('One look is one statement.');
  return { looked: true, isComplete: last.value };
}

describe('what commits have counted', () => {
  it('what commits have counted is looked at once a second until it is complete, and never again', () => {
    let now = 0;
    const lead = new CountsLead(countsLead, 0, () => now);
    expect(ask(lead, false)).toEqual({ looked: true, isComplete: false });
    now = 999;
    expect(ask(lead, true)).toEqual({ looked: false, isComplete: false });
    now = 1000;
    expect(ask(lead, true)).toEqual({ looked: true, isComplete: true });
    expect(ask(lead, false)).toEqual({ looked: false, isComplete: true });
  });

  it('what commits have counted is trusted later where copies answer that may lack some of it', () => {
    let now = 0;
    const lead = new CountsLead(countsLead, 10_000, () => now);
    expect(ask(lead, true)).toEqual({ looked: true, isComplete: false });
    now = 9_999;
    expect(ask(lead, true)).toEqual({ looked: false, isComplete: false });
    now = 10_000;
    expect(ask(lead, true)).toEqual({ looked: false, isComplete: true });
  });
});
