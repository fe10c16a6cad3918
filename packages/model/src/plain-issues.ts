import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Issues of schemas with unions: where what was sent has the members of one form alone, the faults that it has there, each at
 * its place, stand for "none of the forms". What is of another type than the one that is asked for is one fault: of rules of the right type,
 * zod tells those for anything that has a length.
 */
export function plainIssues(issues: readonly Issue[]): readonly Issue[] {
  const found = resolved(issues);
  const ofOtherType = new Set(found.flatMap((issue) => (issue.code === 'invalid_type' ? [placeOf(issue)] : [])));
  if (ofOtherType.size === 0) return found;
  return found.filter((issue) => issue.code === 'invalid_type' || !ofOtherType.has(placeOf(issue)));
}

const placeOf = ({ path }: Issue): string => JSON.stringify(path.map(String));

function resolved(issues: readonly Issue[]): readonly Issue[] {
  return issues.flatMap((issue): readonly Issue[] => {
    if (issue.code !== 'invalid_union') return [issue];
    const meant = issue.errors.filter((faults) => faults.every(({ code }) => code !== 'unrecognized_keys'));
    const [only = []] = meant;
    if (meant.length !== 1) return [issue];
    return resolved(only).map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }));
  });
}
