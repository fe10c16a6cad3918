import { maxDuration } from '@calends/core/store';
import { parseDuration } from '@calends/core/operations';
import * as z from 'zod';

/*
 * The forms that settings have in the file of `CALENDS_CONFIG`. Messages name the rule, never the value: some are secrets.
 */

/** An object in which every name must be known. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) });
}

/** A text that is not empty. */
export function text(maxLength = 1024) {
  const error = `must be a string of 1 to ${maxLength} characters`;
  return z.string({ error }).min(1, { error }).max(maxLength, { error });
}

export function yesOrNo() {
  return z.boolean({ error: 'must be true or false' });
}

/** A string by what it says; the rule is told where it says nothing that is known. */
export function readBy<Meaning>(read: (written: string) => Meaning | undefined, rule: string, written = z.string()) {
  return written.transform((given, context): Meaning => {
    const meaning = read(given);
    if (meaning !== undefined) return meaning;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });
}

/** A string that breaks no rule; a function tells which one it breaks. */
export function checkedBy(ruleBrokenBy: (written: string) => string | undefined, written = z.string()) {
  return written.superRefine((given, context) => {
    const rule = ruleBrokenBy(given);
    if (rule !== undefined) context.addIssue({ code: 'custom', message: rule });
  });
}

/** An ISO 8601 duration, read as the milliseconds that the library takes. */
export const duration = readBy(
  (written) => parseDuration(written, 'iso8601'),
  'must be an ISO 8601 duration such as PT30M',
  text(),
);

/** No longer than appointments can be. */
export const boundedDuration = duration.refine((milliseconds) => milliseconds <= maxDuration, {
  error: 'must be at most P7D',
});
