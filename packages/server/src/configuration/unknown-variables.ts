import { environmentSchema } from './environment-schema.js';
import { didYouMean } from './nearest-name.js';

const known = Object.keys(environmentSchema.shape);
/** Read by the tests and the scripts of the repository. */
const others = /^CALENDS_(TEST|REQUIRE|SKIP)_/;

/** A warning for each `CALENDS_…` variable that nobody reads: a misspelt one leaves a default in force. */
export function unknownVariables(variables: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(variables)
    .filter((name) => name.startsWith('CALENDS_') && !known.includes(name) && !others.test(name))
    .sort()
    .map((name) => `the variable ${name} is not known${didYouMean(name, known)}`);
}
