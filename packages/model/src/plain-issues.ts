import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Issues of schemas with unions: where what was sent has the members of one form alone, the faults that it has there, each at
 * its place, stand for "none of the forms".
 */
export function plainIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues.flatMap((issue): readonly Issue[] => {
    if (issue.code !== 'invalid_union') return [issue];
    const meant = issue.errors.filter((faults) => faults.every(({ code }) => code !== 'unrecognized_keys'));
    const [only = []] = meant;
    if (meant.length !== 1) return [issue];
    return plainIssues(only).map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }));
  });
}
