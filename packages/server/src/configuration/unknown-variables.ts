import { environmentWords } from './environment-words.js';
import { didYouMean } from '@calends/model';

const prefix = 'CALENDS_';

const known = Object.keys(environmentWords);
/** Read by the tests and the scripts of the repository. */
const others = /^CALENDS_(TEST|REQUIRE|SKIP)_/;

/** A warning for each `CALENDS_…` variable that nobody reads: a misspelt one leaves a default in force. */
export function unknownVariables(variables: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(variables)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !others.test(name))
    .sort()
    .map((name) => `the variable ${name} is not known${hintFor(name)}`);
}

/** Some variables have the names that they have everywhere, without the prefix. */
function hintFor(name: string): string {
  return (
    didYouMean(name, known, name.length / 4) ||
    didYouMean(
      name.slice(prefix.length),
      known.filter((one) => !one.startsWith(prefix)),
    )
  );
}
