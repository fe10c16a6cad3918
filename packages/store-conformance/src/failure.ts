import { type CommitResult, type SchedulingStore, storeMethods, wrapStore } from '@calends/core/store';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type ConformanceLevel, conformanceLevels, hasLevel } from './conformance-case.js';
import { type Rule, rules } from './rules.js';

/** What only a store of several tables has need of. */
const optionalMethods: ReadonlySet<string> = new Set(['repairQueue', 'foldCounts', 'repairCounts', 'listVersions']);

const guide = 'docs/guides/write-a-store.md';
const maxArguments = 600;

/** The stores of one case; they note what they were asked last, so that a failure can tell. */
export class WatchedStores {
  #lastAsked: { readonly method: string; readonly given: readonly unknown[] } | undefined;
  #lastMark = '';

  /** Every method goes to the store itself. Marks of commits are looked at here, and cases need not expect them. */
  watch(store: SchedulingStore): SchedulingStore {
    // The first case says that it is missing.
    const hasMarks = (store as Partial<SchedulingStore>).capabilities?.marksCommits === true;
    return wrapStore(store, (method, call) => (...given) => {
      this.#lastAsked = { method, given };
      return method === 'commit' ? this.#unmarked(call(...given) as Promise<CommitResult>, hasMarks) : call(...given);
    });
  }

  /** A commit that begins after another has ended has the greater mark. */
  async #unmarked(commit: Promise<CommitResult>, hasMarks: boolean): Promise<CommitResult> {
    const before = this.#lastMark;
    const result = await commit;
    if (result.status !== 'committed') return result;
    const { mark, ...unmarked } = result;
    assert.equal(
      mark !== undefined,
      hasMarks,
      'A commit has a mark where `capabilities.marksCommits`, and only there.',
    );
    if (mark === undefined) return result;
    assert.match(mark, /^[0-9A-Za-z]{1,64}$/);
    assert.ok(mark > before, `The mark ${mark} must be greater than ${before}, of a commit that had ended before.`);
    if (mark > this.#lastMark) this.#lastMark = mark;
    return unmarked;
  }

  /** The same fault, which now says first, in a sentence, what does not hold, and where the guide says so. */
  explained(fault: unknown, sentence: string, rule: Rule): unknown {
    if (!(fault instanceof Error)) return fault;
    const { message, stack } = fault;
    fault.message = [
      `This does not hold of the store: ${sentence}.`,
      `The rule: ${rules[rule]} (${guide}#${rule})`,
      ...(this.#lastAsked === undefined ? [] : [`Asked last: ${callOf(this.#lastAsked)}`]),
      message,
    ].join('\n');
    // Node's own runner prints the stack, which begins with the message as it was.
    if (stack !== undefined) fault.stack = stack.replace(message, () => fault.message);
    return fault;
  }
}

function callOf({ method, given }: { readonly method: string; readonly given: readonly unknown[] }): string {
  const text = given.map((each) => inspect(each, { depth: 4, breakLength: Infinity })).join(', ');
  return `${method}(${text.length > maxArguments ? `${text.slice(0, maxArguments)}…` : text})`;
}

/** The levels up to this one; optional ones only where the store has any of it. */
const levelsUpTo = (store: SchedulingStore, last: ConformanceLevel): readonly ConformanceLevel[] =>
  conformanceLevels.slice(0, conformanceLevels.indexOf(last) + 1).filter((level) => hasLevel(store, level));

/** The methods of the levels up to this one that a store has not; those of no subject belong to the first. */
export function missingMethods(store: SchedulingStore, last: ConformanceLevel): readonly string[] {
  const missingOf = (part: unknown, methods: object, prefix: string): readonly string[] =>
    Object.keys(methods)
      .filter((name) => typeof Reflect.get(methods, name) !== 'object' && !optionalMethods.has(name))
      .filter((name) => typeof Reflect.get(Object(part) as object, name) !== 'function')
      .map((name) => `${prefix}${name}`);
  return [
    ...(Object(store.capabilities) === store.capabilities ? [] : ['capabilities']),
    ...missingOf(store, storeMethods, ''),
    ...levelsUpTo(store, last).flatMap((subject) => missingOf(store[subject], storeMethods[subject], `${subject}.`)),
  ];
}
