import type { Change, SchedulingStore } from '@calends/core/store';
import { expect } from 'vitest';
import { conformanceCases } from '../src/conformance-cases.js';
import type { ConformanceLevel } from '../src/index.js';
import { type Rule, rules } from '../src/rules.js';
import { defineWith, harnessOf } from './support.js';

/** What makes a store break a rule. */
export type Break = (store: SchedulingStore) => SchedulingStore;

type PartOf<Subject extends ConformanceLevel> = NonNullable<SchedulingStore[Subject]>;

/** A store of which some methods of one subject do something else. */
export const instead =
  <Subject extends ConformanceLevel>(
    subject: Subject,
    methods: (part: PartOf<Subject>, store: SchedulingStore) => Partial<PartOf<Subject>>,
  ): Break =>
  (store) => {
    const part = store[subject] as PartOf<Subject>;
    return { ...store, [subject]: { ...part, ...methods(part, store) } };
  };

/** A store that takes something else for the change that it is given. */
export const misread =
  (reading: (change: Change, store: SchedulingStore) => Change | Promise<Change>): Break =>
  (store) => ({ ...store, commit: async (change, options) => store.commit(await reading(change, store), options) });

/** The cases of a rule that a store does not pass, and what they tell. */
export async function failuresOf(
  rule: Rule,
  change: Break,
  within: (group: string) => boolean = () => true,
): Promise<readonly Error[]> {
  const { defined } = defineWith(harnessOf(change));
  const failures: Error[] = [];
  for (const { name: group, cases } of conformanceCases.filter(({ name }) => within(name))) {
    for (const { name } of cases.filter((each) => each.rule === rule)) {
      await defined
        .get(`${group}: ${name}`)?.()
        .catch((fault: unknown) => failures.push(fault as Error));
    }
  }
  return failures;
}

/** Some case of the rule fails on the store, and each that does tells the rule. */
export async function expectCaught(rule: Rule, change: Break, within?: (group: string) => boolean): Promise<void> {
  const failures = await failuresOf(rule, change, within);
  expect(failures.length).toBeGreaterThan(0);
  for (const { message } of failures) expect(message).toContain(rules[rule]);
}
