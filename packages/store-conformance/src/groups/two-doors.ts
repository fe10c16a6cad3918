import { doorRaces } from '../door-races.js';
import { group, it } from '../conformance-case.js';
import { numbers } from '../steps.js';

/** Of each kind; many more are run by who proves a cluster. */
const races = 6;

export const twoDoorsGroup = group('two doors to the same data keep what one of them alone would', [
  ...doorRaces.flatMap(({ level, name, run }) => [
    { rule: 'shared', level, requires: 'sharedBetweenProcesses' } as const,
    it(name, async (store, _a, _organizationId, context) => {
      const second = await context.secondWriter();
      for (const number of numbers(races)) {
        const doors = number % 2 === 0 ? ([store, second] as const) : ([second, store] as const);
        await run(doors, context.organization(`race-${number}`));
      }
    }),
  ]),
]);
