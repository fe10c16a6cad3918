import { CalendsError } from '../src/domain/calls/errors.js';

/** The error that a call throws or rejects with, which must be one of the library's own. */
export async function errorOf(call: () => unknown): Promise<CalendsError> {
  try {
    await call();
  } catch (error) {
    if (CalendsError.is(error)) return error;
    throw error;
  }
  throw new Error('The call should have failed.');
}

/** What a call answers, or the code of the error that it rejects with. */
export async function answerOrCode<Value>(call: () => Promise<Value>): Promise<Value | string> {
  try {
    return await call();
  } catch (error) {
    if (CalendsError.is(error)) return error.code;
    throw error;
  }
}

/** The code of the error that a call throws, or what it answers. */
export function codeOrValue<Value>(call: () => Value): Value | string {
  try {
    return call();
  } catch (error) {
    if (CalendsError.is(error)) return error.code;
    throw error;
  }
}
